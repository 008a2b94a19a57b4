/// Reading long lists item by item, so that no more than one item is in memory.
extension JSONText {
    /// Gives `take` the items of a list one after the other, each with at most so many values in it, until it throws.
    ///
    /// With a name it is the list of that name in the object that the bytes are, whose other members may have as many values
    /// together.
    ///
    /// - Returns: the other members; nil when there is no such list, of which nothing was taken.
    /// - Throws: ``FormError``: what `take` throws, or that it is not JSON, or too much of it, which may come after items that were taken.
    package static func eachItem(
        of bytes: some Sequence<UInt8>, in name: String? = nil, atMost mostValues: Int = JSONText.mostValues,
        _ take: (JSON) throws(FormError) -> Void
    ) throws(FormError) -> [String: JSON]? {
        try eachItem(of: bytes, in: name, atMost: mostValues, reading: { text throws(Fault) in try text.value() }, take)
    }

    /// The same of items that `read` reads.
    static func eachItem<Item>(
        of bytes: some Sequence<UInt8>, in name: String? = nil, atMost mostValues: Int,
        reading read: (inout JSONText) throws(Fault) -> Item, _ take: (Item) throws(FormError) -> Void
    ) throws(FormError) -> [String: JSON]? {
        var refusal: FormError?
        func takeOrStop(_ text: inout JSONText) throws(Fault) {
            let item = try read(&text)
            do throws(FormError) { try take(item) } catch {
                refusal = error
                throw Fault(detail: "is refused", byte: 0)
            }
        }
        do throws(Fault) {
            return try Self.read(bytes, mostValues) { text throws(Fault) in
                var others: [String: JSON] = [:]
                var isThere = false
                if let name, try text.peek() == UInt8(ascii: "{") {
                    try text.eachMember { text, member throws(Fault) in
                        if member == name, try text.takeItems(takeOrStop) {
                            isThere = true
                        } else {
                            others[member] = try text.value()
                        }
                    }
                } else if name == nil {
                    isThere = try text.takeItems(takeOrStop)
                }
                guard isThere else { return nil }
                try text.end()
                return others
            }
        } catch { throw refusal ?? FormError(error) }
    }

    /// - Returns: false for what is no list.
    private mutating func takeItems(_ take: (inout JSONText) throws(Fault) -> Void) throws(Fault) -> Bool {
        guard try peek() == UInt8(ascii: "[") else { return false }
        let before = values
        try eachItem { text throws(Fault) in
            text.values = 0
            try take(&text)
        }
        values = before
        return true
    }
}
