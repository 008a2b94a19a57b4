/// Cuts JSON, as it arrives, into elements that are small enough to be read whole: the items of a list at the top, the items
/// of certain lists in an object at the top, and that object without those items.
///
/// Objects and lists at the top may follow each other. Nothing but the element that is incomplete is held.
package struct JSONElements: Sendable {
    /// The longest element, in bytes.
    package static let longest = 8 << 20

    package struct Element {
        /// Nil for one that is too long.
        var bytes: [UInt8]?
        /// At which byte of the file it begins.
        var start: Int
    }

    private struct Buffer {
        var bytes: [UInt8] = []
        var start = 0
        var isOpen = false
        var isOverlong = false

        mutating func open(at offset: Int) {
            isOpen = true
            start = offset
        }

        mutating func append(_ byte: UInt8) {
            if bytes.count < JSONElements.longest { bytes.append(byte) } else { isOverlong = true }
        }

        mutating func close() -> Element {
            let element = Element(bytes: isOverlong ? nil : bytes, start: start)
            self = Buffer()
            bytes.reserveCapacity(min(element.bytes?.count ?? 0, 4096))
            return element
        }
    }

    private let lists: Set<[UInt8]>
    private var offset = 0
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    /// The beginning of the last text among the members of the object at the top, a name when a list follows.
    private var name: [UInt8] = []
    /// How deep the items stand of the list that is cut up; 0 while there is none.
    private var itemDepth = 0
    private var item = Buffer()
    private var whole = Buffer()

    /// - Parameter lists: the names of the lists that are cut up.
    package init(lists: [String]) { self.lists = Set(lists.map { Array($0.utf8) }) }

    /// The next element that a piece completes, from an index on, which moves; nil at the end of the piece.
    package mutating func next(_ bytes: [UInt8], _ index: inout Int) throws(BrokenTrack) -> Element? {
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            defer { offset += 1 }
            if let element = try take(byte) { return element }
        }
        return nil
    }

    /// - Throws: ``BrokenTrack`` for a file that is not complete.
    package func finish() throws(BrokenTrack) {
        if depth > 0 || isInString { throw broken("it ends within a list or an object") }
    }

    private func broken(_ detail: String) -> BrokenTrack { BrokenTrack(detail: detail, byte: offset) }

    private mutating func take(_ byte: UInt8) throws(BrokenTrack) -> Element? {
        if isInString {
            takeInString(byte)
            return nil
        }
        if itemDepth > 0, depth == itemDepth { return try takeBetweenItems(byte) }
        switch byte {
        case UInt8(ascii: "\""):
            guard depth > 0 else { throw broken("it is not JSON") }
            isInString = true
            if depth == 1 { name.removeAll(keepingCapacity: true) }
        case UInt8(ascii: "{"), UInt8(ascii: "["): return open(byte)
        case UInt8(ascii: "}"), UInt8(ascii: "]"): return try close(byte)
        default:
            guard depth > 0 || byte.isJSONSpace || byte == 0x1e || offset < 3 && [0xef, 0xbb, 0xbf].contains(byte)
            else { throw broken("it is not JSON") }
        }
        keep(byte)
        return nil
    }

    private mutating func keep(_ byte: UInt8) {
        if item.isOpen { item.append(byte) } else if whole.isOpen { whole.append(byte) }
    }

    private mutating func takeInString(_ byte: UInt8) {
        keep(byte)
        if isEscaped {
            isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
            isInString = false
        } else if depth == 1, itemDepth == 0, name.count < 40 {
            name.append(byte)
        }
    }

    private mutating func open(_ byte: UInt8) -> Element? {
        if depth == 0 {
            if byte == UInt8(ascii: "[") {
                itemDepth = 1
            } else {
                whole.open(at: offset)
            }
        } else if depth == 1, byte == UInt8(ascii: "["), lists.contains(name) {
            itemDepth = 2
        }
        keep(byte)
        depth += 1
        return nil
    }

    private mutating func close(_ byte: UInt8) throws(BrokenTrack) -> Element? {
        guard depth > 0 else { throw broken("a bracket closes nothing") }
        keep(byte)
        depth -= 1
        if item.isOpen { return depth == itemDepth ? item.close() : nil }
        return depth == 0 ? whole.close() : nil
    }

    /// Begins or ends an item; one that is no object or list goes on up to the next comma.
    private mutating func takeBetweenItems(_ byte: UInt8) throws(BrokenTrack) -> Element? {
        switch byte {
        case UInt8(ascii: ","): return item.isOpen ? item.close() : nil
        case UInt8(ascii: "]"):
            depth -= 1
            itemDepth = 0
            defer { if depth > 0 { whole.append(byte) } }
            return item.isOpen ? item.close() : nil
        case UInt8(ascii: "}"): throw broken("a list ends with '}'")
        default:
            if !item.isOpen {
                if byte.isJSONSpace { return nil }
                item.open(at: offset)
            }
            if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { depth += 1 }
            if byte == UInt8(ascii: "\"") { isInString = true }
            item.append(byte)
            return nil
        }
    }
}
