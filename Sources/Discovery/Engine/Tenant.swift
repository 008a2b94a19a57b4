/// A tenant of the writer's fair queue.
enum Tenant: Hashable {
    /// A person with all devices, or the trusted services.
    case caller(Caller)
    /// Background work of the service, such as deleting expired data.
    case maintenance
    /// Entries of a log, on behalf of all who wrote them; the only other tenant is maintenance then.
    case log

    /// Whether it acts for many clients.
    private var isMany: Bool { self == .caller(.service) || self == .log }

    /// Weight of a turn; a tenant that acts for many clients has a larger one.
    var turn: Int { isMany ? 4 * Engine.turnWeight : Engine.turnWeight }

    /// Whether it is latency-sensitive: a commit with a turn of it holds no tenant's second turn.
    var isLatencySensitive: Bool { !isMany }

    /// Whether more is accepted when these weights of its own and of all tenants wait for the writer.
    ///
    /// A person with nothing queued is never refused because of the load of others.
    func mayWait(behind own: Int, of all: Int, _ capacity: Engine.Capacity) -> Bool {
        switch self {
        case .maintenance, .log: true  // it submits one thing after the other
        case .caller(.service): own <= capacity.queue
        case .caller(.person): own == 0 || own <= capacity.person && all <= capacity.queue
        }
    }
}
