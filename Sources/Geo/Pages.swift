/// A copy-on-write array in pages: copies share unchanged pages, so a copy and a later change are cheap.
///
/// It is public rather than `package` because only then are accesses specialized in other modules.
public struct Pages<Element: Sendable>: Sendable {
    /// The binary logarithm of a page's number of elements: about four kilobytes of them.
    @inlinable public static var shift: Int {
        max(4, MemoryLayout<Element>.stride.leadingZeroBitCount + 13 - Int.bitWidth)
    }

    @usableFromInline var pages: ContiguousArray<ContiguousArray<Element>> = []

    /// The page that all cleared pages share; nil before there is one.
    private var vacant: ContiguousArray<Element>?

    /// The number of elements.
    public private(set) var count = 0

    /// Creates an empty array.
    public init() {}

    /// The element at a position.
    ///
    /// - Precondition: the position is in 0..<`count`.
    /// - Complexity: O(1); the first change of a shared page costs a copy of it.
    @inlinable public subscript(position: Int) -> Element {
        _read {
            precondition(UInt(bitPattern: position) < UInt(bitPattern: count), "the element does not exist")
            // The element is not copied, and the page's own count, which is in another cache line, is not read.
            yield pages[position >> Self.shift].withUnsafeBufferPointer {
                $0.baseAddress.unsafelyUnwrapped + (position & (1 << Self.shift - 1))
            }.pointee
        }
        _modify { yield &pages[position >> Self.shift][position & (1 << Self.shift - 1)] }
    }

    /// Appends an element.
    public mutating func append(_ element: Element) {
        if count & (1 << Self.shift - 1) == 0 {
            pages.append([])
            pages[pages.count - 1].reserveCapacity(1 << Self.shift)
        }
        pages[pages.count - 1].append(element)
        count += 1
    }

    /// Appends copies of an element until there are `count` elements.
    ///
    /// Whole pages share their storage until they change.
    public mutating func fill(upTo count: Int, with element: Element) {
        let size = 1 << Self.shift
        var whole: ContiguousArray<Element>?
        while self.count < count {
            guard self.count & (size - 1) == 0, count - self.count >= size else {
                append(element)
                continue
            }
            let page = whole ?? ContiguousArray(repeating: element, count: size)
            pages.append(page)
            self.count += size
            whole = page
        }
    }

    /// Sets an element to nil, and frees its page if nothing else is on it.
    ///
    /// Such pages share one, so that elements which came and went take little memory.
    ///
    /// - Complexity: O(elements of a page).
    public mutating func clear<Wrapped>(_ position: Int) where Element == Wrapped? {
        self[position] = nil
        let (page, size) = (position >> Self.shift, 1 << Self.shift)
        guard pages[page].count == size, pages[page].allSatisfy({ $0 == nil }) else { return }
        let vacant = vacant ?? ContiguousArray(repeating: nil, count: size)
        pages[page] = vacant
        self.vacant = vacant
    }

    /// The bytes of memory allocated for elements.
    public var bytes: Int {
        let distinct = pages.reduce(into: [:]) { sizes, page in
            sizes[page.withUnsafeBufferPointer(\.baseAddress)] = page.capacity
        }
        return 8 * pages.count + distinct.values.reduce(0) { $0 + 32 + $1 * MemoryLayout<Element>.stride }
    }
}
