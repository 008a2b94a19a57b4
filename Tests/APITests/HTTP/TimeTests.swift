import API
import Model
import Testing

@Suite struct TimeTests {
    @Test(
        "Times follow RFC 3339",
        arguments: [
            ("2026-11-20T10:00:00Z", 1_795_168_800_000), ("2026-11-20T10:00:00.5Z", 1_795_168_800_500),
            ("2026-11-20t10:00:00.1236z", 1_795_168_800_124), ("2026-11-20 11:30:00+01:30", 1_795_168_800_000),
            ("2026-11-20T09:00:00-01:00", 1_795_168_800_000), ("1970-01-01T00:00:00Z", 0),
            ("2016-12-31T23:59:60Z", 1_483_228_800_000), ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
            ("2026-02-29T00:00:00Z", nil), ("2026-11-20T24:00:00Z", nil), ("2026-11-20T10:60:00Z", nil),
            ("2026-11-20T10:00:00", nil), ("2026-11-20T10:00:00Zjunk", nil), ("2026-11-20", nil),
            ("1969-12-31T23:59:59Z", nil),
            ("2026-11-20T10:00:00.Z", nil), ("2026-11-20T10:00Z", nil), ("٢٠٢٦-11-20T10:00:00Z", nil),
        ])
    func rfc3339(text: String, milliseconds: Int64?) {
        #expect(Timestamp(rfc3339: text)?.milliseconds == milliseconds)
    }

    @Test("Times round-trip") func roundTrip() {
        for (milliseconds, text) in [
            (Int64(1_795_168_800_000), "2026-11-20T10:00:00Z"), (1_795_168_800_007, "2026-11-20T10:00:00.007Z"),
            (951_782_399_999, "2000-02-28T23:59:59.999Z"), (951_782_400_000, "2000-02-29T00:00:00Z"),
        ] {
            #expect(Timestamp(milliseconds: milliseconds).rfc3339 == text)
            #expect(Timestamp(rfc3339: text)?.milliseconds == milliseconds)
        }
    }

    @Test("Numbers are seconds or milliseconds since 1970") func epochNumbers() {
        #expect(Timestamp(epoch: 1_795_168_800)?.milliseconds == 1_795_168_800_000)
        #expect(Timestamp(epoch: 1_795_168_800.5)?.milliseconds == 1_795_168_800_500)
        #expect(Timestamp(epoch: 1_795_168_800_123)?.milliseconds == 1_795_168_800_123)
        #expect(Timestamp(epoch: -1) == nil && Timestamp(epoch: 1e18) == nil && Timestamp(epoch: .nan) == nil)
    }
}
