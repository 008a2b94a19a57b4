internal import Foundation
internal import Model

/// The kinds of places that people may create; services may create all.
///
/// Kinds are compared like in filters, ignoring case and accents.
public struct PlaceKinds: Hashable, Sendable, CustomStringConvertible {
    /// The wildcard for all kinds except those that must be listed.
    private static let any = "*"
    /// The kind that must be listed, because customers trust the stores that a search returns.
    private static let store = "store"

    private let names: [String]

    /// Parses a comma-separated list of kinds, in which `*` is any kind except `store`; an empty list allows none.
    public init(_ list: String = "*") {
        names = list.split(separator: ",").map { PlainText.of($0.trimmingCharacters(in: .whitespaces)) }
            .filter { !$0.isEmpty }
    }

    /// Whether people may create places of a kind.
    public func contains(_ kind: String) -> Bool {
        let kind = PlainText.of(kind)
        return names.contains(kind) || kind != Self.store && names.contains(Self.any)
    }

    /// The kinds as a phrase in a sentence.
    public var description: String {
        let named = names.filter { $0 != Self.any }.map { "'\($0)'" }
        guard names.contains(Self.any) else { return named.isEmpty ? "no kind" : named.joined(separator: ", ") }
        return contains(Self.store) ? "any kind" : "any kind except '\(Self.store)'"
    }
}
