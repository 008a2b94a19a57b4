internal import ArgumentParser
internal import Foundation
import Model
internal import Storage

/// Errors that end a command, with a message for people and an exit code of sysexits.h for programs.
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
    static let noPermission: Int32 = 77
    static let configuration: Int32 = 78

    /// Prints an error and returns the exit code.
    static func failing(_ message: String, _ code: Int32) -> ExitCode {
        FileHandle.standardError.write(Data("cerca: \(message)\n".utf8))
        return ExitCode(code)
    }

    /// The result of `body`, whose errors are configuration errors.
    static func configured<Result>(_ body: () async throws -> Result) async throws -> Result {
        do { return try await body() } catch { throw failing("\(error)", configuration) }
    }

    static func failing(_ error: StorageError, _ folder: URL) -> ExitCode {
        failing(sentence(error, folder), code(of: error))
    }

    /// The remedy for a file written by a later version.
    static let downgradeRemedy = """
        Start the program that wrote it, or a later one; a file cannot be downgraded. To go back to this one, \
        restore a backup that it wrote, which lacks everything stored since.
        """

    /// How to open a file of a program before release 0.2.0.
    static let upgradeRemedy = "Start Cerca 0.2.0 on the folder once, which brings the file to schema 25."

    /// The message for an error of a folder's data.
    static func sentence(_ error: StorageError, _ folder: URL) -> String {
        switch error {
        case .inUse(let pid):
            """
            \(folder.path) is in use by process \(pid.map(String.init) ?? "unknown"), probably a running service: stop it \
            first ('cerca import' and 'cerca export' can also ask it, with --url)
            """
        case .unreachable(let path, let reason): "\(path.isEmpty ? folder.path : path): \(reason)"
        case .occupied(let path): "\(path) exists already, or is not empty; --force replaces it"
        case .newerSchema(let found, let known):
            "\(folder.path) has schema \(found), written by a later program; this one knows up to \(known). \(downgradeRemedy)"
        case .olderSchema(let found):
            "\(folder.path) has schema \(found), written by a program before release 0.2.0. \(upgradeRemedy)"
        case .full: "the disk of \(folder.path) is full"
        case .readOnly: "\(folder.path) cannot be written"
        case .inputOutput(let code): "\(folder.path): the disk failed (SQLite \(code))"
        case .damaged(let reason): "the database in \(folder.path) is damaged: \(reason)"
        case .overloaded: "too much is waiting to be stored in \(folder.path)"
        case .unanswered: "the log of actions does not answer"
        case .locked: "the database in \(folder.path) is locked by another program"
        case .constraint(let reason), .other(let reason): "\(folder.path): \(reason)"
        }
    }

    private static func code(of error: StorageError) -> Int32 {
        switch error {
        case .inUse, .overloaded, .unanswered, .locked: busy
        case .unreachable, .full, .readOnly, .inputOutput: inputOutput
        case .occupied: cannotCreate
        case .newerSchema, .olderSchema, .damaged: data
        case .constraint, .other: software
        }
    }
}
