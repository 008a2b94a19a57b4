/// Reads long lists item by item, so that only one item is in memory.
extension JSONText {
    /// Passes the items of a list to `take` one at a time, each with at most `mostValues` values, until `take` throws.
    ///
    /// With a name the list is the member of that name of the top-level object. Its other members may have as many
    /// values together.
    ///
    /// - Returns: the other members; nil without such a list, and then `take` was not called.
    /// - Throws: ``FormError``: an error of `take`, or for invalid JSON or too many values, possibly after items were
    ///   taken.
    package static func eachItem(
        of bytes: some Sequence<UInt8>, in name: String? = nil, atMost mostValues: Int = JSONText.mostValues,
        _ take: (JSON) throws(FormError) -> Void
    ) throws(FormError) -> [String: JSON]? {
        try eachItem(of: bytes, in: name, atMost: mostValues, reading: { text throws(Fault) in try text.value() }, take)
    }

    /// As above, for items that `read` parses.
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

    /// - Returns: false for a value that is not a list.
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
