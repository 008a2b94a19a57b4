/// The scope of a token.
public enum Scope: String, CaseIterable, Sendable {
    /// A trusted service: full access to exact data.
    case service
    /// A service that only reads: it sees what a service sees, except secrets, and changes nothing.
    case reader
    /// A person: their own data, and as much of others' data as the visibility rules permit.
    case person
}
