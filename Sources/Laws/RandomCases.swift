internal import Glibc

/// Selects the random cases that a test runs.
///
/// `CERCA_TEST_CASES=all` runs every case. Otherwise each test runs a tenth, and `CERCA_TEST_DRAW`, a number that is
/// different for each commit, decides which tenth. So every case of an everyday run is also a case of the full run.
public enum RandomCases {
    /// An everyday run takes one case in this many.
    public static let everyday: UInt64 = 10

    /// Whether every case runs.
    public static let runsAll = environment("CERCA_TEST_CASES") == "all"

    private static let draw = environment("CERCA_TEST_DRAW").flatMap { UInt64($0) } ?? 0

    private static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// The seeds of this run, at least one.
    public static func seeds(_ all: Range<UInt64>) -> [UInt64] {
        guard !runsAll else { return Array(all) }
        let first = draw % min(everyday, UInt64(all.count))
        return Array(stride(from: all.lowerBound + first, to: all.upperBound, by: Int(everyday)))
    }

    /// The number of cases of this run, or their size: `everyday`, or `all` in the full run.
    public static func count(_ everyday: Int, all: Int) -> Int { runsAll ? all : everyday }
}
