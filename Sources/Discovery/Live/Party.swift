/// Who takes turns with others at the writer.
enum Party: Hashable {
    /// A person with all devices, or the trusted services.
    case caller(Caller)
    /// What the service does by itself, such as deleting what has been kept long enough.
    case maintenance

    /// How much it does at the writer before others have their turn: services, who speak for many, more than others.
    var turn: Int { self == .caller(.service) ? 4 * Live.turn : Live.turn }

    /// Whether it hands in more when so much of its own, and so much of all, waits for the writer.
    ///
    /// Nobody who has nothing there is refused for what others handed in.
    func mayWait(behind own: Int, of all: Int, _ capacity: Live.Capacity) -> Bool {
        switch self {
        case .maintenance: true  // it does one thing after the other
        case .caller(.service): own <= capacity.queue
        case .caller(.person): own == 0 || own <= capacity.person && all <= capacity.queue
        }
    }
}
