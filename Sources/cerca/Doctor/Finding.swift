/// The result of one check of the doctor.
struct Finding: Encodable {
    /// The severity; the numbers are exit codes as monitoring programs expect them.
    enum State: String, Encodable, Comparable {
        case ok
        /// The service works, but not indefinitely or not as well as possible.
        case warning
        /// The service does not start, or does not work as it should.
        case fault

        private var rank: Int32 { self == .ok ? 0 : self == .warning ? 1 : 2 }
        var exitCode: Int32 { rank }
        static func < (a: Self, b: Self) -> Bool { a.rank < b.rank }
    }

    let subject: String
    let state: State
    let detail: String
    /// The remedy; nil if the check passed.
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

struct Findings: Encodable {
    let state: Finding.State
    let findings: [Finding]

    init(_ findings: [Finding]) {
        self.findings = findings
        state = findings.map(\.state).max() ?? .ok
    }
}
