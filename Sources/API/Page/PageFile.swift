internal import Foundation
internal import PageFiles
internal import Synchronization

/// An embedded file, by its name.
enum PageFile {
    private static let all: [String: [UInt8]] = {
        var count = 0
        let files = UnsafeBufferPointer(start: cerca_page_files(&count), count: count)
        return Dictionary(
            uniqueKeysWithValues: files.map {
                (String(cString: $0.name), Array(UnsafeBufferPointer(start: $0.bytes, count: $0.length)))
            })
    }()

    /// Whether the file is embedded as gzip.
    static func isCompressed(_ name: String) -> Bool { all["\(name).gz"] != nil }

    /// The file, optionally compressed if it is embedded so; nil if there is none of the name.
    static func bytes(_ name: String, compressed: Bool = false) -> [UInt8]? {
        guard let bytes = all["\(name).gz"] else { return all[name] }
        return compressed
            ? bytes : expanded.file(name) { Gzip.expanded(Data(bytes), limit: longest).map(Array.init) }?.bytes
    }

    private static let expanded = Cache()

    /// Files that are made at their first request, with their digests.
    final class Cache: Sendable {
        private let files = Mutex<[String: (bytes: [UInt8], digest: Int64)]>([:])

        /// Returns a file, which `make` makes once; nil, and not kept, if `make` returns nil.
        func file<Failure: Error>(
            _ key: String, _ make: () throws(Failure) -> [UInt8]?
        ) throws(Failure) -> (bytes: [UInt8], digest: Int64)? {
            if let file = files.withLock({ $0[key] }) { return file }
            guard let bytes = try make() else { return nil }
            let file = (bytes, Answer(body: bytes).digest)
            files.withLock { $0[key] = file }
            return file
        }
    }

    /// More bytes than any file has.
    private static let longest = 16 << 20
}
