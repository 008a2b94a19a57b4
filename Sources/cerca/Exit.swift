internal import ArgumentParser
internal import Foundation
import Model
internal import Storage

/// How a command ends when it cannot do its work: a message for people, a code of sysexits for programs.
enum Exit {
    static let usage: Int32 = 64
    static let data: Int32 = 65
    static let noInput: Int32 = 66
    static let unavailable: Int32 = 69
    static let software: Int32 = 70
    static let system: Int32 = 71
    static let cannotCreate: Int32 = 73
    static let inputOutput: Int32 = 74
    static let busy: Int32 = 75
    static let configuration: Int32 = 78

    /// Says what is wrong and ends the command.
    static func failing(_ message: String, _ code: Int32) -> ExitCode {
        FileHandle.standardError.write(Data("cerca: \(message)\n".utf8))
        return ExitCode(code)
    }

    /// What `body` returns; what it throws is wrong with the configuration.
    static func configured<Result>(_ body: () async throws -> Result) async throws -> Result {
        do { return try await body() } catch { throw failing("\(error)", configuration) }
    }

    static func failing(_ error: StorageError, _ folder: URL) -> ExitCode {
        switch error {
        case .inUse(let pid):
            failing(
                """
                \(folder.path) is in use by process \(pid.map(String.init) ?? "unknown"), probably a running service: stop it \
                first ('cerca import' and 'cerca export' can also ask it, with --url)
                """, busy)
        case .unreachable(let path, let reason): failing("\(path.isEmpty ? folder.path : path): \(reason)", inputOutput)
        case .occupied(let path): failing("\(path) is there already, or not empty; --force replaces it", cannotCreate)
        case .newerSchema(let found, let known):
            failing(
                "\(folder.path) has schema \(found), written by a later program; this one knows up to \(known)", data)
        case .full: failing("the disk of \(folder.path) is full", inputOutput)
        case .readOnly: failing("\(folder.path) may not be written", inputOutput)
        case .inputOutput(let code): failing("\(folder.path): the disk failed (SQLite \(code))", inputOutput)
        case .damaged(let reason): failing("\(folder.path) holds no sound database: \(reason)", data)
        case .overloaded: failing("more waits to be stored in \(folder.path) than can be", busy)
        case .locked: failing("the database in \(folder.path) is locked by another program", busy)
        case .constraint(let reason), .other(let reason): failing("\(folder.path): \(reason)", software)
        }
    }
}
