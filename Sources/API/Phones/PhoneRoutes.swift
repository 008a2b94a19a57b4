internal import Discovery
internal import Foundation
internal import Geo
internal import HTTPTypes
internal import HummingbirdCore
internal import Interchange
internal import Logging

/// Receives positions from phone apps, each in its own protocol.
///
/// A request with a device token is acknowledged as the app expects, even if its body is invalid, because these apps
/// resend a refused body, some of them forever. Only positions that could not be stored, or excessive work, are errors.
struct PhoneRoutes {
    let engine: Engine
    let logger: Logger
    let unread: UnreadMessages
    private let counts = PhoneCounts()
    /// The work units to parse a part of a body.
    private static let stepsOfPart = 20

    func add(to routes: inout RouteTable) {
        routes.chapter = "Phones"
        for path in ["/ingest/owntracks", "/ingest/owntracks/pub", "/pub"] {
            routes.on(
                .post, path, for: .phone,
                .init(
                    "Receives positions from OwnTracks, and returns friends", takes: ["application/json": .anything],
                    answers: .ok(.anything), problems: [.clockBehind]), takeOwnTracks)
        }
        let words = [Reply].content(["text/plain": .text()])
        for path in ["/ingest/osmand", "/ingest/osmand/**"] {
            for method in [HTTPRequest.Method.get, .post] {
                routes.on(
                    method, path, for: .phone,
                    .init(
                        "Receives a position from Traccar Client or OsmAnd", answers: words, problems: [.clockBehind])
                ) { call in
                    try await takeSingle(.osmand, call) { try OsmAnd.read(query: call.request.uri.query, body: $0) }
                }
            }
        }
        routes.on(
            .post, "/ingest/overland", for: .phone,
            .init(
                "Receives positions from Overland", takes: ["application/json": .anything], answers: .ok(.anything),
                problems: [.clockBehind]), takeOverland)
        for method in [HTTPRequest.Method.get, .post] {
            routes.on(
                method, "/ingest/gpslogger", for: .phone,
                .init("Receives a position from GPSLogger", answers: words, problems: [.clockBehind])
            ) { call in
                try await takeSingle(.gpslogger, call) { try GPSLogger.read(query: call.request.uri.query, body: $0) }
            }
        }
        let counts = Schema.map(of: .map(of: .count)).named("PhoneCounts")
        routes.on(
            .get, "/v1/ingest", for: .service,
            .init("Counts the messages of phones, by protocol", as: "countPhoneMessages", answers: .ok(counts)),
            countMessages)
    }

    @Sendable private func takeOwnTracks(_ call: Call) async throws -> Answer {
        let body = try await call.phoneBody()
        let message = try await understood(body, call, OwnTracks.init)
        let reading = (message?.reading ?? .nothing).withoutRollovers(at: call.received)
        _ = try await record(reading, body, .owntracks, call)
        // Overland's token is not base64, and its other messages look like those from OwnTracks.
        let isOverland =
            message?.isFromOverland ?? false || call.request.headers[.authorization]?.hasSuffix(":") ?? false
        if isOverland { return Self.taken }
        guard let message, !message.reading.fixes.isEmpty, case .device(let device, let person)? = call.principal else {
            return Self.nobody
        }
        do {
            return try await OwnTracksFriends(of: person, from: device, message, in: engine, at: call.received).answer
        } catch is Refusal {
            // The person was deleted just now; the phone's next request fails.
            return Self.nobody
        }
    }

    @Sendable private func takeOverland(_ call: Call) async throws -> Answer {
        let body = try await call.phoneBody()
        let reading = try await understood(body, call, Overland.read) ?? .nothing
        _ = try await record(reading.withoutRollovers(at: call.received), body, .overland, call)
        return Self.taken
    }

    /// Receives a position from an app that checks only the status; the verdict is for people who test by hand.
    private func takeSingle(
        _ phone: PhoneProtocol, _ call: Call, _ read: (Data) throws -> PhoneReading
    ) async throws -> Answer {
        let body = try await call.phoneBody()
        let reading = try await (understood(body, call, read) ?? .nothing).withoutRollovers(at: call.received)
        let verdicts = try await record(reading, body, phone, call)
        let accuracies = reading.unreadAccuracies.map { name in
            "'\(name.prefix(40))' looks like an accuracy and is not read; name it 'acc', in meters"
        }
        let words = verdicts.map(\.word) + accuracies + Self.faults(of: reading)
        let text = (words.isEmpty ? ["no position"] : words).joined(separator: "\n")
        return Answer(headers: [.contentType: "text/plain; charset=utf-8"], body: Array("\(text)\n".utf8)).unstored
    }

