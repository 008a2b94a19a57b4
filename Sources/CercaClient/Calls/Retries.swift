extension CercaClient {
    /// How often a request is sent again that may be repeated, after an error that may pass: ``CercaError/isTransient``.
    public struct Retries: Hashable, Sendable {
        /// How often a request is sent, at most, with the first time.
        public var most: Int
        /// How long is waited after the first time; each time twice as long, and at random up to half less.
        public var first: Duration
        /// How long is waited at most.
        ///
        /// If the service asks for more, the error is thrown at once.
        public var longest: Duration

        /// Four times at most, after about 0.2, 0.4 and 0.8 seconds, or when `Retry-After` says.
        public init(most: Int = 4, first: Duration = .milliseconds(200), longest: Duration = .seconds(30)) {
            self.most = most
            self.first = first
            self.longest = longest
        }

        /// Each request is sent once.
        public static let none = Retries(most: 1)

        /// How long to wait after so many tries; nil if no more are to be made.
        func pause(after tries: Int, atLeast asked: Duration?) -> Duration? {
            guard tries < most, asked ?? .zero <= longest else { return nil }
            let usual = min(longest, first * (1 << min(tries - 1, 20)))
            // Those who were turned away together do not come back together.
            return (asked ?? .zero) + usual * Double.random(in: 0.5...1)
        }
    }
}
