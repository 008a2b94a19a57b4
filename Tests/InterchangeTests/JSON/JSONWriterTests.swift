import Foundation
import Interchange
import Laws
import Testing

/// The JSON writer copies several bytes at a time; its output is the same as byte by byte.
@Suite struct JSONWriterTests {
    private func written(_ write: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter()
        write(&json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// Formats a number in units of 10^-decimals, slowly.
    private func expected(_ number: Int64, decimals: Int) -> String {
        let digits = String(number.magnitude)
        let whole = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
        var text = "\(whole.dropLast(decimals)).\(whole.suffix(decimals))"
        while text.hasSuffix("0") { text.removeLast() }
        return (number < 0 ? "-" : "") + (text.hasSuffix(".") ? String(text.dropLast()) : text)
    }

    @Test("Numbers have exactly the digits they need") func minimalDigits() {
        var random = SeededGenerator(seed: 1)
        var numbers: [Int64] = [0, 1, -1, 9, 10, -10, 100, .max, .min, 1_000_000_000, -1_800_000_000]
        for _ in 0..<RandomCases.count(2000, all: 20_000) {
            numbers.append(Int64.random(in: .min ... .max, using: &random) >> random.integer(0...62))
        }
        for number in numbers {
            for decimals in [0, 1, 3, 7, 19] {
                #expect(written { $0.value(number, decimals: decimals) } == expected(number, decimals: decimals))
            }
            #expect(written { $0.value(number) } == String(number))
        }
    }

    @Test("Texts of any length round-trip") func texts() throws {
        var random = SeededGenerator(seed: 1)
        for length in 0...140 {
            for pieces in [["a"], ["a", "\"", "b", "\\", "\n", "\u{1f}", "\u{7f}", "é", "🍊"]] {
                let name = (0..<length).map { _ in random.pick(pieces) }.joined()
                let text = (0..<length).map { _ in random.pick(pieces) }.joined()
                let bytes = JSONWriter.object { json in
                    json.member(name, text)
                    json.member("z", Int64(1))
                    json.member("list") { json in json.list([text, text]) { $0.value($1) } }
                }
                let read = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
                #expect(read?[name] as? String == text, "\(length)")
                #expect(read?["list"] as? [String] == [text, text], "\(length)")
                #expect(read?["z"] as? Int == 1)
            }
        }
    }
}
