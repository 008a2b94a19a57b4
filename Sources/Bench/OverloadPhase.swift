internal import Foundation
internal import Glibc

struct OverloadResult {
    /// The number of requests that were due, and of those not sent because no connection was free.
    var (due, unsent) = (0, 0)
    /// The number of successful responses, of rejections due to overload, of other responses, and of broken
    /// connections.
    var (good, shed, other, cut) = (0, 0, 0, 0)
    var seconds = 0.0
    /// Latencies of successful responses in milliseconds, from when the request was sent.
    var (p50, p99, longest) = (0.0, 0.0, 0.0)

    /// Successful responses per second.
    var rate: Double { Double(good) / max(seconds, 0.001) }

    var line: String {
        ([due, unsent, good, shed, other, cut].map(Double.init) + [seconds, p50, p99, longest]).map { "\($0)" }
            .joined(separator: " ")
    }

    init() {}

    init?(line: String) {
        let words = line.split(separator: " ").compactMap { Double($0) }
        guard words.count == 10 else { return nil }
        (due, unsent, good) = (Int(words[0]), Int(words[1]), Int(words[2]))
        (shed, other, cut) = (Int(words[3]), Int(words[4]), Int(words[5]))
        (seconds, p50, p99, longest) = (words[6], words[7], words[8], words[9])
    }
}

/// An open loop at a fixed rate, or a closed loop on each connection.
struct OverloadPhase {
    private let clock = ContinuousClock()
    private let port: UInt16
    /// Requests per second; 0 for a closed loop.
    private let rate: Double
    private let seconds: Double
    private var sockets: [LoadSocket] = []
    private var waiting: [pollfd] = []
    private var free: [Int] = []
    private var result = OverloadResult()
    private var times = Latency()
    private var buffer = [UInt8](repeating: 0, count: 64 << 10)

    init(port: UInt16, rate: Double, connections: Int, seconds: Double) throws {
        (self.port, self.rate, self.seconds) = (port, rate, seconds)
        for index in 0..<connections {
            sockets.append(try connected())
            waiting.append(pollfd(fd: sockets[index].descriptor, events: Int16(POLLIN), revents: 0))
            free.append(index)
        }
    }

    private func connected() throws -> LoadSocket {
        guard let socket = LoadSocket(port: port) else { throw MeasurementError("the service takes no connection") }
        return socket
    }

    mutating func run(_ requests: inout OverloadRequests) throws -> OverloadResult {
        let start = clock.now
        while true {
            let passed = (clock.now - start).seconds
            if passed >= seconds { break }
            try send(dueAfter: passed, &requests)
            guard poll(&waiting, nfds_t(waiting.count), 1) > 0 else { continue }
            for index in waiting.indices where waiting[index].revents != 0 { try read(index) }
        }
        result.seconds = (clock.now - start).seconds
        (result.p50, result.p99) = (times.milliseconds(50), times.milliseconds(99))
        result.longest = times.milliseconds(100)
        for socket in sockets { socket.close() }
        return result
    }

    private mutating func send(dueAfter passed: Double, _ requests: inout OverloadRequests) throws {
        let due = rate == 0 ? free.count : Int(passed * rate) - result.due
        result.due += due
        for sent in 0..<max(0, due) {
            guard let index = free.popLast() else {
                result.unsent += due - sent
                return
            }
            if !sockets[index].send(requests.next(), at: clock.now) { try renew(index) }
        }
    }

    private mutating func read(_ index: Int) throws {
        let asked = sockets[index].asked
        switch sockets[index].read(&buffer) {
        case .answer(let status):
            switch status {
            case 200:
                result.good += 1
                if let asked { times.record(clock.now - asked) }
            case 503: result.shed += 1
            default: result.other += 1
            }
            free.append(index)
        case .gone: try renew(index)
        case .nothing: break
        }
    }

    /// Replaces a broken connection.
    private mutating func renew(_ index: Int) throws {
        result.cut += 1
        sockets[index].close()
        sockets[index] = try connected()
        waiting[index].fd = sockets[index].descriptor
        if !free.contains(index) { free.append(index) }
    }
}

extension Latency {
    fileprivate func milliseconds(_ percentile: Double) -> Double { Double(milliseconds(percentile, digits: 3)) ?? 0 }
}
