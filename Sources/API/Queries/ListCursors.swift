internal import Discovery
internal import Foundation
internal import Model

/// The cursors of lists that are ordered neither by distance nor by id.
extension CursorSeal {
    func seal(_ position: PlacePosition, _ call: Call) throws -> String {
        try seal([UInt64(position.number), UInt64(position.count)], position.name, call)
    }

    func placePosition(_ call: Call) throws(Problem) -> PlacePosition? {
        guard let (words, name) = try open(2, call) else { return nil }
        var position = PlacePosition(number: Number(rawValue: Int32(truncatingIfNeeded: words[0])))
        position.count = Int32(truncatingIfNeeded: words[1])
        position.name = name
        return position
    }

    func seal(_ position: FavouritePosition, _ call: Call) throws -> String {
        try seal([UInt64(bitPattern: position.since.milliseconds), UInt64(position.number)], "", call)
    }

    func favouritePosition(_ call: Call) throws(Problem) -> FavouritePosition? {
        guard let (words, _) = try open(2, call) else { return nil }
        return FavouritePosition(
            since: Timestamp(milliseconds: Int64(bitPattern: words[0])),
            number: Number(rawValue: Int32(truncatingIfNeeded: words[1])))
    }

    /// Seals the number of the last item of a list that is ordered by number.
    func seal<Thing>(number: Number<Thing>, _ call: Call) throws -> String { try seal([UInt64(number)], "", call) }

    func number<Thing>(_ call: Call) throws(Problem) -> Number<Thing>? {
        try open(1, call).map { Number(rawValue: Int32(truncatingIfNeeded: $0.words[0])) }
    }

    func seal(_ position: HistoryOfAllPage.Key, _ call: Call) throws -> String {
        let key = position.ping
        return try seal(
            [UInt64(position.person), UInt64(bitPattern: key.time.milliseconds), UInt64(key.sequence)], "", call)
    }

    func pingOfAll(_ call: Call) throws(Problem) -> HistoryOfAllPage.Key? {
        try open(3, call).map { words, _ in
            HistoryOfAllPage.Key(
                person: Number(rawValue: Int32(truncatingIfNeeded: words[0])),
                ping: PingKey(
                    time: Timestamp(milliseconds: Int64(bitPattern: words[1])),
                    sequence: UInt8(truncatingIfNeeded: words[2])))
        }
    }
}
