internal import Crypto
internal import Discovery
internal import Foundation
internal import Geo
internal import HTTPTypes
internal import Model

/// Seals cursors: what a cursor holds can neither be read nor made up, and it is good for the list it was made for only.
///
/// AES-GCM with the key that was made with the database. What the list was asked for is authenticated with it
/// (``Call/list``).
struct CursorSeal: Sendable {
    private let key: SymmetricKey
    /// A cursor about people ends after this time.
    private static let lifetime = Duration.seconds(3600)

    /// Whether cursors are sealed, as they are but in tests.
    private let isSealed: Bool

    init(secret: [UInt8], isSealed: Bool) {
        key = SymmetricKey(data: secret)
        self.isSealed = isSealed
    }

    // MARK: - Positions by distance

    /// The cursor of the page after this one; nil at the end.
    func seal<Item>(_ page: Page<Item>, _ call: Call) throws -> String? {
        guard let next = page.next else { return nil }
        var bytes = Data()
        Self.append(page.origin, to: &bytes)
        Self.append(UInt64(bitPattern: next.micrometres), to: &bytes)
        bytes.append(contentsOf: next.id.utf8)
        return try seal(bytes, call.list)
    }

    /// Where the list began from, and its last position so far.
    func position(_ call: Call) throws(Problem) -> (origin: Coordinate, last: KeysetPosition)? {
        guard let bytes = try open(call) else { return nil }
        guard let origin = Self.coordinate(bytes, 0), let micrometres = Self.word(bytes, 8) else { throw invalid }
        let id = String(decoding: bytes.dropFirst(16), as: UTF8.self)
        return (origin, KeysetPosition(micrometres: Int64(bitPattern: micrometres), id: id))
    }

    // MARK: - Positions among strangers

    func seal(_ position: StrangerPosition, _ call: Call) throws -> String {
        var bytes = Data()
        Self.append(UInt64(bitPattern: position.begun.milliseconds), to: &bytes)
        Self.append(position.origin, to: &bytes)
        Self.append(UInt64(position.kilometres), to: &bytes)
        Self.append(position.cellHash, to: &bytes)
        Self.append(position.personHash, to: &bytes)
        return try seal(bytes, call.list)
    }

    func strangerPosition(_ call: Call) throws(Problem) -> StrangerPosition? {
        guard let bytes = try open(call) else { return nil }
        let words = (0..<5).compactMap { Self.word(bytes, 8 * $0) }
        guard words.count == 5, case let begun = Timestamp(milliseconds: Int64(bitPattern: words[0])),
            call.received - begun < Self.lifetime, let origin = Self.coordinate(bytes, 8)
        else { throw invalid }
        return StrangerPosition(
            origin: origin, begun: begun, kilometres: Int(words[2]), cellHash: words[3],
            personHash: words[4])
    }

    // MARK: - Names

    /// Seals the last id of a list that is in the order of ids.
    func seal(_ id: ID<some Any>, _ call: Call) throws -> String { try seal(Data(id.text.utf8), call.list) }

    func id<Thing>(_ call: Call) throws(Problem) -> ID<Thing>? {
        guard let bytes = try open(call) else { return nil }
        guard let id = try? ID<Thing>(String(decoding: bytes, as: UTF8.self)) else { throw invalid }
        return id
    }

    /// Seals a place in a list of products.
    func seal(_ position: ProductPosition, _ call: Call) throws -> String {
        var bytes = Data()
        Self.append(UInt64(bitPattern: position.number), to: &bytes)
        // No id has a line break.
        bytes.append(contentsOf: "\(position.id.text)\n\(position.text)".utf8)
        return try seal(bytes, call.list)
    }

