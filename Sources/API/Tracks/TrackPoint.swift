internal import Geo
internal import Model

/// Where in a file something stands.
struct FilePlace: Hashable, Sendable {
    /// Which position of the file, or which row of a table or line it is, counted from 1.
    var row: Int
    /// The line in which it begins, of a form that has lines.
    var line: Int?
    /// The byte at which it, or the feature or segment that it is a part of, begins; of a form that has no lines.
    var byte: Int?
}

/// A position as a file of tracks has it, before anybody looked whether it can be one.
struct TrackPoint: Sendable {
    /// The instant of a position.
    enum Time: Hashable, Sendable {
        case missing
        case at(Timestamp)
        case unreadable(String)
    }

    var place: FilePlace
    var time = Time.missing
    var latitude: Double?
    var longitude: Double?
    /// Whose the file says that it is.
    var person: String?
    var device: String?
    /// In metres.
    var accuracy: Double?
    /// In metres.
    var altitude: Double?
    /// In metres a second; negative if the receiver knew none.
    var speed: Double?
    /// In degrees; negative if the receiver knew none.
    var heading: Double?
    /// Charge, 0...1; negative if it is not known.
    var battery: Double?
    /// What could not be read of it.
    var fault: FieldError?

    init(at place: FilePlace) { self.place = place }

    /// How many metres a receiver is wrong at a dilution of precision of 1: about what good ones are under open sky.
    private static let metresAtUnitDilution = 5.0

    /// Takes a horizontal dilution of precision, if no accuracy was given.
    mutating func take(dilution: Double) { accuracy = accuracy ?? dilution * Self.metresAtUnitDilution }
}

/// What a reader of tracks finds.
enum TrackItem: Sendable {
    case point(TrackPoint)
    /// Something that should be a position, and cannot be read.
    case refused(FilePlace, FieldError)
}

/// The end of what can be read of a file, before its own end.
struct BrokenTrack: Error, Hashable {
    var detail: String
    var line: Int?
    var byte: Int?

    /// Where and why, as a sentence.
    var sentence: String {
        let place = line.map { " in line \($0)" } ?? byte.map { " at byte \($0)" } ?? ""
        return "The file cannot be read further\(place): \(detail)."
    }
}

/// Finds the positions of a file of tracks in the pieces of it that arrive, and holds no more than what is incomplete.
protocol TrackReader: Sendable {
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
    static func notTime(_ text: String) -> FieldError {
        FieldError(
            pointer: "/t", code: .format,
            detail: "is '\(text.prefix(40))'; expected is RFC 3339, or seconds or milliseconds since 1970")
    }
}
