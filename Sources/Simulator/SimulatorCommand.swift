internal import ArgumentParser
internal import AsyncHTTPClient
internal import CercaClient
internal import Dispatch
internal import Foundation
internal import Geo

/// Moves a crowd, sends its positions over HTTP like phones, and checks the responses.
@main
struct SimulatorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulator", abstract: "Move a crowd, send its positions, and check the answers.",
        discussion: """
            The crowd lives in the cities that the service knows and has friends, stores and likes of its own. Its people are \
            'sim<seed>-0' and so on; those of an earlier run with the same seed are replaced. The simulated time ends now. The \
            same seed, options and --until send the same requests, whatever the rate and the number of connections. Any wrong \
            answer or error ends with a code other than 0. For a service with keys set CERCA_TOKEN to a token, which must be \
            a service's; if the thresholds differ from the defaults, CERCA_THROTTLE_DISTANCE_M and so on must be the same \
            here as for the service.
            """)

    @Option(help: "The address of the service, which keeps the people and positions.")
    var url = "http://127.0.0.1:8080"
    @Option(help: "The number of people.") var people = 100
    @Option(help: "The simulated hours, up to now.") var hours = 1.0
    @Option(help: "The seed of all random choices.") var seed: UInt64 = 1
    @Option(help: "When the hours end, such as 2026-11-20T12:00:00Z; not after now.") var until: String?
    @Option(help: "Requests per second, begun at even intervals regardless of the answers.") var rate = 500.0
    @Option(help: "Instead of a rate: simulated seconds per second.") var speed: Double?
    @Flag(help: "Continue after reaching the present, until Ctrl-C.") var live = false
    @Option(help: "The number of connections.") var clients = 32
    @Option(help: "mixed; commuter, waypoint, drift, vehicle or stationary; or shares: commuter=60,vehicle=40.")
    var movement = "mixed"
    @Option(help: "A CSV or GPX file of recorded tracks that people follow, instead of simulated movement.")
    var replay: String?
    @Option(help: "Seconds between two fixes of a phone.") var period = 60.0
    @Option(help: "follow: phones withhold positions that by the hint cannot be stored; ignore: they send all.")
    var hint: Obedience = .follow
    @Option(parsing: .unconditional, help: "The number of fences on the crowd: circles of 50 to 1,000 m around homes.")
    var fences = 0
    @Option(help: "How often per hour each person queries friends, stores or strangers.") var questions = 2.0
    @Option(help: "The city where all live, such as Valencia or 'Valencia, US', instead of many.") var city: String?
    @Option(parsing: .unconditional, help: "The place around which all live, as latitude,longitude, instead of cities.")
    var centre: String?
    @Option(help: "A file for all figures as JSON.") var report: String?
    @Option(help: "A file for a drawing (SVG) of some tracks, true and stored.") var picture: String?
    @Flag(help: "Delete the people from the service at the end.") var remove = false

    enum Obedience: String, ExpressibleByArgument { case follow, ignore }

    func validate() throws {
        guard (1...1_000_000).contains(people), hours > 0, hours <= 10_000, (1...10_000).contains(clients), rate > 0,
            rate.isFinite, speed.map({ $0 > 0 && $0.isFinite }) ?? true, period >= 1, period.isFinite, questions >= 0,
            questions.isFinite
        else {
            throw ValidationError(
                "people is 1 to 1000000, hours above 0 up to 10000, clients 1 to 10000, rate and speed above 0, period 1 or more, questions 0 or more."
            )
        }
        guard (0...1_000_000).contains(fences) else {
            throw ValidationError("--fences is \(fences); must be 0 to 1000000.")
        }
        guard MovementShares(movement) != nil else {
            throw ValidationError("'\(movement)' is neither mixed nor movements with shares: commuter=60,vehicle=40.")
        }
        if let centre, place == nil { throw ValidationError("'\(centre)' is not latitude,longitude.") }
        guard city == nil || centre == nil else { throw ValidationError("--city and --centre exclude each other.") }
        if let until {
            guard let end = SimulatedTime(rfc3339: until), end <= .now else {
                throw ValidationError("'\(until)' is not a time up to now such as 2026-11-20T12:00:00Z.")
            }
        }
        guard !live || until == nil else { throw ValidationError("--live and --until exclude each other.") }
        guard !live || questions > 0 else {
            throw ValidationError(
                "--live needs --questions above 0: people who neither move nor query have nothing to do.")
        }
    }

    private var place: Coordinate? {
        let numbers = (centre ?? "").split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1] else { return nil }
        return try? Coordinate(latitude: latitude, longitude: longitude)
    }

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        guard let address = URL(string: url) else { throw ValidationError("'\(url)' is not an address.") }
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = clients
        configuration.httpVersion = .http1Only
        let http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        // A retry would mix up the statistics of two attempts.
        let service = CercaClient(url: address, token: environment["CERCA_TOKEN"], retries: .none, http: http)
        let result: Result<Report, any Error>
        do { result = .success(try await simulate(with: service, ServiceRules(environment: environment))) } catch {
            result = .failure(error)
        }
        try await http.shutdown()
        switch result {
        case .success(let outcome):
            print(outcome.text)
            if let report { try outcome.write(to: report) }
            if outcome.interrupted ? outcome.wrong > 0 : !outcome.isClean { throw ExitCode(1) }
        case .failure(let error as CercaError):
            throw ValidationError("\(url): \(error.description)")
        case .failure(let error as SimulatorError): throw ValidationError(error.description)
        case .failure(let error): throw error
        }
    }

    private func simulate(with service: CercaClient, _ rules: ServiceRules) async throws -> Report {
        let tracks = try replay.map { try Track.read($0, atLeast: 60) } ?? []
        let end = until.flatMap { SimulatedTime(rfc3339: $0) } ?? .now
        let choice = CrowdPlan.Choice(
            people: people, seed: seed, start: end + -hours * 3600, end: live ? nil : end, period: period,
            follows: hint == .follow, questions: questions, shares: MovementShares(movement) ?? .mixed, tracks: tracks,
            fences: fences)
        let plan = CrowdPlan(choice, in: try await cities(from: service), rules)
        let settlement = Settlement(plan: plan, service: service, connections: clients)
        try await settlement.settle()
        let before = try await FenceEvents(plan: plan, service: service).read().cursor
        let (outcome, members) = await go(plan, service, after: before)
        if let picture {
            try Data(Picture(members, of: plan).svg.utf8).write(to: URL(fileURLWithPath: picture))
        }
        if remove { try await settlement.remove() }
        return outcome
    }

    private func cities(from service: CercaClient) async throws -> Cities {
        if let place { return Cities(around: place, name: nil, .gmt) }
        guard let city else { return try await Cities.fetch(for: people, from: service) }
        guard let found = try await Cities.fetch(named: city, from: service) else {
            throw ValidationError("The service knows no city '\(city)' of more than 15,000 people.")
        }
        return found
    }

    private func go(
        _ plan: CrowdPlan, _ service: CercaClient, after event: String
    ) async -> (Report, [Member]) {
        let tally = Tally()
        let stop = StopSign()
        let signal = Self.stopping(stop)
        defer { signal.cancel() }
        let pace = speed ?? (live ? 60 : nil)
        let load = Load(
            plan: plan, exchange: Exchange(plan: plan, service: service, tally: tally), tally: tally,
            pace: Pace(pace.map { .speed($0, from: plan.choice.start) } ?? .rate(rate)), stop: stop)
        let display = Task { await Display(tally: tally, plan: plan).show() }
        let start = ContinuousClock.now
        let members = await load.run()
        let duration = start.duration(to: .now)
        display.cancel()
        let accounts = Accounts(plan: plan, service: service, tally: tally)
        let errors = stop.isUp ? nil : await accounts.settle(members)
        if !stop.isUp {
            await FenceEvents(plan: plan, service: service).check(members, after: event, tally)
        }
        return (
            Report(plan, tally.now, members, took: duration, rate: pace == nil ? rate : nil, errors), members
        )
    }

    /// Stops the run at Ctrl-C; requests in progress are completed and reported.
    private static func stopping(_ stop: StopSign) -> any DispatchSourceSignal {
        signal(SIGINT, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        source.setEventHandler { stop.raise() }
        source.resume()
        return source
    }
}

/// An error that prevents a run, such as an invalid input.
struct SimulatorError: Error, CustomStringConvertible {
    let description: String
}
