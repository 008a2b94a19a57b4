internal import ArgumentParser
internal import CercaClient
internal import Foundation

extension RunningService {
    /// Maximum number of times a file is sent to a service that responds with a time to retry.
    private static let mostTries = 10

    /// Loads files in order by an import of a kind; standard input can be read only once.
    ///
    /// `mediaType` returns the media type for a file name.
    func load(
        _ files: [String], _ kind: String, _ parameters: [(String, String)], _ verbosity: FileReport.Verbosity,
        _ mediaType: (String) -> String
    ) async throws -> [FileReport] {
        let query = parameters.map { name, value in
            "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")"
        }
        var request = CercaClient.Request(
            .POST, "/v1/imports/\(kind)" + (query.isEmpty ? "" : "?" + query.joined(separator: "&")))
        return try await withClient { client in
            var reports: [FileReport] = []
            for file in files {
                request.type = mediaType(file)
                let report = try await load(file, request, client, isQuiet: verbosity.isQuiet)
                reports.append(try FileReport(file, json: report, verbosity))
            }
            return reports
        }
    }

    private func load(
        _ file: String, _ request: CercaClient.Request, _ client: CercaClient, isQuiet: Bool, tries: Int = mostTries
    ) async throws -> String {
        let pieces = try FilePieces(file)
        var request = request
        if pieces.isGzip { request.headers["content-encoding"] = "gzip" }
        let upload = Upload(file: file, isQuiet: isQuiet, pieces: pieces)
        do {
            return String(decoding: try await client.upload(request, upload), as: UTF8.self)
        } catch let error as CercaError {
            guard error.status == 429, tries > 1, file != FilePieces.standardInput, let wait = error.retryAfter,
                wait <= .seconds(3600)
            else {
                throw failing(error, file)
            }
            try await Task.sleep(for: wait)
            return try await load(file, request, client, isQuiet: isQuiet, tries: tries - 1)
        }
    }
}

/// A file as a request body, with progress.
private struct Upload: AsyncSequence, Sendable {
    let file: String
    let isQuiet: Bool
    let pieces: FilePieces

    func makeAsyncIterator() -> Iterator { Iterator(pieces: pieces, progress: Progress(file, isQuiet: isQuiet)) }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate var pieces: FilePieces
        fileprivate var progress: Progress

        mutating func next() async throws -> Data? {
            guard let piece = try pieces.next()?.get() else {
                progress.end()
                return nil
            }
            progress.advance(by: piece.count)
            return piece
        }
    }
}
