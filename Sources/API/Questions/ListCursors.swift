internal import Discovery
internal import Foundation
internal import Model

/// The cursors of lists that are not in the order of distance or of ids.
extension CursorSeal {
    /// Seals a place in a list of places.
    func seal(_ position: PlacePosition, _ call: Call) throws -> String {
        var bytes = Data()
        Self.append(UInt64(position.number), to: &bytes)
        Self.append(UInt64(position.count), to: &bytes)
        bytes.append(contentsOf: position.name.utf8)
        return try seal(bytes, call.list)
    }

    func placePosition(_ call: Call) throws(Problem) -> PlacePosition? {
        guard let bytes = try open(call) else { return nil }
        guard let number = Self.word(bytes, 0), let count = Self.word(bytes, 8) else { throw invalid }
        var position = PlacePosition(number: Number(rawValue: Int32(truncatingIfNeeded: number)))
        position.count = Int32(truncatingIfNeeded: count)
        position.name = String(decoding: bytes.dropFirst(16), as: UTF8.self)
        return position
    }

    /// Seals a place in a list of favourites.
    func seal(_ position: FavouritePosition, _ call: Call) throws -> String {
        var bytes = Data()
        Self.append(UInt64(bitPattern: position.since.milliseconds), to: &bytes)
        Self.append(UInt64(position.number), to: &bytes)
        return try seal(bytes, call.list)
    }

    func favouritePosition(_ call: Call) throws(Problem) -> FavouritePosition? {
        guard let bytes = try open(call) else { return nil }
        guard let since = Self.word(bytes, 0), let number = Self.word(bytes, 8) else { throw invalid }
        return FavouritePosition(
            since: Timestamp(milliseconds: Int64(bitPattern: since)),
            number: Number(rawValue: Int32(truncatingIfNeeded: number)))
    }

    /// Seals the number of the last of a list in the order of numbers.
    func seal(number: CommentNumber, _ call: Call) throws -> String {
        var bytes = Data()
        Self.append(UInt64(number), to: &bytes)
        return try seal(bytes, call.list)
    }

    func number(_ call: Call) throws(Problem) -> CommentNumber? {
        guard let bytes = try open(call) else { return nil }
        guard let number = Self.word(bytes, 0) else { throw invalid }
        return Number(rawValue: Int32(truncatingIfNeeded: number))
    }
}
