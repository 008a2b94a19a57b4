internal import Foundation
internal import Model

/// Which kinds of places people may make; services may make all.
///
/// Kinds are compared as filters compare them, whatever their capitals and accents.
public struct PlaceKinds: Hashable, Sendable, CustomStringConvertible {
    /// Stands for every kind that need not be named.
    private static let any = "*"
    /// The kind that has to be named: whoever searches for stores takes what is found for one.
    private static let store = "store"

    private let names: [String]

    /// The kinds of a list that is separated by commas, in which `*` is any kind but `store`; none if it is empty.
    public init(_ list: String = "*") {
        names = list.split(separator: ",").map { PlainText.of($0.trimmingCharacters(in: .whitespaces)) }
            .filter { !$0.isEmpty }
    }

    /// Whether places of a kind are among them.
    public func contains(_ kind: String) -> Bool {
        let kind = PlainText.of(kind)
        return names.contains(kind) || kind != Self.store && names.contains(Self.any)
    }

    /// The kinds as a sentence names them.
    public var description: String {
        let named = names.filter { $0 != Self.any }.map { "'\($0)'" }
        guard names.contains(Self.any) else { return named.isEmpty ? "no kind" : named.joined(separator: ", ") }
        return contains(Self.store) ? "any kind" : "any kind but '\(Self.store)'"
    }
}
