internal import CZlib
internal import Foundation
internal import Geo
internal import HTTPTypes

/// Compression of answers (RFC 1952) for callers who accept it.
enum Gzip {
    /// The shortest body to compress, in bytes; shorter ones fit into one packet as they are.
    static let shortest = 1024

    /// Whether an `Accept-Encoding` allows gzip (RFC 9110, 12.5.3).
    static func isAccepted(by header: String) -> Bool {
        let weights = header.lowercased().listItems.map { coding in
            let parts = coding.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { $0.dropFirst(2).decimalNumber ?? 0 }
            return (name: parts.first ?? "", weight: weight ?? 1)
        }
        let chosen = weights.first { ["gzip", "x-gzip"].contains($0.name) } ?? weights.first { $0.name == "*" }
        return (chosen?.weight ?? 0) > 0
    }

    /// Initializes a stream; returns false if zlib has no memory for it.
    fileprivate static func begin(_ stream: inout z_stream) -> Bool {
        // A window of 15 bits, the maximum, plus 16 for the gzip header; 8 is the default memory level.
        let made = deflateInit2_(
            &stream, Z_BEST_SPEED, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        return made == Z_OK
    }

    /// Returns the bytes compressed; nil if zlib has no memory for it.
    ///
    /// - Complexity: O(bytes), about 20 ms for a megabyte.
    static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        guard begin(&stream) else { return nil }
        defer { deflateEnd(&stream) }
        var bytes = bytes
        return bytes.withUnsafeMutableBufferPointer { input in
            let capacity = Int(deflateBound(&stream, UInt(input.count)))
            return [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                let end = deflate(&stream, Z_FINISH)
                precondition(end == Z_STREAM_END, "the bound holds everything")
                count = Int(stream.total_out)
            }
        }
    }
}

extension Gzip {
    private struct NoMemory: Error {}

    /// Compresses a body piece by piece, which is charged as much again as writing the compressed bytes.
    static func compressing(_ make: @escaping BodyMaker) -> BodyMaker {
        { send in
            guard let deflater = Deflater() else { throw NoMemory() }
            try await make { bytes in
                WorkBudget.count(bytes.count / RateLimits.bytesWrittenInStep)
                try await send(deflater.compress(bytes))
            }
            try await send(deflater.finish())
        }
    }
}

/// Decompression of request bodies.
extension Gzip {
    /// Decompresses gzip or zlib; returns nil if the data is incomplete or invalid.
    ///
    /// Decompression stops after more than `limit` bytes, and returns those.
    ///
    /// - Complexity: O(bytes returned).
    static func expanded(_ bytes: Data, limit: Int) -> Data? {
        var stream = z_stream()
        // 32 more than the maximum window: either header is detected.
        guard inflateInit2_(&stream, 15 + 32, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            return nil
        }
        defer { inflateEnd(&stream) }
        var (input, expanded, state) = ([UInt8](bytes), Data(), Z_OK)
        input.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(input.count)
            while state == Z_OK, expanded.count <= limit {
                expanded.append(
                    contentsOf: [UInt8](unsafeUninitializedCapacity: 64 << 10) { output, count in
                        stream.next_out = output.baseAddress
                        stream.avail_out = UInt32(output.count)
                        state = inflate(&stream, Z_NO_FLUSH)
                        count = output.count - Int(stream.avail_out)
                    })
            }
        }
        return state == Z_STREAM_END || expanded.count > limit ? expanded : nil
    }
}

/// Incremental gzip decompression (RFC 1952), also of several concatenated members.
package final class Inflater {
    private static let room = 64 << 10
    private var stream = z_stream()
    private var input: [UInt8] = []
    private var position = 0
    /// Whether the input so far ends with a complete member.
    package private(set) var isWhole = false

    /// Returns nil if zlib has no memory for it.
    package init?() {
        // 16 more than the maximum window: only gzip's header is accepted.
        guard inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            return nil
        }
    }

    deinit { inflateEnd(&stream) }

    /// Sets the next piece of input; all of the one before must have been decompressed.
    package func take(_ bytes: some Sequence<UInt8>) { (input, position) = (Array(bytes), 0) }

    /// Returns the next bytes, at most 64 KB; nil if another piece of input is needed.
    ///
    /// - Throws: ``BrokenGzip``.
    package func next() throws(BrokenGzip) -> [UInt8]? {
        if isWhole, position < input.count { (isWhole, _) = (false, inflateReset(&stream)) }
        var state = Z_OK
        let expanded = input.withUnsafeMutableBufferPointer { input in
            [UInt8](unsafeUninitializedCapacity: Self.room) { output, count in
                stream.next_in = input.baseAddress?.advanced(by: position)
                stream.avail_in = UInt32(input.count - position)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                state = inflate(&stream, Z_NO_FLUSH)
                position = input.count - Int(stream.avail_in)
                count = output.count - Int(stream.avail_out)
            }
        }
        // `Z_BUF_ERROR` means that no progress was possible without more input.
        guard [Z_OK, Z_STREAM_END, Z_BUF_ERROR].contains(state) else { throw BrokenGzip() }
        isWhole = isWhole || state == Z_STREAM_END
        return expanded.isEmpty && (position == input.count) ? nil : expanded
    }
}

/// Bytes that are not valid gzip.
package struct BrokenGzip: Error, CustomStringConvertible {
    /// A message for people.
    package var description: String { "The file begins like gzip, and cannot be decompressed to its end." }

    package init() {}
}

/// Incremental gzip compression.
final class Deflater {
    private static let room = 64 << 10
    private var stream = z_stream()

    /// Returns nil if zlib has no memory for it.
    init?() {
        guard Gzip.begin(&stream) else { return nil }
    }

    deinit { deflateEnd(&stream) }

    /// Returns the bytes that are ready to be sent after another piece; possibly none yet.
    func compress(_ bytes: [UInt8]) -> [UInt8] { deflate(bytes, Z_NO_FLUSH) }

    /// Returns the remaining bytes.
    func finish() -> [UInt8] { deflate([], Z_FINISH) }

    private func deflate(_ bytes: [UInt8], _ flush: Int32) -> [UInt8] {
        var bytes = bytes
        var result: [UInt8] = []
        bytes.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(input.count)
            repeat {
                result += [UInt8](unsafeUninitializedCapacity: Self.room) { output, count in
                    stream.next_out = output.baseAddress
                    stream.avail_out = UInt32(output.count)
                    let state = CZlib.deflate(&stream, flush)
                    precondition(state != Z_STREAM_ERROR, "the stream is used as it was made")
                    count = output.count - Int(stream.avail_out)
                }
            } while stream.avail_out == 0
        }
        return result
    }
}
