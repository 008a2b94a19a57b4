internal import Crypto
internal import Discovery
internal import Foundation
internal import Geo
internal import HTTPTypes
internal import Model

/// Seals cursors, so that clients can neither read nor forge them, nor use them for another list.
///
/// It uses AES-GCM with a key created with the database. The list's identity (``Call/list``) is authenticated data.
struct CursorSeal: Sendable {
    private let key: SymmetricKey
    /// How long a cursor about strangers is valid.
    private static let lifetime = Duration.seconds(3600)

    /// Whether cursors are sealed; false only in tests.
    private let isSealed: Bool

    init(secret: [UInt8], isSealed: Bool) {
        key = SymmetricKey(data: secret)
        self.isSealed = isSealed
    }

    /// The cursor of the next page; nil at the end.
    func seal<Item>(_ page: Page<Item>, _ call: Call) throws -> String? {
        try page.next.map { next in
            try seal([Self.word(page.origin), UInt64(bitPattern: next.micrometres)], next.id, call)
        }
    }

    /// The origin of the search, and the last position of the previous page.
    func position(_ call: Call) throws(Problem) -> (origin: Coordinate, last: KeysetPosition)? {
        guard let (words, id) = try open(2, call) else { return nil }
        guard let origin = Self.coordinate(words[0]) else { throw invalid }
        return (origin, KeysetPosition(micrometres: Int64(bitPattern: words[1]), id: id))
    }

    func seal(_ position: StrangerPosition, _ call: Call) throws -> String {
        let (begun, origin) = (UInt64(bitPattern: position.begun.milliseconds), Self.word(position.origin))
        return try seal([begun, origin, UInt64(position.kilometres), position.cellHash, position.personHash], "", call)
    }

    func strangerPosition(_ call: Call) throws(Problem) -> StrangerPosition? {
        guard let (words, _) = try open(5, call) else { return nil }
        let begun = Timestamp(milliseconds: Int64(bitPattern: words[0]))
        guard call.received - begun < Self.lifetime, let origin = Self.coordinate(words[1]) else { throw invalid }
        return StrangerPosition(
            origin: origin, begun: begun, kilometres: Int(words[2]), cellHash: words[3],
            personHash: words[4])
    }

    /// Seals the last id of a list that is ordered by id.
    func seal(_ id: ID<some Any>, _ call: Call) throws -> String { try seal([], id.text, call) }

    func id<Thing>(_ call: Call) throws(Problem) -> ID<Thing>? {
        guard let (_, text) = try open(0, call) else { return nil }
        guard let id = try? ID<Thing>(text) else { throw invalid }
        return id
    }

    func seal(_ position: ProductPosition, _ call: Call) throws -> String {
        // Ids contain no line breaks.
        try seal([UInt64(bitPattern: position.number)], "\(position.id.text)\n\(position.text)", call)
    }

    func productPosition(_ call: Call) throws(Problem) -> ProductPosition? {
        guard let (words, text) = try open(1, call) else { return nil }
        let texts = text.unicodeScalars.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        guard texts.count == 2, let id = try? ProductID(String(texts[0])) else { throw invalid }
        return ProductPosition(number: Int64(bitPattern: words[0]), text: String(texts[1]), id: id)
    }

    func seal(_ position: PersonFound, _ call: Call) throws -> String {
        var bytes: [UInt8] = [position.isBeginning ? 1 : 0]
        Self.append(UInt64(position.number), to: &bytes)
        return try seal(bytes, call.list)
    }

    func personFound(_ call: Call) throws(Problem) -> PersonFound? {
        guard let bytes = try open(call) else { return nil }
        guard bytes.count == 9, let number = Self.word(bytes, 1) else { throw invalid }
        return PersonFound(isBeginning: bytes.first == 1, number: Number(rawValue: Int32(truncatingIfNeeded: number)))
    }

