/// Splits JSON, as it arrives, into elements that are small enough to be parsed.
///
/// Elements are the items of a list at the top level, the items of named lists in an object at the top level, and that
/// object without those items. Several objects and lists may follow each other. Only the incomplete element is held in
/// memory.
package struct JSONElements: Sendable {
    package struct Element {
        /// The element's bytes; nil if it is too long.
        var bytes: [UInt8]?
        /// The byte offset of the element in the file.
        var start: Int
        /// Whether the element is an item of a named list.
        var isNamed = false
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

        mutating func append(_ byte: UInt8, upTo longest: Int) {
            if bytes.count < longest { bytes.append(byte) } else { isOverlong = true }
        }

        mutating func close(isNamed: Bool) -> Element {
            let element = Element(bytes: isOverlong ? nil : bytes, start: start, isNamed: isNamed)
            self = Buffer()
            bytes.reserveCapacity(min(element.bytes?.count ?? 0, 4096))
            return element
        }
    }

    private let lists: Set<[UInt8]>
    private let longest: Int
    /// Whether a named list was found.
    package private(set) var sawList = false
    private var offset = 0
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    /// The beginning of the last text among the members of the top-level object, which is a name if a list follows.
    private var name: [UInt8] = []
    /// The depth of the items in the current list; 0 outside of such a list.
    private var itemDepth = 0
    private var item = Buffer()
    private var whole = Buffer()

    /// - Parameters:
    ///   - lists: the names of the lists whose items are elements.
    ///   - longest: the maximum size of an element, in bytes.
    package init(lists: [String], longest: Int) {
        self.lists = Set(lists.map { Array($0.utf8) })
        self.longest = longest
    }

    /// The next element that a piece completes, reading from `index`, which advances; nil at the end of the piece.
    package mutating func next(_ bytes: [UInt8], _ index: inout Int) throws(JSONText.Fault) -> Element? {
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            defer { offset += 1 }
            if let element = try take(byte) { return element }
        }
        return nil
    }

    /// - Throws: ``JSONText/Fault`` for an incomplete file.
    package func finish() throws(JSONText.Fault) {
        if depth > 0 || isInString { throw broken("it ends within an array or an object") }
    }

    private func broken(_ detail: String) -> JSONText.Fault { JSONText.Fault(detail: detail, byte: offset) }

    private mutating func take(_ byte: UInt8) throws(JSONText.Fault) -> Element? {
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
        if item.isOpen { item.append(byte, upTo: longest) } else if whole.isOpen { whole.append(byte, upTo: longest) }
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
            sawList = true
        }
        keep(byte)
        depth += 1
        return nil
    }

    private mutating func close(_ byte: UInt8) throws(JSONText.Fault) -> Element? {
        guard depth > 0 else { throw broken("a bracket closes nothing") }
        keep(byte)
        depth -= 1
        if item.isOpen { return depth == itemDepth ? closeItem() : nil }
        return depth == 0 ? whole.close(isNamed: false) : nil
    }

    private mutating func closeItem() -> Element { item.close(isNamed: itemDepth == 2) }

    /// Begins or ends an item; an item that is not an object or list ends at the next comma.
    private mutating func takeBetweenItems(_ byte: UInt8) throws(JSONText.Fault) -> Element? {
        switch byte {
        case UInt8(ascii: ","): return item.isOpen ? closeItem() : nil
        case UInt8(ascii: "]"):
            let element = item.isOpen ? closeItem() : nil
            depth -= 1
            itemDepth = 0
            if depth > 0 { whole.append(byte, upTo: longest) }
            return element
        case UInt8(ascii: "}"): throw broken("an array ends with '}'")
        default:
            if !item.isOpen {
                if byte.isJSONSpace { return nil }
                item.open(at: offset)
            }
            if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { depth += 1 }
            if byte == UInt8(ascii: "\"") { isInString = true }
            item.append(byte, upTo: longest)
            return nil
        }
    }
}
