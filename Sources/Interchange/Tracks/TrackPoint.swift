internal import Geo
package import Model

/// Where in a file something stands.
package struct FilePlace: Hashable, Sendable {
    /// Which position of the file, or which row of a table or line it is, counted from 1.
    package var row: Int
    /// The line in which it begins, of a form that has lines.
    package var line: Int?
    /// The byte at which it, or the feature or segment that it is a part of, begins; of a form that has no lines.
    package var byte: Int?
}

/// A position as a file of tracks has it, before anybody looked whether it can be one.
package struct TrackPoint: Sendable {
    /// The instant of a position.
    package enum Time: Hashable, Sendable {
        case missing
        case at(Timestamp)
        case unreadable(String)
    }

    package var place: FilePlace
    package var time = Time.missing
    package var latitude: Double?
    package var longitude: Double?
    /// Whose the file says that it is.
    package var person: String?
    package var device: String?
    /// In metres.
    package var accuracy: Double?
    /// In metres.
    package var altitude: Double?
    /// In metres a second; negative if the receiver knew none.
    package var speed: Double?
    /// In degrees; negative if the receiver knew none.
    package var heading: Double?
    /// Charge, 0...1; negative if it is not known.
    package var battery: Double?
    /// What could not be read of it.
    package var fault: FieldError?

    package init(at place: FilePlace) { self.place = place }

    /// How many metres a receiver is wrong at a dilution of precision of 1: about what good ones are under open sky.
    private static let metresAtUnitDilution = 5.0

    /// Takes a horizontal dilution of precision, if no accuracy was given.
    package mutating func take(dilution: Double) { accuracy = accuracy ?? dilution * Self.metresAtUnitDilution }
}

/// What a reader of tracks finds.
package enum TrackItem: Sendable {
    case point(TrackPoint)
    /// Something that should be a position, and cannot be read.
    case refused(FilePlace, FieldError)
}

/// The end of what can be read of a file, before its own end.
package struct BrokenTrack: Error, Hashable {
    package var detail: String
    package var line: Int?
    package var byte: Int?

    /// Where and why, as a sentence.
    package var sentence: String {
        let place = line.map { " in line \($0)" } ?? byte.map { " at byte \($0)" } ?? ""
        return "The file cannot be read further\(place): \(detail)."
    }
}

/// Finds the positions of a file of tracks in the pieces of it that arrive, and holds no more than what is incomplete.
package protocol TrackReader: Sendable {
    /// Appends what a further piece completes.
    ///
    /// - Throws: what makes all that follows unreadable; what was whole before is appended then too.
    mutating func read(_ bytes: [UInt8], into items: inout [TrackItem]) throws(BrokenTrack)
    /// Appends what the end of the file completes.
    mutating func finish(into items: inout [TrackItem]) throws(BrokenTrack)
    /// What was understood differently from how it was written.
    var notes: [String] { get }
    /// How many entries were passed over because they are something else than positions.
    var others: Int { get }
}

extension FieldError {
    package static func notTime(_ text: String) -> FieldError {
        FieldError(
            pointer: "/t", code: .format,
            detail: "is '\(text.prefix(40))'; must be RFC 3339, or seconds or milliseconds since 1970")
    }
}
