/// A regular expression that is parsed and compiled once.
///
/// A literal in a function is parsed at each call, which costs many times the match.
package struct Pattern<Output>: RegexComponent, @unchecked Sendable {  // literals have no custom components
    package let regex: Regex<Output>

    package init(_ regex: Regex<Output>) { self.regex = regex }
}
