import API
import Foundation
import Laws
import Testing

/// Fast percent decoding of query values, compared with Foundation's slower one.
@Suite struct PercentEncodingTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let times =
        environment["CERCA_FUZZ_TIMES"].flatMap(Int.init) ?? RandomCases.count(10_000, all: 100_000)
    private static let seed = environment["CERCA_FUZZ_SEED"].flatMap(UInt64.init) ?? 0
    /// Parts of values: digits with and without `%`, and complete and broken bytes of longer characters.
    private static let pieces = [
        "%", "+", "%2", "%2B", "%2b", "%g0", "%0g", "%00", "%25", "%41", "%C3%A9", "%c3", "%e2%82%ac", "%ed%a0%80",
        "%f0%9f%8d%8a", "%f8", "%C0%80", "a", "lat", "39.4699", "é", "🍊", "e\u{301}", "%%", "% 1", "%+1", "%-1",
    ]

    /// Foundation's result.
    private func expected(_ text: String) -> String? {
        text.replacing("+", with: " ").removingPercentEncoding
    }

    @Test("Values are decoded as by Foundation") func foundation() throws {
        var random = SeededGenerator(seed: Self.seed)
        var (right, wrong) = (0, 0)
        for time in 0..<Self.times {
            let text = (0..<random.integer(0...6)).map { _ in random.pick(Self.pieces) }.joined()
            let reported = PercentEncoding.decoded(Array(text.utf8)[...])
            let expected = expected(text)
            // Equal texts may have different bytes.
            try #require(reported.map { Array($0.utf8) } == expected.map { Array($0.utf8) }, "\(time): '\(text)'")
            if expected == nil { wrong += 1 } else { right += 1 }
        }
        #expect(right > Self.times / 10 && wrong > Self.times / 10)
    }
}
