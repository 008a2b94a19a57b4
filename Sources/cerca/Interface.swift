internal import API
internal import Cities
internal import Discovery
internal import Foundation
internal import Logging
internal import Storage

/// The description of the HTTP interface.
enum Interface {
    /// Reads it from a server over an empty file, which is never started.
    static func read<Value>(_ body: (Server) throws -> Value) throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appending(path: "cerca-interface-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let engine = try Engine(store: try Store(folder: folder), gazetteer: Gazetteer(), rules: PingRules())
        return try body(
            Server(
                engine: engine, keys: nil, cursorSecret: [UInt8](repeating: 0, count: 32), configuration: .init(),
                logger: Logger(label: "cerca"), now: Clock.now))
    }
}
