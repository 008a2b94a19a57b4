internal import Glibc

/// A non-blocking connection of a load generator, with at most one request in progress.
struct LoadSocket {
    private(set) var descriptor: Int32
    /// When the request in progress was sent; nil if there is none.
    private(set) var asked: ContinuousClock.Instant?
    private var answer: [UInt8] = []

    /// Connects to a port of this machine; nil if the connection is refused.
    init?(port: UInt16) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var (address, on) = (sockaddr_in(), Int32(1))
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        guard result == 0, fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 else {
            Glibc.close(descriptor)
            return nil
        }
    }

    func close() { _ = Glibc.close(descriptor) }

    /// Sends a request; false if the connection is closed.
    mutating func send(_ request: [UInt8], at now: ContinuousClock.Instant) -> Bool {
        asked = now
        return Glibc.send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count
    }

    enum Reading {
        case nothing
        case gone
        /// A complete response with this status.
        case answer(Int)
    }

    /// Reads available bytes; `buffer` is scratch space.
    mutating func read(_ buffer: inout [UInt8]) -> Reading {
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return count < 0 && errno == EAGAIN ? .nothing : .gone }
        answer += buffer[..<count]
        guard let length = Self.length(of: answer) else { return .nothing }
        guard answer.count >= length else { return .nothing }
        let status = answer[9..<12].reduce(0) { $0 * 10 + Int($1) - 48 }
        answer.removeAll(keepingCapacity: true)
        asked = nil
        return .answer(status)
    }

    /// The size of a complete response, from its header; nil if the header is incomplete.
    private static func length(of answer: [UInt8]) -> Int? {
        let (end, name) = (Array("\r\n\r\n".utf8), Array("content-length: ".utf8))
        guard answer.count > 12, let body = first(end, in: answer) else { return nil }
        guard let field = first(name, in: answer), field < body else { return body + end.count }
        let digits = answer[(field + name.count)...].prefix { (0x30...0x39).contains($0) }
        return body + end.count + digits.reduce(0) { $0 * 10 + Int($1) - 48 }
    }

    /// The index of some bytes among others, ignoring the case of letters.
    private static func first(_ bytes: [UInt8], in all: [UInt8]) -> Int? {
        guard all.count >= bytes.count else { return nil }
        return (0...all.count - bytes.count).first { start in
            all[start] | 0x20 == bytes[0] | 0x20
                && bytes.indices.allSatisfy { all[start + $0] == bytes[$0] || all[start + $0] | 0x20 == bytes[$0] }
        }
    }
}