    func productPosition(_ call: Call) throws(Problem) -> ProductPosition? {
        guard let bytes = try open(call) else { return nil }
        let texts = bytes.dropFirst(8).split(
            separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
        guard let number = Self.word(bytes, 0), texts.count == 2,
            let id = try? ProductID(String(decoding: texts[0], as: UTF8.self))
        else { throw invalid }
        return ProductPosition(
            number: Int64(bitPattern: number), text: String(decoding: texts[1], as: UTF8.self), id: id)
    }

    /// Seals a place among people found.
    func seal(_ position: PersonFound, _ call: Call) throws -> String {
        var bytes = Data([position.isBeginning ? 1 : 0])
        Self.append(UInt64(position.number), to: &bytes)
        return try seal(bytes, call.list)
    }

    func personFound(_ call: Call) throws(Problem) -> PersonFound? {
        guard let bytes = try open(call) else { return nil }
        guard bytes.count == 9, let number = Self.word(bytes, 1) else { throw invalid }
        return PersonFound(isBeginning: bytes.first == 1, number: Number(rawValue: Int32(truncatingIfNeeded: number)))
    }

    /// Seals a place in a history.
    func seal(_ position: HistoryPosition, _ call: Call) throws -> String {
        var bytes = Data()
        for key in [position.last, position.block].compactMap(\.self) {
            Self.append(UInt64(bitPattern: key.time.milliseconds), to: &bytes)
            bytes.append(key.sequence)
        }
        return try seal(bytes, call.list)
    }

    func historyPosition(_ call: Call) throws(Problem) -> HistoryPosition? {
        guard let bytes = try open(call) else { return nil }
        guard let last = Self.key(bytes, 0) else { throw invalid }
        return HistoryPosition(last: last, block: Self.key(bytes, 9))
    }

    private static func key(_ bytes: Data, _ offset: Int) -> PingKey? {
        guard let time = word(bytes, offset), let sequence = bytes.dropFirst(offset + 8).first else { return nil }
        return PingKey(time: Timestamp(milliseconds: Int64(bitPattern: time)), sequence: sequence)
    }

    /// Seals the instant after which a list in the order of time goes on.
    func seal(_ time: Timestamp, _ call: Call) throws -> String {
        var bytes = Data()
        Self.append(UInt64(bitPattern: time.milliseconds), to: &bytes)
        return try seal(bytes, call.list)
    }

    func instant(_ call: Call) throws(Problem) -> Timestamp? {
        guard let bytes = try open(call) else { return nil }
        guard let time = Self.word(bytes, 0), bytes.count == 8 else { throw invalid }
        return Timestamp(milliseconds: Int64(bitPattern: time))
    }

    // MARK: - Sealing

    func seal(_ bytes: Data, _ list: String) throws -> String {
        guard isSealed else { return Base64URL.encode(bytes) }
        let box = try AES.GCM.seal(bytes, using: key, authenticating: Data(list.utf8))
        let sealed = box.nonce + box.ciphertext + box.tag
        return Base64URL.encode(sealed)
    }

    /// What the cursor of a call holds; nil if it has none.
    func open(_ call: Call) throws(Problem) -> Data? {
        guard let text = call.query.text("cursor") else { return nil }
        if !isSealed, let bytes = Base64URL.decode(text) { return bytes }
        guard let sealed = Base64URL.decode(text), let box = try? AES.GCM.SealedBox(combined: sealed),
            let bytes = try? AES.GCM.open(box, using: key, authenticating: Data(call.list.utf8))
        else { throw invalid }
        return bytes
    }

    var invalid: Problem {
        Problem(
            .badRequest, .invalidCursor,
            detail: "The cursor was not made here for this list, or is too old: begin again without it.")
    }

    private static func append(_ place: Coordinate, to bytes: inout Data) {
        let halves = (UInt32(bitPattern: place.latitudeE7), UInt32(bitPattern: place.longitudeE7))
        append(UInt64(halves.0) << 32 | UInt64(halves.1), to: &bytes)
    }

    private static func coordinate(_ bytes: Data, _ offset: Int) -> Coordinate? {
        word(bytes, offset).flatMap { word in
            Coordinate(
                latitudeE7: Int32(truncatingIfNeeded: word >> 32), longitudeE7: Int32(truncatingIfNeeded: word))
        }
    }

    static func append(_ word: UInt64, to bytes: inout Data) {
        withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
    }

    static func word(_ bytes: Data, _ offset: Int) -> UInt64? {
        guard offset + 8 <= bytes.count else { return nil }
        return bytes.dropFirst(offset).prefix(8).enumerated().reduce(0) {
            $0 | UInt64($1.element) << UInt64(8 * $1.offset)
        }
    }
}
