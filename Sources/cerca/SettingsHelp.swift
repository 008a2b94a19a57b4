extension Settings {
    /// The help text about the keys.
    static var help: String {
        let lines = keys.map { "  \($0.name) [\($0.standardText)]\n\(indented($0.help))" }
        return """
            Every key below can be set in the environment, as CERCA_ and its name in capitals with _ for dots \
            (CERCA_THROTTLE_DISTANCE_M), or in a JSON file, with an object for each level. The command line overrides the \
            environment, and the environment overrides the file. Defaults are in brackets.

            \(lines.joined(separator: "\n"))
            """
    }

    /// A text in lines that begin with six spaces and fit a terminal of 80 columns, so the parser does not rewrap them.
    private static func indented(_ text: String) -> String {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + word.count < 79 {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append("      \(word)")
            }
        }
        return lines.joined(separator: "\n")
    }
}
