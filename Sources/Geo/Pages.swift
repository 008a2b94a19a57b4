/// An array in pages, of which copies share those that neither has changed: a copy costs little, and so does a change after it.
///
/// It is public, not of the package, because only then an access is specialized in other modules.
public struct Pages<Element: Sendable>: Sendable {
    /// The binary logarithm of how many elements a page has: about four kilobytes of them.
    @inlinable public static var shift: Int {
        max(4, MemoryLayout<Element>.stride.leadingZeroBitCount + 13 - Int.bitWidth)
    }

    @usableFromInline var pages: ContiguousArray<ContiguousArray<Element>> = []

    /// The number of elements.
    public private(set) var count = 0

    /// No elements.
    public init() {}

    /// The element at a position.
    ///
    /// - Precondition: the position is from 0 to below `count`.
    /// - Complexity: O(1); the first change of a page that a copy shares takes as long as copying it.
    @inlinable public subscript(position: Int) -> Element {
        _read {
            precondition(UInt(bitPattern: position) < UInt(bitPattern: count), "there is no such element")
            // Neither the element is copied, nor the page's own count looked at, which lies in another line of the cache.
            yield pages[position >> Self.shift].withUnsafeBufferPointer {
                $0.baseAddress.unsafelyUnwrapped + (position & (1 << Self.shift - 1))
            }.pointee
        }
        _modify { yield &pages[position >> Self.shift][position & (1 << Self.shift - 1)] }
    }

    /// Adds an element at the end.
    public mutating func append(_ element: Element) {
        if count & (1 << Self.shift - 1) == 0 {
            pages.append([])
            pages[pages.count - 1].reserveCapacity(1 << Self.shift)
        }
        pages[pages.count - 1].append(element)
        count += 1
    }

    /// Adds as many of an element at the end as are missing to a count; none if there are so many.
    ///
    /// Whole pages of it are one until they are changed.
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

    /// The bytes of memory that the elements have room in.
    public var bytes: Int { pages.reduce(0) { $0 + 40 + $1.capacity * MemoryLayout<Element>.stride } }
}
