import Testing

/// Rules for the sources as a whole, with their exceptions.
@Suite struct HouseTests {
    /// The modules that each module imports, except for Swift's own.
    private static let imports: [String: Set<String>] = [
        "Geo": ["CGeodesic"],
        "Cluster": ["CNATS", "Structures"],
        "Meters": ["CoreMetrics"],
        "Structures": ["Algorithms"],
        "Model": ["CStemmer", "Geo"],
        "Hours": ["Algorithms", "Geo", "Model"],
        "Cities": ["Algorithms", "GazetteerData", "Geo", "Model"],
        "Normaliser": ["Cities", "GazetteerData", "Geo", "Hours", "Model", "Structures"],
        "Storage": [
            "Algorithms", "CSpatiaLite", "CoreMetrics", "DequeModule", "GRDB", "Geo", "Meters", "Model", "Structures",
        ],
        "Discovery": [
            "Algorithms", "Cities", "CoreMetrics", "DequeModule", "Geo", "HeapModule", "Hours", "Meters", "Model",
            "Storage", "Structures",
        ],
        "Interchange": ["CLibXML2", "Cities", "Discovery", "Geo", "Hours", "Model", "Normaliser", "Storage"],
        "API": [
            "Algorithms", "CZlib", "Cities", "CoreMetrics", "Crypto", "DequeModule", "Discovery",
            "Geo", "HTTPTypes",
            "Hours",
            "Hummingbird",
            "HummingbirdCore",
            "HummingbirdTLS", "Interchange", "JWTKit", "Logging", "Meters", "Model", "NIOCore", "NIOHTTP1",
            "NIOHTTPTypes", "NIOPosix",
            "NIOSSL", "Normaliser", "PageFiles", "ServiceLifecycle", "Structures", "Webhooks",
        ],
        "Webhooks": [
            "AsyncHTTPClient", "CoreMetrics", "Crypto", "DequeModule", "Discovery", "Interchange", "Logging", "Meters",
            "Model", "NIOCore", "NIOHTTP1", "NIOSSL", "Structures",
        ],
        "cerca": [
            "API", "ArgumentParser", "AsyncHTTPClient", "CercaClient", "Cities", "Cluster", "Commit", "Configuration",
            "Discovery", "Geo", "Interchange",
            "Logging", "Meters", "Model", "NIOCore", "NIOSSL", "Normaliser", "ServiceLifecycle", "Storage",
            "SystemPackage", "UnixSignals", "Webhooks",
        ],
        "CercaClient": ["AsyncHTTPClient", "NIOCore", "NIOHTTP1", "NIOPosix", "NIOSSL"],
        "Laws": ["Geo"],
        "Simulator": [
            "Algorithms", "ArgumentParser", "AsyncHTTPClient", "CercaClient", "Geo", "HeapModule", "Histogram", "Laws",
        ],
    ]

    private static let ofSwift: Set = ["Dispatch", "Foundation", "FoundationXML", "Glibc", "Synchronization"]

    @Test("A module imports only the listed modules", arguments: imports.keys.sorted())
    func importsAreListed(module: String) throws {
        let used = try SourceFile.all(in: "Sources/\(module)").reduce(into: Set<String>()) { $0.formUnion($1.imports) }
        #expect(used.subtracting(Self.ofSwift) == Self.imports[module])
    }

    /// Number of unchecked promises to the compiler in each file; the line of each explains why it holds.
    private static let promises = [
        "Sources/API/HTTP/BodyStream.swift": 1,
        "Sources/API/HTTP/StreamedBody.swift": 1,
        "Sources/Cluster/Connection.swift": 1,
        "Sources/Cluster/Inbox.swift": 1,
        "Sources/Interchange/Tracks/GPXReader.swift": 1,
        "Sources/Bench/Scheme.swift": 1,
        "Sources/Structures/LeftRight.swift": 1,
        "Sources/Discovery/Engine/Engine.swift": 3,
        "Sources/Discovery/Engine/UniqueBox.swift": 1,
        "Sources/Geo/Geodesic.swift": 1,
        "Sources/Model/BoxedIfNonDefault.swift": 1,
        "Sources/Model/Pattern.swift": 1,
        "Sources/Geo/Grid.swift": 1,
        "Sources/cerca/Progress.swift": 1,
    ]

    @Test("Every unchecked promise to the compiler is listed") func uncheckedPromises() throws {
        let found = try SourceFile.all(in: "Sources").map { file in
            (
                file.path,
                file.count(of: #/@unchecked|nonisolated\(unsafe\)|\bunowned\b|try!|as! |\bfatalError\b|unsafeBitCast/#)
            )
        }
        #expect(Dictionary(uniqueKeysWithValues: found.filter { $0.1 > 0 }) == Self.promises)
    }

    /// Number of preconditions, which end the process on an impossible input; it may fall but not rise.
    private static let mostTraps = 40

    @Test("The number of preconditions does not rise") func preconditions() throws {
        let traps = try SourceFile.all(in: "Sources").reduce(0) { $0 + $1.count(of: #/\bprecondition(?:Failure)?\(/#) }
        #expect(traps <= Self.mostTraps)
        #expect(traps > Self.mostTraps - 5, "fewer: write the new number down")
    }

    @Test("Every action can be written to the log") func loggedActions() throws {
        let sources = try SourceFile.all(in: "Sources")
        let declared = sources.flatMap { $0.lines }.compactMap { (line: Substring) -> String? in
            guard line.contains("Action") || line.contains("Deletion") else { return nil }
            return line.firstMatch(
                of: #/(?:struct|enum|class|extension) (\w+): (?:\w+, )*(?:Action|GroupAction|Deletion)\b/#
            ).map { String($0.1) }
        }
        let log = try #require(sources.first { $0.path == "Sources/Discovery/Replication/LogEntry.swift" })
        let listed = log.lines.prefix { !$0.contains("let named") }.flatMap { $0.matches(of: #/(\w+)\.self/#) }
        #expect(declared.sorted() == listed.map { String($0.1) })
    }

    /// Files of more than 300 lines, with their maximum length.
    private static let longFiles = [
        "Tests/DiscoveryTests/Geofencing/FenceTests.swift": 303,
        "Tests/DiscoveryTests/Privacy/Strangers/StrangerTests.swift": 308,
        "Tests/ProcessTests/DoctorTests.swift": 315,
    ]

    @Test("Files have at most 300 lines", arguments: ["Sources", "Tests"]) func filesAreShort(folder: String) throws {
        for file in try SourceFile.all(in: folder) {
            #expect(file.length <= Self.longFiles[file.path, default: 300], "\(file.path)")
        }
    }

    /// Functions of more than 40 lines, with their maximum length.
    private static let longFunctions = [
        "Sources/API/HTTP/ProblemMapping.swift init(": 59,
        "Sources/API/HTTP/Server.swift init(": 60,
        "Sources/Bench/ScaleBench.swift func measure": 42,
        "Sources/Hours/HoursParser.swift init(": 68,
        "Sources/Normaliser/SizeText.swift init(": 41,
        "Sources/Simulator/Reporting/Report.swift init(": 44,
    ]

    @Test("Functions have at most 40 lines") func functionsAreShort() throws {
        for file in try SourceFile.all(in: "Sources") {
            for function in file.functions {
                let most = Self.longFunctions["\(file.path) \(function.name)", default: 40]
                #expect(function.length <= most, "\(file.path) \(function.name)")
            }
        }
    }
}