    /// The line about an unreadable position, with the reason if it is known.
    private static func faults(of reading: PhoneReading) -> [String] {
        guard reading.unreadable > 0 else { return [] }
        guard reading.rolledOver == 0 else {
            return ["unreadable: the time is 1024 weeks ago; the week number of the receiver may have rolled over"]
        }
        guard let name = reading.unreadTimes.first else { return ["unreadable"] }
        let shown = name.prefix(40)
        return ["unreadable: '\(shown)' holds a time but is not read as one; name it 'timestamp'"]
    }

    /// Parses a body; returns nil if it cannot be decompressed.
    ///
    /// A phone's batch compresses fiftyfold, and a refused one would be resent forever. So a body longer than a
    /// person's limit is parsed like their files, a few at a time.
    private func understood<Reading>(
        _ body: PhoneBody, _ call: Call, _ read: (Data) throws -> Reading
    ) async throws -> Reading? {
        guard let content = body.content else { return nil }
        guard content.count > call.limits.bodyOfPerson else { return try read(content) }
        return try await call.away { call in try await call.amongFiles { try read(content) } }
    }

    /// The answer to OwnTracks when there are no friends to show.
    private static let nobody = Answer.json { $0.list([Never]()) { _, _ in } }

    /// The acknowledgment after which Overland discards its batch.
    private static let taken = Answer.object { $0.member("result", "ok") }

    /// Stores the positions on behalf of the device's person, whatever person the phone names.
    private func record(
        _ reading: PhoneReading, _ body: PhoneBody, _ phone: PhoneProtocol, _ call: Call
    ) async throws -> [Verdict] {
        guard case .device(let device, let person)? = call.principal else {
            preconditionFailure("a route for phones is for devices only")
        }
        unread.note(reading.unreadable, of: device, person, by: phone, at: call.received)
        WorkBudget.count(Self.stepsOfPart * (reading.fixes.count + reading.skipped + reading.unreadable))
        if reading.unreadable > 0 {
            logger.notice(
                "a phone sent an unreadable message",
                metadata: [
                    "protocol": "\(phone.rawValue)", "person": "\(person)", "device": "\(device)",
                    "bytes": "\(body.size)", "sha256": "\(body.hash)",
                    "parts": "\(reading.unreadable)", "request": "\(call.instance)",
                ])
        }
        var verdicts: [Verdict] = []
        var rest = reading.fixes.map { $0.report(of: person, from: device) }[...]
        while !rest.isEmpty {
            let reports = Array(rest.prefix(call.limits.batch))
            rest = rest.dropFirst(reports.count)
            verdicts += try await engine.perform(Record(reports), for: call).verdicts
        }
        counts.note(phone, reading, verdicts)
        // A phone discards what is acknowledged, so it must resend valid positions that look wrong by our slow clock.
        if let newest = reading.fixes.compactMap(\.time).max(),
            engine.checkClock(person, newest: newest, at: call.received), verdicts.contains(.future)
        {
            throw Problem.clockBehind
        }
        return verdicts
    }

    /// The counts since the start.
    @Sendable private func countMessages(_ call: Call) async throws -> Answer {
        .object { json in
            for phone in PhoneProtocol.allCases { json.member(phone.rawValue) { $0.tally(counts[phone]) } }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func tally(_ tally: PhoneCounts.Tally) {
        object { json in
            json.member("requests", tally.requests)
            json.member("skipped", tally.skipped)
            json.member("unreadable", tally.unreadable)
            if tally.unreadTimes > 0 { json.member("unread_times", tally.unreadTimes) }
            if tally.unreadAccuracies > 0 { json.member("unread_accuracies", tally.unreadAccuracies) }
            if tally.rolledOver > 0 { json.member("rolled_over_times", tally.rolledOver) }
            for (word, count) in tally.verdicts.map({ ($0.key.word, $0.value) }).sorted(by: { $0.0 < $1.0 }) {
                json.member(word, count)
            }
        }
    }
}
