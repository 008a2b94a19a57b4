/// What reading events costs a caller.
extension EventReader {
    /// What a caller is charged, in steps, for some events, and for being led on from one number to another (``resume``).
    ///
    /// Events of which a person is not told are free: the price would count them. Each block of events that ``resume`` goes past
    /// costs as much as one that is told, which shows of itself.
    public static func price(of told: Int, from first: Int64 = 0, to last: Int64 = 0) -> Int {
        let blocks = max(0, last / block - first / block)
        return stepsOfTelling * (told + Int(clamping: blocks))
    }
}
