internal import Foundation
internal import Interchange
internal import Model

/// OwnTracks in its HTTP mode, and Overland in its mode of that name (owntracks.org/booklet/tech/json).
struct OwnTracks {
    private(set) var reading = PhoneReading()
    /// The phone's tracker id of two characters, if it sends one.
    private(set) var tracker: String?
    /// The topic that the phone would publish to, if it sends one.
    private(set) var topic: String?
    /// Whether Overland sent it, which expects an object in return.
    private(set) var isFromOverland = false

    /// Overland counts seconds since 2001 and sends no tracker id; no OwnTracks position is from before 2002.
    private static let secondsTo2001 = 978_307_200.0
    private static let latestOfOverland = 1e9

    /// Reads a message, or a list of them.
    ///
    /// The app sends an empty body when a friend was deleted.
    ///
    /// - Throws: ``FormError`` as ``PhoneReading/json(_:)``.
    init(_ body: Data) throws(FormError) {
        guard !body.allSatisfy({ $0 <= 0x20 }) else { return }
        let isRead: Bool? = try PhoneReading.json { () throws(FormError) in
            let list = try JSONText.eachItem(of: body) { message in
                if case .object(let members) = message { read(PhoneFields(members)) } else { reading.unreadable += 1 }
            }
            if list != nil { return true }
            guard case .object(let members) = try JSON(body) else { return nil }
            read(PhoneFields(members))
            return true
        }
        if isRead == nil { reading = .nothing }
    }

    private mutating func read(_ message: PhoneFields) {
        guard let type = message.text("_type") else {
            reading.unreadable += 1
            return
        }
        let isCounting2001 =
            message.text("tid") == nil
            && message.number("tst").map { (1..<Self.latestOfOverland).contains($0) } ?? false
        reading.take { () throws(Unreadable) in
            type == "location" ? try Self.fix(message, isCounting2001: isCounting2001) : nil
        }
        guard type == "location" else { return }
        isFromOverland = isFromOverland || isCounting2001
        tracker = message.text("tid").flatMap { (1...2).contains($0.count) ? $0 : nil } ?? tracker
        topic = message.text("topic").flatMap { $0.hasPrefix("owntracks/") && $0.utf8.count <= 256 ? $0 : nil } ?? topic
    }

    private static func fix(_ message: PhoneFields, isCounting2001: Bool) throws(Unreadable) -> PhoneFix? {
        guard let latitude = message.number("lat"), let longitude = message.number("lon") else { throw Unreadable() }
        let time =
            isCounting2001
            ? message.number("tst").flatMap { Timestamp(phoneNumber: $0 + secondsTo2001) }
            : try message.time("tst", "created_at")
        return try PhoneFix(
            latitude: latitude, longitude: longitude, time: time, accuracy: message.number("acc"),
            altitude: message.number("alt"), speed: message.number("vel").map { $0 / 3.6 },
            heading: message.number("cog"), battery: message.number("batt").map { $0 / 100 })
    }
}