    func seal(_ position: HistoryPosition, _ call: Call) throws -> String {
        var bytes: [UInt8] = []
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

    /// Seals the time after which a list that is ordered by time continues.
    func seal(_ time: Timestamp, _ call: Call) throws -> String {
        try seal([UInt64(bitPattern: time.milliseconds)], "", call)
    }

    func instant(_ call: Call) throws(Problem) -> Timestamp? {
        guard let (words, rest) = try open(1, call) else { return nil }
        guard rest.isEmpty else { throw invalid }
        return Timestamp(milliseconds: Int64(bitPattern: words[0]))
    }

    /// Seals a list's last position as numbers and a text.
    func seal(_ words: [UInt64], _ text: String, _ call: Call) throws -> String {
        var bytes: [UInt8] = []
        for word in words { Self.append(word, to: &bytes) }
        return try seal(bytes + text.utf8, call.list)
    }

    /// Opens the cursor of a call as `count` numbers and a text; nil if it has none.
    func open(_ count: Int, _ call: Call) throws(Problem) -> (words: [UInt64], text: String)? {
        guard let bytes = try open(call) else { return nil }
        let words = (0..<count).compactMap { Self.word(bytes, 8 * $0) }
        guard words.count == count else { throw invalid }
        return (words, String(decoding: bytes.dropFirst(8 * count), as: UTF8.self))
    }

    /// The authenticated data of log positions; for lists it begins with a path.
    private static let ofLog = Array("log".utf8)

    /// Seals a log position.
    func seal(position: UInt64) throws -> String {
        var bytes: [UInt8] = []
        Self.append(position, to: &bytes)
        return try seal(bytes, Self.ofLog)
    }

    /// Opens a log position that was sealed here; nil for any other text.
    func position(_ text: String) -> UInt64? {
        guard let bytes = try? open(text, Self.ofLog), bytes.count == 8 else { return nil }
        return Self.word(bytes, 0)
    }

    private func seal(_ bytes: [UInt8], _ list: [UInt8]) throws -> String {
        guard isSealed else { return Base64URL.encode(bytes) }
        guard let sealed = try AES.GCM.seal(bytes, using: key, authenticating: list).combined else {
            throw CryptoKitError.incorrectParameterSize
        }
        return Base64URL.encode(Array(sealed))
    }

    /// Opens the cursor of a call; nil if it has none.
    private func open(_ call: Call) throws(Problem) -> Data? {
        guard let text = call.query.text("cursor") else { return nil }
        return try open(text, call.list)
    }

    private func open(_ text: String, _ list: [UInt8]) throws(Problem) -> Data {
        if !isSealed, let bytes = Base64URL.decode(text) { return bytes }
        guard let sealed = Base64URL.decode(text), let box = try? AES.GCM.SealedBox(combined: sealed),
            let bytes = try? AES.GCM.open(box, using: key, authenticating: list)
        else { throw invalid }
        return bytes
    }

    var invalid: Problem {
        Problem(
            .invalidCursor,
            detail: "The cursor does not belong to this list, or is too old: start again without it.")
    }

    private static func word(_ place: Coordinate) -> UInt64 {
        UInt64(UInt32(bitPattern: place.latitudeE7)) << 32 | UInt64(UInt32(bitPattern: place.longitudeE7))
    }

    private static func coordinate(_ word: UInt64) -> Coordinate? {
        Coordinate(latitudeE7: Int32(truncatingIfNeeded: word >> 32), longitudeE7: Int32(truncatingIfNeeded: word))
    }

    private static func append(_ word: UInt64, to bytes: inout [UInt8]) {
        for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
    }

    private static func word(_ bytes: Data, _ offset: Int) -> UInt64? {
        guard offset + 8 <= bytes.count else { return nil }
        return bytes.dropFirst(offset).prefix(8).enumerated().reduce(0) {
            $0 | UInt64($1.element) << UInt64(8 * $1.offset)
        }
    }
}
