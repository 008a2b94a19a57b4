extension String {
    /// The maximum number of combining marks in a row in a text from outside (Unicode Standard Annex #15, Stream-Safe
    /// Text Format).
    package static let mostMarks = 30

    /// Whether the text has no longer row of combining marks.
    ///
    /// Swift normalizes a text to hash or compare it, and sorts each row of marks in quadratic time. Texts from outside
    /// are refused before that.
    ///
    /// - Complexity: O(bytes).
    package var isStreamSafe: Bool {
        if utf8.allSatisfy({ $0 < 0x80 }) { return true }
        var marks = 0
        for scalar in unicodeScalars {
            let isMark = scalar.value >= 0x300 && scalar.properties.canonicalCombiningClass != .notReordered
            marks = isMark ? marks + 1 : 0
            if marks > Self.mostMarks { return false }
        }
        return true
    }
}
