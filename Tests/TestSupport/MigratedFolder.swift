package import Foundation
internal import GRDB
internal import Storage

/// An empty database of the newest schema, made once per process because migrations take longer than most tests.
private let template: Data = {
    let folder = FileManager.default.temporaryDirectory.appending(path: "cerca-test-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    do {
        try Store(folder: folder).close()
        return try Data(contentsOf: folder.appending(path: Store.fileName))
    } catch { preconditionFailure("no empty database can be made: \(error)") }
}()

/// Puts an empty database of the newest schema into a folder without one; `secret` is the byte of its secrets.
package func migrate(_ folder: URL, secret: UInt8? = nil) throws {
    let file = folder.appending(path: Store.fileName)
    guard !FileManager.default.fileExists(atPath: file.path) else { return }
    try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try template.write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    let database = try DatabaseQueue(path: file.path)
    try database.write { db in
        guard let secret else { return try db.execute(sql: "UPDATE secrets SET value = randomblob(32)") }
        try db.execute(sql: "UPDATE secrets SET value = ?", arguments: [Data(repeating: secret, count: 32)])
    }
    try database.close()
}

/// Gives `body` a folder with an empty database of the newest schema, which is then removed.
package func withMigratedFolder<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
    try await withFolder { folder in
        try migrate(folder)
        return try await body(folder)
    }
}
