internal import ArgumentParser
internal import CercaClient
internal import Foundation

extension RunningService {
    /// How often a file is sent to a service that says when it takes requests again.
    private static let mostTries = 10

    /// Loads files by an import of a kind, as its parameters say, one after the other; `mediaType` is that of a file by its
    /// name.
    func load(
        _ files: [String], _ kind: String, _ parameters: [(String, String)], _ telling: FileReport.Telling,
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
                let upload = Upload(file: file, isQuiet: telling.isQuiet)
                reports.append(try FileReport(file, json: try await load(upload, request, client), telling))
            }
            return reports
        }
    }

    private func load(
        _ upload: Upload, _ request: CercaClient.Request, _ client: CercaClient, tries: Int = mostTries
    ) async throws -> String {
        do { return String(decoding: try await client.upload(request, upload), as: UTF8.self) } catch let
            error as CercaError
        {
            guard error.status == 429, tries > 1, let wait = error.retryAfter, wait <= .seconds(3600) else {
                throw failing(error, upload.file)
            }
            try await Task.sleep(for: wait)
            return try await load(upload, request, client, tries: tries - 1)
        }
    }
}

/// A file as the body of a request, with its progress.
private struct Upload: AsyncSequence, Sendable {
    let file: String
    let isQuiet: Bool

    func makeAsyncIterator() -> Iterator { Iterator(file, isQuiet) }

    struct Iterator: AsyncIteratorProtocol {
        private let file: String
        private var pieces: FilePieces?
        private var progress: Progress

        init(_ file: String, _ isQuiet: Bool) {
            self.file = file
            progress = Progress(file, isQuiet: isQuiet)
        }

        mutating func next() async throws -> Data? {
            if pieces == nil { pieces = try FilePieces(file) }
            guard let piece = try pieces?.next()?.get() else {
                progress.end()
                return nil
            }
            progress.advance(by: piece.count)
            return Data(piece)
        }
    }
}
