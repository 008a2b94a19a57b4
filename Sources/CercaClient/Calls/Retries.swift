extension CercaClient {
    /// How repeatable requests are retried after a transient error (``CercaError/isTransient``).
    public struct Retries: Hashable, Sendable {
        /// Maximum number of attempts, including the first.
        public var most: Int
        /// The pause after the first attempt, doubled after each further one, and randomly shortened by up to half.
        public var first: Duration
        /// Maximum pause.
        ///
        /// If the service requires a longer one, the error is thrown immediately.
        public var longest: Duration

        /// At most four attempts with pauses of about 0.2, 0.4 and 0.8 seconds, in addition to `Retry-After`.
        public init(most: Int = 4, first: Duration = .milliseconds(200), longest: Duration = .seconds(30)) {
            self.most = most
            self.first = first
            self.longest = longest
        }

        /// A single attempt.
        public static let none = Retries(most: 1)

        /// The pause after a number of attempts; nil if there are no more.
        func pause(after tries: Int, atLeast asked: Duration?) -> Duration? {
            guard tries < most, asked ?? .zero <= longest else { return nil }
            let usual = min(longest, first * (1 << min(tries - 1, 20)))
            // Random jitter, so that clients rejected together do not return together.
            return (asked ?? .zero) + usual * Double.random(in: 0.5...1)
        }
    }
}
