/// What the doctor says of one thing.
struct Finding: Encodable {
    /// How bad it is; the numbers are exit codes, as programs that watch others read them.
    enum State: String, Encodable, Comparable {
        /// As it should be.
        case ok
        /// It works, and will not for ever, or not as well as it could.
        case warning
        /// The service does not start, or does not do what it should.
        case fault

        private var rank: Int32 { self == .ok ? 0 : self == .warning ? 1 : 2 }
        var exitCode: Int32 { rank }
        static func < (a: Self, b: Self) -> Bool { a.rank < b.rank }
    }

    let subject: String
    let state: State
    let detail: String
    /// What to do about it; nil if all is well.
    let remedy: String?

    static func ok(_ subject: String, _ detail: String) -> Finding {
        Finding(subject: subject, state: .ok, detail: detail, remedy: nil)
    }

    static func warning(_ subject: String, _ detail: String, _ remedy: String) -> Finding {
        Finding(subject: subject, state: .warning, detail: detail, remedy: remedy)
    }

    static func fault(_ subject: String, _ detail: String, _ remedy: String) -> Finding {
        Finding(subject: subject, state: .fault, detail: detail, remedy: remedy)
    }
}

/// All that the doctor found.
struct Findings: Encodable {
    let state: Finding.State
    let findings: [Finding]

    init(_ findings: [Finding]) {
        self.findings = findings
        state = findings.map(\.state).max() ?? .ok
    }
}
