internal import CercaClient
internal import Foundation
internal import Geo

/// Sends requests and checks the responses.
struct Exchange: Sendable {
    let plan: CrowdPlan
    let service: CercaClient
    let tally: Tally
    /// The newest acknowledged position of each person.
    let positions: Ledger<ThrottleModel.Point?>
    /// The people whom each person likes.
    let decisions: Ledger<Set<Int>>

    init(plan: CrowdPlan, service: CercaClient, tally: Tally) {
        self.plan = plan
        self.service = service
        self.tally = tally
        positions = Ledger(people: plan.people.count, nil)
        decisions = Ledger(people: plan.people.count, [])
    }

    /// Sends a request, checks the response, and applies it to the person.
    func perform(_ request: Request, of member: inout Member, due: ContinuousClock.Instant) async {
        let message = request.message(of: member.number, in: plan.names)
        member.digest.add(message)
        do {
            switch request {
            case .pings(let fixes): try await send(fixes, message, of: &member, due)
            case .friends(let limit): try await askFriends(message, of: member, limit, due)
            case .stores(let place, let product, let size, let limit):
                let answer = try await ask(message, CercaClient.Page<CercaClient.Store>.self, .stores, due)
                let expected = plan.shops.nearest(to: place, having: product, size: size, limit: limit)
                tally.check(.stores, Checker.stores(answer.items.map(StoreSeen.init), expected: expected), message)
            case .strangers: try await askStrangers(message, of: member, due)
            case .like(let other): try await like(other, message, of: member, due)
            case .history: preconditionFailure("histories are checked at the end")
            }
        } catch {
            if case .pings = request { member.isUncertain = true }
            tally.fail(error)
        }
    }

    private func ask<Answer: Decodable & Sendable>(
        _ message: Message, _ type: Answer.Type, _ kind: Request.Kind, _ due: ContinuousClock.Instant
    ) async throws -> Answer {
        let answer = try await service.ask(message, for: type)
        // Measured from the due time, to include the time that a request waits on the client.
        tally.answered(kind, after: due.duration(to: .now))
        return answer
    }

    private func send(
        _ fixes: [Fix], _ message: Message, of member: inout Member, _ due: ContinuousClock.Instant
    ) async throws {
        positions.begin(member.number)
        let answer = try await ask(message, CercaClient.PingReport.self, .pings, due)
        let hint = answer.hint.flatMap(Hint.init)
        tally.judged(answer.verdicts)
        member.follow(hint)
        guard !member.isUncertain else { return }
        let expected = member.record(fixes)
        let right = expected == answer.verdicts
        tally.check(.verdicts, right ? nil : "\(answer.verdicts), expected \(expected)", message)
        let isHinted = plan.fences.watch(member.number) ? hint.isWithin(member.model.hint) : hint == member.model.hint
        tally.check(
            .hints, isHinted ? nil : "\(String(describing: hint)), expected \(member.model.hint as Any)", message)
        // After a mismatch nothing further can be expected of this person.
        guard right else {
            member.isUncertain = true
            return
        }
        positions.settle(member.number, member.model.shown)
    }

    private func askFriends(
        _ message: Message, of member: Member, _ limit: Int, _ due: ContinuousClock.Instant
    ) async throws {
        let people = [member.number] + plan.friendships.friends[member.number]
        let sight = positions.look(at: people)
        let answer = try await ask(message, CercaClient.Page<CercaClient.PersonNearby>.self, .friends, due)
        guard let sight, positions.holds(sight), let place = sight.values.first??.fix.place else {
            return tally.skip(.friends)
        }
        let known = zip(people, sight.values).dropFirst().compactMap { friend, point in
            point.map {
                Checker.KnownFriend(
                    id: plan.names.person(friend), place: $0.fix.place, at: $0.fix.time, since: $0.since,
                    seenUntil: $0.seenUntil, isExact: plan.isExact(member.number, friend))
            }
        }
        let seen = answer.items.compactMap(FriendSeen.init)
        guard seen.count == answer.items.count else {
            return tally.check(.friends, "an invalid place or time: \(answer.items)", message)
        }
        tally.check(.friends, Checker.friends(seen, of: place, known: known, limit: limit), message)
    }

    private func askStrangers(
        _ message: Message, of member: Member, _ due: ContinuousClock.Instant
    ) async throws {
        let decided = decisions.look(at: [member.number])?.values.first ?? []
        let answer = try await ask(message, CercaClient.Page<CercaClient.Stranger>.self, .strangers, due)
        let friends = plan.friendships.friends[member.number]
        let fault = Checker.strangers(answer.items.map(\.id)) { id in
            guard let other = plan.names.number(of: id), plan.people.contains(other) else { return nil }
            if other == member.number { return "is the caller" }
            if friends.contains(other) { return "is a friend" }
            if decided.contains(other) { return "was decided on before" }
            let profile = plan.profiles[other]
            return profile.isAdult && profile.isDiscoverable ? nil : "must not be discovered"
        }
        tally.check(.strangers, fault, message)
    }

    private func like(
        _ other: Int, _ message: Message, of member: Member, _ due: ContinuousClock.Instant
    ) async throws {
        let mine = decisions.look(at: [member.number])?.values.first ?? []
        decisions.begin(member.number)
        let sight = decisions.look(at: [other])
        let answer = try await ask(message, Answers.Decision.self, .likes, due)
        decisions.settle(member.number, mine.union([other]))
        guard let sight, decisions.holds(sight), let theirs = sight.values.first else { return tally.skip(.likes) }
        let isMatch = theirs.contains(member.number)
        tally.check(.likes, answer.match == isMatch ? nil : "match \(answer.match), expected \(isMatch)", message)
    }
}

extension Hint? {
    /// Whether a hint is not stricter than another; fences may make hints smaller.
    fileprivate func isWithin(_ other: Hint?) -> Bool {
        guard let self, let other else { return self == other }
        return self.beyond <= other.beyond && self.notBefore <= other.notBefore && self.until == other.until
            && (self.from == other.from || self.beyond < other.beyond)
    }
}

extension Hint {
    init?(_ answer: CercaClient.Hint) {
        guard let from = try? Coordinate(latitude: answer.from.lat, longitude: answer.from.lon) else { return nil }
        self.init(
            from: from, beyond: answer.beyondM, notBefore: SimulatedTime(answer.notBefore),
            until: answer.until.map { SimulatedTime($0) })
    }
}

extension FriendSeen {
    init?(_ answer: CercaClient.PersonNearby) {
        guard let place = try? Coordinate(latitude: answer.lat, longitude: answer.lon) else { return nil }
        self.init(
            id: answer.id, place: place, distance: answer.distanceM, bearing: answer.bearing,
            at: SimulatedTime(answer.at), since: answer.since.map { SimulatedTime($0) },
            seenUntil: answer.seenUntil.map { SimulatedTime($0) },
            isExact: answer.precision == "exact")
    }
}

extension StoreSeen {
    init(_ answer: CercaClient.Store) {
        self.init(id: answer.place.id, distance: answer.distanceM, sizes: answer.products.first?.sizes ?? [:])
    }
}
