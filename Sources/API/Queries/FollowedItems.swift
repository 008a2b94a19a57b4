internal import Crypto
internal import Foundation

/// The items of a list that a follower has received: a hash of each, to detect changes.
struct FollowedItems: Sendable {
    /// 128 bits of SHA-256 (FIPS 180-4), so that collisions do not occur in practice.
    private struct Digest: Hashable {
        private let high, low: UInt64

        init(_ item: [UInt8]) {
            (high, low) = SHA256.hash(data: item).withUnsafeBytes { bytes in
                (bytes.loadUnaligned(as: UInt64.self), bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            }
        }
    }

    /// By the items' ids in JSON.
    private var digests: [[UInt8]: Digest] = [:]

    /// The messages that bring a follower up to date with the items, and the items it then has.
    ///
    /// - Throws: ``Problem`` for an item without an id.
    func messages(to items: [[UInt8]]) throws(Problem) -> (messages: [UInt8], items: FollowedItems) {
        var new = FollowedItems()
        var messages: [UInt8] = []
        for item in items {
            let id = try Self.id(of: item)
            let digest = Digest(item)
            new.digests[id] = digest
            if digests[id] != digest { messages += EventStream.message(type: "put", item) }
        }
        let left = digests.keys.filter { new.digests[$0] == nil }
        for id in left.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            messages += EventStream.message(type: "remove", Array("{\"id\":".utf8) + id + Array("}".utf8))
        }
        return (messages, new)
    }

    /// The id at the beginning of an item, in JSON.
    private static func id(of item: [UInt8]) throws(Problem) -> [UInt8] {
        let head = Array("{\"id\":\"".utf8)
        guard item.starts(with: head) else {
            throw Problem(
                .invalidParameter, detail: "To follow a list, 'fields' must contain id.")
        }
        var end = head.count
        while item[end] != UInt8(ascii: "\"") { end += item[end] == UInt8(ascii: "\\") ? 2 : 1 }
        return Array(item[(head.count - 1)...end])
    }
}
