internal import ArgumentParser
internal import AsyncHTTPClient
internal import Foundation
internal import NIOCore
internal import NIOHTTP1

/// Loads files into a running service.
struct HTTPLoader {
    private static let longestReport = 1 << 30
    /// How often a file is sent to a service that says when it takes requests again.
    private static let mostTries = 10

    private let service: ServiceAddress
    private let path: String
    private let isDry: Bool

    /// - Parameters:
    ///   - url: where the service is.
    ///   - path: that of the import, after `/v1/`.
    ///   - parameters: names and values of its query.
    /// - Throws: an exit code for an address that is none.
    init(url: String, path: String, _ parameters: [(String, String)]) throws {
        service = try ServiceAddress(url)
        isDry = parameters.contains { $0 == ("dry_run", "true") }
        let query = parameters.map { name, value in
            "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")"
        }
        self.path = path + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }

    /// Loads files, one after the other; `mediaType` is that of a file by its name.
    func load(_ files: [String], _ mediaType: (String) -> String) async throws -> [FileReport] {
        try await service.withClient { client in
            var reports: [FileReport] = []
            for file in files { reports.append(try await load(file, mediaType(file), client)) }
            return reports
        }
    }

    private func load(
        _ file: String, _ mediaType: String, _ client: HTTPClient, tries: Int = mostTries
    ) async throws -> FileReport {
        var request = service.request(path)
        request.method = .POST
        request.headers.add(name: "content-type", value: mediaType)
        request.body = .stream(Upload(file: file), length: .unknown)
        let response = try await service.answer(to: request, client)
        let body = String(buffer: try await response.body.collect(upTo: Self.longestReport))
        if response.status == .tooManyRequests, tries > 1,
            let wait = response.headers.first(name: "retry-after").flatMap({ Int64($0) }), (0...3600).contains(wait)
        {
            try await Task.sleep(for: .seconds(wait))
            return try await load(file, mediaType, client, tries: tries - 1)
        }
        guard response.status == .ok else {
            throw Exit.failing("\(file): \(service.base) answered \(response.status.code): \(body)", Exit.data)
        }
        return try FileReport(file, json: body, isDry: isDry)
    }
}

/// A file as the body of a request, with its progress.
private struct Upload: AsyncSequence, Sendable {
    let file: String

    func makeAsyncIterator() -> Iterator { Iterator(file: file) }

    struct Iterator: AsyncIteratorProtocol {
        private let file: String
        private var pieces: FilePieces?
        private var progress: Progress

        init(file: String) {
            self.file = file
            progress = Progress(file)
        }

        mutating func next() async throws -> ByteBuffer? {
            if pieces == nil { pieces = try FilePieces(file) }
            guard let piece = try pieces?.next()?.get() else {
                progress.end()
                return nil
            }
            progress.advance(by: piece.count)
            return ByteBuffer(bytes: piece)
        }
    }
}
