import Testing

/// The rooms (folders) whose types each room of a module names; a new dependency must be listed here.
///
/// Swift has no modules within a module, so `private` is the only other boundary.
@Suite struct RoomTests {
    private static let rooms = [
        "Discovery": """
        Catalog: Engine
        Engine: Catalog Events Geofencing People Privacy Replication Tracking
        Events: Engine
        Geofencing: Catalog Engine People Tracking
        People: Catalog Engine Privacy Tracking
        Privacy: Engine Events People Tracking
        Replication: Catalog Engine Events Geofencing People Privacy Tracking
        Tracking: Catalog Engine Geofencing People Privacy
        """,
        "Storage": """
        Comments: File Writer
        Events: File Rows Writer
        Favourites: File Writer
        Fences: File Rows Schema Writer
        File: Pings Rows Schema Text Writer
        Groups: File Writer
        History: File Pings Rows
        Maps:
        People: File Rows Schema Writer
        Pings: File Rows Schema Writer
        Places: File Rows Writer
        Rows: File Pings
        Schema:
        Shares: File Writer
        Sharing: File Rows Writer
        Strangers: File Pings Rows Writer
        Text: File Schema Writer
        Ties: File Rows Writer
        Webhooks: File Rows Writer
        Writer: File Pings Schema
        """,
    ]

    @Test("A room names only types of the rooms listed for it", arguments: rooms.keys.sorted())
    func dependencies(module: String) throws {
        let files = try SourceFile.all(in: "Sources/\(module)")
        let home = Dictionary(
            files.flatMap { file in file.types.map { ($0, file.room) } }, uniquingKeysWith: { first, _ in first })
        var named = Dictionary(uniqueKeysWithValues: Set(files.map(\.room)).map { ($0, Set<String>()) })
        for file in files {
            let others = file.names.compactMap { home[$0] }.filter { $0 != file.room }
            named[file.room]?.formUnion(others)
        }
        let table = named.sorted { $0.key < $1.key }.map { room, others in
            ([room + ":"] + others.sorted()).joined(separator: " ")
        }
        #expect(table.joined(separator: "\n") == Self.rooms[module])
    }
}
