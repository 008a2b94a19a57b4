internal import Crypto
internal import Discovery
internal import Foundation
internal import Geo
internal import HTTPTypes
internal import Storage

/// Seals cursors: what a cursor holds can neither be read nor made up, and it is good for one list only.
///
/// AES-GCM with the key that was made with the database. The list's name and who asks are authenticated with it.
struct CursorSeal: Sendable {
    private let key: SymmetricKey
    /// A cursor about people ends after this time.
    private static let lifetime = Duration.seconds(3600)

    init(secret: [UInt8]) { key = SymmetricKey(data: secret) }

    // MARK: - Positions by distance

    func seal(_ position: KeysetPosition, for list: String) throws -> String {
        var bytes = Data()
        Self.append(UInt64(bitPattern: position.micrometres), to: &bytes)
        bytes.append(contentsOf: position.id.utf8)
        return try seal(bytes, list)
    }

    func position(_ text: String?, for list: String) throws(Problem) -> KeysetPosition? {
        guard let text else { return nil }
        let bytes = try open(text, list)
        guard let micrometres = Self.word(bytes, 0) else { throw invalid }
        return KeysetPosition(
            micrometres: Int64(bitPattern: micrometres), id: String(decoding: bytes.dropFirst(8), as: UTF8.self))
    }

    // MARK: - Positions among strangers

    func seal(_ position: StrangerPosition, for list: String) throws -> String {
        var bytes = Data()
        Self.append(UInt64(bitPattern: position.begun.milliseconds), to: &bytes)
        Self.append(
            UInt64(UInt32(bitPattern: position.origin.latitudeE7)) << 32
                | UInt64(UInt32(bitPattern: position.origin.longitudeE7)), to: &bytes)
        Self.append(UInt64(position.kilometres), to: &bytes)
        Self.append(position.cellHash, to: &bytes)
        Self.append(position.personHash, to: &bytes)
        return try seal(bytes, list)
    }

    func strangerPosition(_ text: String?, for list: String, at now: Timestamp) throws(Problem) -> StrangerPosition? {
        guard let text else { return nil }
        let bytes = try open(text, list)
        let words = (0..<5).compactMap { Self.word(bytes, 8 * $0) }
        guard words.count == 5, case let begun = Timestamp(milliseconds: Int64(bitPattern: words[0])),
            now - begun < Self.lifetime,
            let origin = Coordinate(
                latitudeE7: Int32(truncatingIfNeeded: Int64(bitPattern: words[1]) >> 32),
                longitudeE7: Int32(truncatingIfNeeded: words[1]))
        else { throw invalid }
        return StrangerPosition(
            origin: origin, begun: begun, kilometres: Int(words[2]), cellHash: words[3],
            personHash: words[4])
    }

    // MARK: - Names

    /// Seals the last id of a list that is in the order of ids.
    func seal(_ id: EntityID, for list: String) throws -> String { try seal(Data(id.text.utf8), list) }

    func id(_ text: String?, for list: String) throws(Problem) -> EntityID? {
        guard let text else { return nil }
        let bytes = try open(text, list)
        guard let id = try? EntityID(String(decoding: bytes, as: UTF8.self)) else { throw invalid }
        return id
    }

    /// Seals the time and sequence of the last ping of a history.
    func seal(_ ping: StoredPing, for list: String) throws -> String {
        var bytes = Data()
        Self.append(UInt64(bitPattern: ping.time.milliseconds), to: &bytes)
        bytes.append(ping.sequence)
        return try seal(bytes, list)
    }

    func pingPosition(_ text: String?, for list: String) throws(Problem) -> (time: Timestamp, sequence: UInt8)? {
        guard let text else { return nil }
        let bytes = try open(text, list)
        guard let time = Self.word(bytes, 0), bytes.count == 9, let sequence = bytes.last else { throw invalid }
        return (Timestamp(milliseconds: Int64(bitPattern: time)), sequence)
    }

    // MARK: - Sealing

    private func seal(_ bytes: Data, _ list: String) throws -> String {
        let box = try AES.GCM.seal(bytes, using: key, authenticating: Data(list.utf8))
        let sealed = box.nonce + box.ciphertext + box.tag
        return sealed.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private func open(_ text: String, _ list: String) throws(Problem) -> Data {
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        let base64 = text.replacing("-", with: "+").replacing("_", with: "/") + padding
        guard let sealed = Data(base64Encoded: base64), let box = try? AES.GCM.SealedBox(combined: sealed),
            let bytes = try? AES.GCM.open(box, using: key, authenticating: Data(list.utf8))
        else { throw invalid }
        return bytes
    }

    private var invalid: Problem {
        Problem(
            .badRequest, .invalidCursor,
            detail: "The cursor was not made here for this list, or is too old: begin again without it.")
    }

    private static func append(_ word: UInt64, to bytes: inout Data) {
        withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
    }

    private static func word(_ bytes: Data, _ offset: Int) -> UInt64? {
        guard offset + 8 <= bytes.count else { return nil }
        return bytes.dropFirst(offset).prefix(8).enumerated().reduce(0) {
            $0 | UInt64($1.element) << UInt64(8 * $1.offset)
        }
    }
}
