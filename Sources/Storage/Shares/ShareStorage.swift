internal import Foundation
internal import GRDB
internal import Geo
public import Model

extension Transaction {
    func write(_ change: ShareChange) throws {
        switch change {
        case .opened(let number, let person, let share): try write(share, number, person)
        case .viewed(let number, let times):
            try run("UPDATE shares SET views = views + ? WHERE number = ?", [times, number])
        case .ended(let number): try erase("shares", number)
        }
    }

    private func write(_ share: Share, _ number: ShareNumber, _ person: PersonNumber) throws {
        try run(
            """
            INSERT INTO shares (number, person, id, token_hash, precision, since_ms, expires_ms, place, latitude_e7,
                longitude_e7, within_m, shows_trail, label, views)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)
            """,
            [
                number, person, share.id.text, Data(share.token.bytes), share.precision.rawValue,
                share.since.milliseconds, share.expires.milliseconds, share.arrival?.place.text,
                share.arrival?.centre.latitudeE7, share.arrival?.centre.longitudeE7, share.arrival?.metres,
                share.showsTrail, share.label,
            ])
    }
}

extension Store {
    /// Calls `body` with each link as it was created, and then with its number of views.
    public func forEachShare(_ body: (ShareChange) throws -> Void) throws(StorageError) {
        try forEach(
            """
            SELECT number, person, id, token_hash, precision, since_ms, expires_ms, shows_trail, label, views, place,
                latitude_e7, longitude_e7, within_m
            FROM shares ORDER BY number
            """
        ) { row in
            let number: ShareNumber = try row.integer(0)
            guard let hash = row[3] as Data?, hash.count == TokenHash.size, let precision = Precision(rawValue: row[4])
            else { throw StorageError.damaged("link \(number)") }
            var share = Share(
                id: ID(known: row[2]), token: TokenHash(hash), precision, since: try row.timestamp(5),
                until: try row.timestamp(6))
            (share.showsTrail, share.label) = (row[7], row[8])
            if let place = row[10] as String? {
                guard let centre = Coordinate(latitudeE7: row[11], longitudeE7: row[12]) else {
                    throw StorageError.damaged("where link \(number) ends")
                }
                share.arrival = Share.Arrival(ID(known: place), at: centre, within: row[13])
            }
            try body(.opened(number, of: try row.integer(1), share))
            try body(.viewed(number, times: row[9]))
        }
    }
}
