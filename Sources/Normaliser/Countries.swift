internal import Foundation
internal import Model

enum Countries {
    /// Territories that addresses may name by the country to which they belong (ISO 3166-1 alpha-2).
    private static let families: [Set<String>] = [
        ["US", "PR", "GU", "VI", "AS", "MP", "UM"],
        ["GB", "JE", "GG", "IM", "GI", "BM", "KY", "TC", "VG", "AI", "MS", "FK", "SH", "IO", "PN"],
        ["FR", "GP", "MQ", "GF", "RE", "YT", "PM", "BL", "MF", "NC", "PF", "WF"], ["DK", "FO", "GL"],
        ["NL", "AW", "CW", "SX", "BQ"], ["CN", "HK", "MO"], ["FI", "AX"], ["NO", "SJ"], ["AU", "CX", "CC", "NF"],
    ]

    private static let states: Set<String> = Set(
        """
        AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA \
        RI SC SD TN TX UT VT VA WA WV WI WY PR GU VI AS MP
        """.split(separator: " ").map { $0.lowercased() }
            + """
            Alabama;Alaska;Arizona;Arkansas;California;Colorado;Connecticut;Delaware;District of Columbia;Florida;Georgia;\
            Hawaii;Idaho;Illinois;Indiana;Iowa;Kansas;Kentucky;Louisiana;Maine;Maryland;Massachusetts;Michigan;Minnesota;\
            Mississippi;Missouri;Montana;Nebraska;Nevada;New Hampshire;New Jersey;New Mexico;New York;North Carolina;\
            North Dakota;Ohio;Oklahoma;Oregon;Pennsylvania;Rhode Island;South Carolina;South Dakota;Tennessee;Texas;Utah;\
            Vermont;Virginia;Washington;West Virginia;Wisconsin;Wyoming;Puerto Rico
            """.split(separator: ";").map { $0.lowercased() })

    /// Codes by folded names in English and Spanish.
    private static let names: [String: String] = {
        var names = [
            "uk": "GB", "usa": "US", "u.s.": "US", "u.s.a.": "US", "england": "GB", "scotland": "GB", "wales": "GB",
        ]
        for language in ["en", "es"] {
            let locale = Locale(identifier: language)
            for region in Locale.Region.isoRegions where region.identifier.count == 2 {
                guard let name = locale.localizedString(forRegionCode: region.identifier) else { continue }
                names[PlainText.of(name)] = region.identifier
            }
        }
        return names
    }()

    /// The code of a country given by its code or name; nil for a text that is neither.
    static func code(_ text: String) -> String? {
        let folded = PlainText.of(text.trimmingCharacters(in: .whitespaces))
        return names[folded] ?? (folded.utf8.count == 2 ? folded.uppercased() : nil)
    }

    /// The United States for one of its states or territories, by name or abbreviation; nil for another text.
    static func code(ofState text: String) -> String? {
        states.contains(text.trimmingCharacters(in: .whitespaces).lowercased()) ? "US" : nil
    }

    /// The country and its territories, which addresses name interchangeably.
    static func family(of code: String) -> Set<String> { families.first { $0.contains(code) } ?? [code] }
}
