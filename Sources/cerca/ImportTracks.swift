internal import API
internal import ArgumentParser
internal import Discovery
internal import Foundation
internal import Interchange
internal import Model
internal import Storage

/// `cerca import tracks`: loads files of one person's positions.
extension ImportCommand {
    /// - Throws: an error of the arguments.
    func validateTracks() throws {
        guard format == nil else { throw ValidationError("--format is not for tracks: it is detected.") }
        guard let person else { throw ValidationError("Tracks belong to one person: --person ID is required.") }
        guard (try? PersonID(person)) != nil else {
            throw ValidationError("--person: an id has 1 to \(PersonID.longest) printable ASCII characters, no space.")
        }
        guard (device ?? "").utf8.count <= 255 else { throw ValidationError("--device has at most 255 bytes.") }
    }

    /// Loads the files in order.
    func loadTracks() async throws -> [FileReport] {
        let person = try PersonID(person ?? "")
        guard let service = try remote.service else { return try await loadTracks(of: person) }
        let parameters = dryRunParameters + [("person", person.text)] + (device.map { [("device", $0)] } ?? [])
        return try await service.load(files, "tracks", parameters, verbosity) { file in
            TrackFormat.mediaType(of: TrackFormat(fileName: file))
        }
    }

    private func loadTracks(of person: PersonID) async throws -> [FileReport] {
        // Without a database the person cannot exist, so none is created.
        if !dryRun { _ = try await place.file }
        return try await loadIntoFolder(await place.settings(place.flags)) { file, engine in
            try await loadTrack(file, of: person, into: engine)
        }
    }

    private func loadTrack(_ file: String, of person: PersonID, into engine: Engine?) async throws -> FileReport {
        var session: TrackSession
        do {
            session = try TrackSession(
                person: person, device: device ?? "", format: TrackFormat(fileName: file), into: engine,
                received: Clock.now(), isAlone: true,
                by: .service, now: Clock.now)
        } catch { throw Exit.failing(ImportSession.sentence(for: error), Exit.data) }
        do {
            try await read(file) { piece in
                try await session.read(Array(piece))
                return !session.isBroken
            }
            return try FileReport(file, json: await session.finish().json, verbosity)
        } catch {
            let reason = await session.end(because: error)
            throw Exit.failing("\(file): \(ImportSession.sentence(for: reason))", Exit.data)
        }
    }
}
