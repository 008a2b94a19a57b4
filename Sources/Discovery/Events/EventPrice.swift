/// The price of reading events.
extension EventReader {
    /// The work units charged for events sent, and for advancing the cursor (``resume``) from one number to another.
    ///
    /// Events that a person may not see are free, because the price would reveal their number. Each block of events
    /// that ``resume`` skips costs as much as an event sent; the cursor itself shows the block.
    public static func price(of reported: Int, from first: Int64 = 0, to last: Int64 = 0) -> Int {
        let blocks = max(0, last / block - first / block)
        return sendCost * (reported + Int(clamping: blocks))
    }
}
