import Foundation
import Laws

/// Damages requests; equal seeds damage them equally.
struct Mutator {
    /// A damaged request, and the parts of it that are still intact.
    struct Mutant {
        var bytes: [UInt8]
        /// Whether the device's token is intact, so that only a good answer is right.
        var isProven: Bool
        /// Whether the body has the length that the request announces.
        var isWhole = true
    }

    private let sends: [PhoneSend]
    private let token: String

    init(_ rows: [PhoneRow], token: String) {
        sends = rows.flatMap(\.sends)
        self.token = token
    }

    func mutant(seed: UInt64) -> Mutant {
        var random = SeededGenerator(seed: seed)
        var send = random.pick(sends)
        send.line = send.line.replacing(#/token=\{token\}&?/#, with: "")
        send.headers.removeAll { $0.name == "authorization" }
        for _ in 0...random.integer(0...3) { spoil(&send, &random) }
        let isProven = !random.chance(0.06)
        send.headers.append(("authorization", isProven ? "Bearer \(token)" : credential(&random)))
        // A request without a body is complete with its head.
        guard random.chance(0.003), !send.line.hasPrefix("GET ") else {
            return Mutant(bytes: send.bytes(token), isProven: isProven)
        }
        let length = send.body.count + random.integer(1...1000)
        return Mutant(bytes: send.bytes(token, length: length), isProven: isProven, isWhole: false)
    }

    private func credential(_ random: inout SeededGenerator) -> String {
        let basic = Data("ana:\(token)".utf8).base64EncodedString()
        var bytes = Array(
            random.pick(["Bearer \(token)", "Basic \(basic)", "Basic \(token):", "Digest x", "Bearer"]).utf8)
        bytes[random.integer(0...bytes.count - 1)] = UInt8(random.integer(0x21...0x7e))
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let types = [
        "text/plain", "application/json", "application/x-www-form-urlencoded", "application/json; charset=utf-16",
        "multipart/form-data; boundary=x", "", "image/png",
    ]

    private func spoil(_ send: inout PhoneSend, _ random: inout SeededGenerator) {
        let query = send.line.firstIndex(of: "?")
        switch random.integer(0...19) {
        case 0:
            send.headers.removeAll { $0.name == "content-type" }
            send.headers.append(("content-type", random.pick(Self.types)))
        case 1:
            send.headers.removeAll { $0.name == "content-encoding" }
            send.headers.append(("content-encoding", random.pick(["gzip", "deflate", "br", "identity"])))
        case _ where query != nil && (send.body.isEmpty || random.chance(0.5)):
            guard let query else { return }
            var bytes = Array(send.line[query...].dropFirst().utf8)
            spoil(&bytes, &random)
            send.line = send.line[...query] + Self.encoded(bytes.prefix(6000))
        default: spoil(&send.body, &random)
        }
    }

    /// Encodes bytes for an address, whatever they mean.
    private static func encoded(_ bytes: some Sequence<UInt8>) -> String {
        bytes.reduce(into: "") { text, byte in
            if (0x21...0x7e).contains(byte), byte != UInt8(ascii: "#") {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }
    }

    private static let numbers = [
        "0", "-1", "1e400", "-1e400", "1e-400", "-0", "NaN", "Infinity", "0x1p3", "2147483647", "2147483648",
        "9223372036854775808", "99999999999999999999999999", "253402300800000", "1795168800000", "180.00000001",
        "-90.1",
        "1" + String(repeating: "0", count: 400), "0." + String(repeating: "0", count: 400) + "1", "null", "true", "[]",
        "{}", "\"\"", "\"a\"", "1795168800", "39,47", "１",
    ]
    private static let bad: [[UInt8]] = [
        [0xff], [0xfe, 0xff], [0xef, 0xbb, 0xbf], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80],
        [0xe2, 0x82],
        [0], [0x1f, 0x8b, 8, 0], [0x5c, 0x75, 0x64, 0x38, 0x30, 0x30], [0x5c, 0x75, 0x30, 0x30, 0x30, 0x30],
        [0x25, 0x66, 0x66], [0x25], [0x25, 0x7a, 0x7a], [0x0d, 0x0a, 0x0d, 0x0a],
    ]

    private func spoil(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        let first = random.integer(0...bytes.count)
        let range = first..<random.integer(first...min(bytes.count, first + 1 << random.integer(0...9)))
        switch random.integer(0...11) {
        case 0 where !bytes.isEmpty: bytes[min(first, bytes.count - 1)] ^= 1 << UInt8(random.integer(0...7))
        case 1: bytes.removeSubrange(range)
        case 2: bytes.insert(contentsOf: bytes[range], at: first)
        case 3: bytes.removeSubrange(first...)
        case 4: bytes.insert(contentsOf: random.pick(Self.bad), at: first)
        case 5:
            bytes.insert(
                contentsOf: (0..<random.integer(1...20)).map { _ in UInt8(random.integer(0...255)) }, at: first)
        case 6, 7: exchange(&bytes, with: Array(random.pick(Self.numbers).utf8), &random)
        case 8: exchange(&bytes, with: nil, &random)
        case 9: bytes.insert(contentsOf: random.pick(sends).body, at: first)
        case 10 where random.chance(0.1):
            let depth = random.chance(0.02) ? 200_000 : random.integer(1...2000)
            let (open, close) = random.pick([("[", "]"), (#"{"a":"#, "}"), (#"{"location":"#, "}"), ("[{", "}]")])
            exchange(
                &bytes,
                with: Array(
                    (String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)).utf8),
                &random)
        case 11 where random.chance(0.1):
            bytes = bytes.flatMap { random.chance(0.5) ? [$0, 0] : [0, $0] }
        default: swap(&bytes, &random)
        }
    }

    /// The ranges of numbers, words, and texts.
    private func words(_ bytes: [UInt8]) -> [Range<Int>] {
        var words: [Range<Int>] = []
        var start = 0
        for (index, byte) in bytes.enumerated() where Self.separators.contains(byte) {
            if index > start { words.append(start..<index) }
            start = index + 1
        }
        if bytes.count > start { words.append(start..<bytes.count) }
        return words
    }

    private static let separators = Set("{}[]:,=& \n".utf8)

    /// Replaces a word by other bytes, or by another word if nil.
    private func exchange(_ bytes: inout [UInt8], with other: [UInt8]?, _ random: inout SeededGenerator) {
        let words = words(bytes)
        guard !words.isEmpty else {
            bytes += other ?? []
            return
        }
        bytes.replaceSubrange(random.pick(words), with: other ?? Array(bytes[random.pick(words)]))
    }

    /// Swaps two words.
    private func swap(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        let words = words(bytes)
        guard words.count > 1 else { return }
        let pair = [random.pick(words), random.pick(words)].sorted { $0.lowerBound < $1.lowerBound }
        let (a, b) = (Array(bytes[pair[0]]), Array(bytes[pair[1]]))
        guard pair[0] != pair[1] else { return }
        bytes.replaceSubrange(pair[1], with: a)
        bytes.replaceSubrange(pair[0], with: b)
    }
}
