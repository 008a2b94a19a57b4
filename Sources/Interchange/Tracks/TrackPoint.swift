internal import Geo
package import Model

/// The location of an item in a file.
package struct FilePlace: Hashable, Sendable {
    /// The number of the position, table row or line, counted from 1.
    package var row: Int
    /// The line in which the item begins, in a format with lines.
    package var line: Int?
    /// The byte offset of the item, or of the feature or segment that contains it, in a format without lines.
    package var byte: Int?
}

/// A position in a file of tracks, before it is validated.
package struct TrackPoint: Sendable {
    package enum Time: Hashable, Sendable {
        case missing
        case at(Timestamp)
        case unreadable(String)
    }

    package var place: FilePlace
    package var time = Time.missing
    package var latitude: Double?
    package var longitude: Double?
    /// The person named in the file.
    package var person: String?
    package var device: String?
    /// Meters.
    package var accuracy: Double?
    /// Meters.
    package var altitude: Double?
    /// Meters per second; negative if the receiver did not know it.
    package var speed: Double?
    /// Degrees; negative if the receiver did not know it.
    package var heading: Double?
    /// Battery charge, 0...1; negative if unknown.
    package var battery: Double?
    /// An error in the position's fields.
    package var fault: FieldError?

    package init(at place: FilePlace) { self.place = place }

    /// Accuracy in meters at a dilution of precision of 1, typical of good receivers under open sky.
    package static let metresAtUnitDilution = 5.0

    /// Derives the accuracy from a horizontal dilution of precision, if no accuracy was given.
    package mutating func take(dilution: Double) { accuracy = accuracy ?? dilution * Self.metresAtUnitDilution }
}

/// An item that a reader of tracks finds.
package enum TrackItem: Sendable {
    case point(TrackPoint)
    /// An entry that should be a position but cannot be read.
    case refused(FilePlace, FieldError)
}

/// The error after which a file cannot be read any further.
package struct BrokenTrack: Error, Hashable {
    package var detail: String
    package var line: Int?
    package var byte: Int?

    /// The location and the reason as a sentence.
    package var sentence: String {
        let place = line.map { " in line \($0)" } ?? byte.map { " at byte \($0)" } ?? ""
        return "The file cannot be read further\(place): \(detail)."
    }
}

/// Extracts the positions from a file of tracks as its pieces arrive, and holds at most the incomplete item in memory.
package protocol TrackReader: Sendable {
    /// Appends the items that the next piece completes.
    ///
    /// - Throws: an error after which nothing can be read; the items before it are appended too.
    mutating func read(_ bytes: [UInt8], into items: inout [TrackItem]) throws(BrokenTrack)
    /// Appends the items that the end of the file completes.
    mutating func finish(into items: inout [TrackItem]) throws(BrokenTrack)
    /// Input that was interpreted differently from how it was written.
    var notes: [String] { get }
    /// The number of skipped entries that are not positions.
    var others: Int { get }
}

extension FieldError {
    package static func notTime(_ text: String) -> FieldError {
        FieldError(
            pointer: "/t", code: .format,
            detail: "is '\(text.prefix(40))'; must be RFC 3339, or seconds or milliseconds since 1970")
    }
}
