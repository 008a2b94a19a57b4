/// What the bearer of a token may be.
public enum Scope: String, CaseIterable, Sendable {
    /// A trusted service: everything, exactly.
    case service
    /// One person: own data, and of others what the rules of visibility let through.
    case person
}
