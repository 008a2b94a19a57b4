internal import Foundation
internal import NIOCore

/// Looks up the addresses of a name.
enum AddressLookup {
    /// Those who ask wait on threads of their own: a name server may take half a minute.
    private static let queue = DispatchQueue(label: "cerca.names", attributes: .concurrent)

    /// A name that has no address.
    struct Failure: Error {
        /// What the system says.
        let reason: String
    }

    /// The addresses of a name, in the order in which they are to be tried (RFC 6724).
    ///
    /// - Throws: ``Failure``, or `CancellationError` without waiting for the name server.
    static func addresses(of host: String, port: Int) async throws -> [SocketAddress] {
        let (results, result) = AsyncStream.makeStream(of: Result<[SocketAddress], Failure>.self)
        queue.async {
            result.yield(Result { () throws(Failure) in try lookUp(host, port) })
            result.finish()
        }
        for await addresses in results { return try addresses.get() }
        throw CancellationError()
    }

    private static func lookUp(_ host: String, _ port: Int) throws(Failure) -> [SocketAddress] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var first: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &first)
        guard code == 0 else { throw Failure(reason: String(cString: gai_strerror(code))) }
        defer { freeaddrinfo(first) }
        var addresses: [SocketAddress] = []
        var next = first
        while let info = next?.pointee {
            if let address = info.ai_addr {
                switch info.ai_family {
                case AF_INET:
                    addresses.append(
                        address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { SocketAddress($0.pointee) })
                case AF_INET6:
                    addresses.append(
                        address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { SocketAddress($0.pointee) })
                default: break
                }
            }
            next = info.ai_next
        }
        return addresses
    }
}

extension SocketAddress {
    /// Whether everybody on the internet can reach a host there, and it is written in its own version.
    var isOfInternet: Bool {
        guard let address = IPAddress(self) else { return false }
        return address.isOfInternet && (self.protocol == .inet) == (address.bytes.count == 4)
    }
}
