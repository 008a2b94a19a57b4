// swift-tools-version: 6.2
import PackageDescription

/// The compiler settings of every target.
let gates: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// The compiler settings of tests, which a release build does not optimize, unlike the modules under test.
///
/// Optimizing them would take longer than running them.
let testGates = gates + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

let package = Package(
    name: "cerca",
    products: [
        .library(name: "Geo", targets: ["Geo"]),
        .library(name: "CercaClient", targets: ["CercaClient"]),
        .executable(name: "cerca", targets: ["cerca"]),
        .executable(name: "simulator", targets: ["Simulator"]),
        .executable(name: "bench", targets: ["Bench"]),
    ],
    traits: [
        .trait(name: "Cluster", description: "Several nodes on one log in NATS JetStream; needs libnats-dev.")
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-algorithms", exact: "1.2.1"),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
        .package(url: "https://github.com/apple/swift-configuration", exact: "1.4.0"),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", exact: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
        .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
        .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
        .package(url: "https://github.com/vapor/jwt-kit", exact: "5.7.1"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", exact: "0.2.0"),
    ],
    targets: [
        .systemLibrary(name: "CGeodesic", pkgConfig: "proj", providers: [.apt(["libproj-dev"])]),
        .systemLibrary(name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
        .systemLibrary(name: "CSpatiaLite", pkgConfig: "spatialite", providers: [.apt(["libspatialite-dev"])]),
        .systemLibrary(name: "CStemmer", providers: [.apt(["libstemmer-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        // Imported only with the trait, and not required otherwise.
        .systemLibrary(name: "CNATS", providers: [.apt(["libnats-dev"])]),
        .target(name: "Geo", dependencies: ["CGeodesic"], swiftSettings: gates),
        .target(
            name: "Cluster",
            dependencies: ["Structures", .target(name: "CNATS", condition: .when(traits: ["Cluster"]))],
            swiftSettings: gates),
        .target(
            name: "Structures", dependencies: [.product(name: "Algorithms", package: "swift-algorithms")],
            swiftSettings: gates),
        .target(
            name: "Meters", dependencies: [.product(name: "CoreMetrics", package: "swift-metrics")],
            swiftSettings: gates),
        .target(name: "Model", dependencies: ["CStemmer", "Geo"], swiftSettings: gates),
        .target(
            name: "Hours", dependencies: ["Model", .product(name: "Algorithms", package: "swift-algorithms")],
            swiftSettings: gates),
        .target(
            name: "Cities",
            dependencies: ["Model", "Geo", "GazetteerData", .product(name: "Algorithms", package: "swift-algorithms")],
            swiftSettings: gates),
        .target(
            name: "Normaliser",
            dependencies: ["Hours", "Cities", "Model", "Structures", "Geo", "GazetteerData"], swiftSettings: gates),
        .target(
            name: "Storage",
            dependencies: [
                "Model", "Meters", "Structures", "Geo", "CSpatiaLite",
                .product(name: "Algorithms", package: "swift-algorithms"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: gates),
        .target(
            name: "GazetteerData",
            // The assembler searches for the table there.
            cSettings: [.headerSearchPath("../../data")]),
        // The files of the pages at `/` and `/docs`.
        .target(name: "PageFiles", exclude: ["web", "swagger-ui", "examples.json"]),
        .target(
            name: "Discovery",
            dependencies: [
                "Storage", "Hours", "Cities", "Model", "Meters", "Structures", "Geo",
                .product(name: "Algorithms", package: "swift-algorithms"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HeapModule", package: "swift-collections"),
            ],
            swiftSettings: gates),
        .target(
            name: "Interchange",
            dependencies: [
                "Discovery", "Normaliser", "Storage", "Hours", "Cities", "Model", "Geo", "CLibXML2",
            ],
            swiftSettings: gates),
        .target(
            name: "Webhooks",
            dependencies: [
                "Interchange", "Discovery", "Model", "Meters", "Structures",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: gates),
        .target(
            name: "API",
            dependencies: [
                "Webhooks", "Interchange", "Discovery", "Normaliser", "Hours", "Cities", "Model", "Meters",
                "Structures", "Geo", "PageFiles", "CZlib",
                .product(name: "Algorithms", package: "swift-algorithms"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HummingbirdTLS", package: "hummingbird"),
                .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: gates),
        // The client library for other programs; it does not depend on the service.
        .target(
            name: "CercaClient",
            dependencies: [
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: gates),
        .target(name: "Laws", dependencies: ["Geo"], swiftSettings: gates),
        // Not the output of git for this folder, which SwiftPM caches as long as this file is unchanged.
        .target(
            name: "Commit",
            cSettings: [.define("CERCA_COMMIT", to: "\"\(Context.environment["CERCA_COMMIT"] ?? "")\"")]),
        .executableTarget(
            name: "cerca",
            dependencies: [
                "API", "Webhooks", "Interchange", "Discovery", "Normaliser", "Storage", "Cities", "Model", "Meters",
                "Geo", "CercaClient", "Cluster", "Commit",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "SystemPackage", package: "swift-system"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: gates),
        .executableTarget(
            name: "Simulator",
            dependencies: [
                "CercaClient", "Geo", "Laws",
                .product(name: "Algorithms", package: "swift-algorithms"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "HeapModule", package: "swift-collections"),
                .product(name: "Histogram", package: "hdrhistogram-swift"),
            ],
            swiftSettings: gates),
        .executableTarget(
            name: "Bench",
            dependencies: [
                // Not imported, but built with it: measurements start the program itself.
                "cerca", "Interchange", "Discovery", "Normaliser", "Storage", "Hours", "Cities", "Model", "Structures",
                "Geo", "Laws",
                .product(name: "Algorithms", package: "swift-algorithms"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Histogram", package: "hdrhistogram-swift"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: gates),
        .executableTarget(name: "IndexCount", dependencies: ["Geo", "Laws"], swiftSettings: gates),
        .target(
            name: "TestSupport",
            dependencies: [
                "Discovery", "Storage", "Cities", "Model", "Geo", .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Tests/TestSupport",
            swiftSettings: testGates),
        .testTarget(
            name: "StorageTests",
            dependencies: [
                "TestSupport", "Storage", "Model", "Geo", "Laws", .product(name: "GRDB", package: "GRDB.swift"),
            ],
            // The schema after each migration, for comparison in the tests.
            exclude: ["Migrations.sql"],
            swiftSettings: testGates),
        .testTarget(
            name: "DiscoveryTests",
            dependencies: [
                "TestSupport", "Discovery", "Storage", "Hours", "Cities", "Model", "Structures", "Geo", "Laws",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            // The expected log entry of each action.
            exclude: ["Engine/LoggedActions.txt"],
            swiftSettings: testGates),
        .testTarget(
            name: "InterchangeTests",
            dependencies: [
                "TestSupport", "API", "Interchange", "Discovery", "Normaliser", "Storage", "Hours", "Model", "Geo",
                "Laws",
            ],
            swiftSettings: testGates),
        .testTarget(
            name: "APITests",
            dependencies: [
                "TestSupport", "API", "Webhooks", "CercaClient", "Interchange", "Discovery", "Storage", "Hours",
                "Cities", "Model", "Meters", "Geo", "Laws",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            // Track files that the tests read.
            exclude: ["TrackFiles"],
            swiftSettings: testGates),
        .testTarget(
            name: "ProcessTests",
            dependencies: [
                // Not imported, but built with them: the tests start the programs themselves.
                "cerca", "Simulator", "API", "Geo", "Laws", "Model", "Storage",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
            ],
            // Databases of earlier schemas, a receiver of webhooks, and a library that sets the clock of a service.
            exclude: ["Schemas", "Receiver", "Replay/StillClock.c"],
            swiftSettings: testGates),
        .testTarget(
            name: "MetersTests", dependencies: ["Meters", .product(name: "CoreMetrics", package: "swift-metrics")],
            swiftSettings: testGates),
        .testTarget(
            name: "StructuresTests", dependencies: ["TestSupport", "Structures", "Geo", "Laws"],
            swiftSettings: testGates),
        .testTarget(
            name: "HoursTests", dependencies: ["TestSupport", "Hours", "Model", "Laws"], swiftSettings: testGates),
        .testTarget(
            name: "NormaliserTests", dependencies: ["TestSupport", "Normaliser", "Model"], swiftSettings: testGates),
        .testTarget(name: "ClusterTests", dependencies: ["Cluster"], swiftSettings: testGates),
        .testTarget(name: "CrowdTests", dependencies: ["Simulator", "Geo", "Laws"], swiftSettings: testGates),
        .testTarget(name: "HouseTests", swiftSettings: gates),
        .testTarget(name: "GeoTests", dependencies: ["Geo", "Laws"], swiftSettings: testGates),
    ],
    swiftLanguageModes: [.v6]
)
