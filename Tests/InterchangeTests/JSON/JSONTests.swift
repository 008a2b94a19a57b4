import Foundation
import Interchange
import Laws
import Testing

/// The JSON parser, compared with Foundation's.
@Suite struct JSONTests {
    /// Foundation's result, or nil if Foundation refuses the text.
    private func judged(_ bytes: [UInt8]) -> JSON? {
        (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)).flatMap(value)
    }

    private func value(_ object: Any) -> JSON? {
        switch object {
        case let text as String: return .text(text)
        case let members as [String: Any]: return .object(members.compactMapValues(value))
        case let list as [Any]: return .list(list.compactMap(value))
        case is NSNull: return .null
        // Foundation stores Booleans as numbers of C type `char`. No other number has that type.
        case let number as NSNumber:
            return number.objCType.pointee == 0x63 ? .flag(number.boolValue) : .number(number.doubleValue)
        default: return nil
        }
    }

    /// The value with rounded numbers, because Foundation is off by some units in the last place.
    private func rounded(_ json: JSON) -> JSON {
        switch json {
        case .number(let number): .number(Double(Float(number)))
        case .list(let items): .list(items.map(rounded))
        case .object(let members): .object(members.mapValues(rounded))
        case .null, .flag, .text: json
        }
    }

    @Test("Numbers are parsed as exactly as by Swift") func numbers() throws {
        for (index, seed) in RandomCases.seeds(0..<20_000).enumerated() {
            var random = SeededGenerator(seed: seed)
            let digits = (0...random.integer(0...20)).map { _ in String(random.integer(1...9)) }.joined()
            let number = [digits, "-\(abs(random.normal()) * 1e6)", "0.\(digits)", "0.\(digits)e-5"][index % 4]
            #expect(try JSONText.value(of: Array(number.utf8)) == .number(try #require(Double(number))), "\(number)")
        }
    }

    /// Whether the text has an error that Foundation accepts: a comma after the last item of a list, or a number out of
    /// range in a repeated member, which Foundation never reads.
    private func isTakenByFoundationOnly(_ bytes: [UInt8]) -> Bool {
        let bare = String(decoding: bytes, as: UTF8.self).replacing(#/"(?:[^"\\]|\\.)*"/#, with: "\"\"")
        return bare.contains(#/,[ \t\r\n]*\]/#)
            || bare.matches(of: #/[-+.0-9eE]+/#).contains { Double($0.output)?.isInfinite ?? false }
    }

    /// Tokens of JSON, and some that are almost tokens.
    private static let pieces = [
        "{", "}", "[", "]", ",", ":", "\"", "\\", "\"a\"", "\"b\":", "\"\\u00e9\"", "\"\\ud83d\\ude00\"", "\"\\ud800\"",
        "\"\\n\"",
        "\"é\"", "0", "1", "-1", "01", "1.", "1.5", ".5", "-", "+1", "1e5", "1E-3", "1e", "-0", "12345678901234567890",
        "0.1234567890123456789", "1e308", "1e400", "true", "false", "null", "tru", "nul", "NaN", " ", "\n", "\t",
        "\u{1}", "/",
        "\"\\x\"", "\"\\u12\"", "\"\\u+123\"",
    ]

    private func written(_ random: inout SeededGenerator, _ depth: Int = 0) -> String {
        let space = random.chance(0.1) ? " " : ""
        switch random.integer(0...(depth > 4 ? 3 : 6)) {
        case 0:
            return space + random.pick(["true", "false", "null", "0", "-0", "12", "-3.25", "1e3", "9007199254740993"])
        case 1: return "\(random.normal() * 1000)"
        case 2:
            return
                "\"\(random.pick(["", "a", "é", "\\\"", "\\\\", "\\/", "\\u0041", "\\ud83d\\ude00", "a b", "\\t"]))\""
        case 3: return random.pick(["[]", "{}", "[ ]", "{ }"])
        case 4, 5:
            return "[" + (0...random.integer(0...4)).map { _ in written(&random, depth + 1) }.joined(separator: ",")
                + space
                + "]"
        default:
            let members = (0...random.integer(0...4)).map { _ in
                "\"\(random.pick(["a", "b", "c", "\\u0061"]))\"\(space):" + written(&random, depth + 1)
            }
            return "{" + members.joined(separator: "," + space) + "}"
        }
    }

    /// Random text that is JSON or almost JSON.
    private func text(_ random: inout SeededGenerator) -> [UInt8] {
        if random.chance(0.3) {
            return (0...random.integer(0...6)).flatMap { _ in Array(random.pick(Self.pieces).utf8) }
        }
        var bytes = Array(written(&random).utf8)
        for _ in 0..<random.integer(0...2) {
            let place = random.integer(0...bytes.count - 1)
            switch random.integer(0...3) {
            case 0: bytes.insert(contentsOf: random.pick(Self.pieces).utf8, at: place)
            case 1: bytes.remove(at: place)
            case 2: bytes[place] = UInt8(random.integer(1...255))
            default: bytes.removeLast(bytes.count - place)
            }
            if bytes.isEmpty { return bytes }
        }
        return bytes
    }

    @Test("Foundation reads the same values and refuses the same texts") func foundation() {
        for seed in RandomCases.seeds(0..<20_000) {
            var random = SeededGenerator(seed: seed)
            let bytes = text(&random)
            let (read, judged) = (try? JSONText.value(of: bytes), judged(bytes))
            if read == nil, judged != nil, isTakenByFoundationOnly(bytes) { continue }
            #expect(
                read.map(rounded) == judged.map(rounded), "seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
        }
    }

    @Test(
        "Invalid JSON is refused with the position of its error",
        arguments: [
            ("[01]", "has no ',' or ']'", 2), ("[1.]", "has a value that is not JSON", 1),
            ("[+1]", "has a value that is not JSON", 1), ("[.5]", "has a value that is not JSON", 1),
            ("\"\u{1}\"", "has a control character in a string", 1),
            ("\"\n\"", "has a control character in a string", 1),
            ("\"\\n\u{1}\"", "has a control character in a string", 3),
            ("[1e999]", "has a number that is too large", 1),
            ("[1,]", "has a value that is not JSON", 3), ("{\"a\":1,}", "has a member without a name", 7),
            ("1 2", "has more after its end", 2), ("", "ends early", 0),
        ])
    func errors(text: String, detail: String, byte: Int) {
        let fault = #expect(throws: JSONText.Fault.self) { try JSONText.value(of: Array(text.utf8)) }
        #expect(fault?.detail == detail)
        #expect(fault?.byte == byte)
    }

    @Test("The limits on values and depth apply while values are read") func limits() throws {
        let list = "[" + Array(repeating: "{}", count: 9).joined(separator: ",") + "]"
        #expect(throws: Never.self) { try JSONText.value(of: Array(list.utf8), atMost: 10) }
        let fault = #expect(throws: JSONText.Fault.self) { try JSONText.value(of: Array(list.utf8), atMost: 9) }
        #expect(fault?.isTooMuch == true)
        #expect(fault?.byte == list.utf8.count - 3, "the last value is not read any more")
        let deep = String(repeating: "[", count: 65)
        let tooDeep = #expect(throws: JSONText.Fault.self) { try JSONText.value(of: Array(deep.utf8)) }
        #expect(tooDeep?.detail == "has values nested more than 64 deep")
    }
}
