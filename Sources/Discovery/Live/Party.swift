/// Who takes turns with others at the writer.
enum Party: Hashable {
    /// A person with all devices, or the trusted services.
    case caller(Caller)
    /// What the service does by itself, such as deleting what has been kept long enough.
    case maintenance
    /// What messages of a log say, for all who wrote to it: at the writer there is nobody else but maintenance then.
    case log

    /// Whether it speaks for many.
    private var isMany: Bool { self == .caller(.service) || self == .log }

    /// How much it does at the writer before others have their turn: who speaks for many more than others.
    var turn: Int { isMany ? 4 * Live.turn : Live.turn }

    /// Whether nobody has a second turn in a commit that has one of it.
    var isHurried: Bool { !isMany }

    /// Whether it hands in more when so much of its own, and so much of all, waits for the writer.
    ///
    /// Nobody who has nothing there is refused for what others handed in.
    func mayWait(behind own: Int, of all: Int, _ capacity: Live.Capacity) -> Bool {
        switch self {
        case .maintenance, .log: true  // it does one thing after the other
        case .caller(.service): own <= capacity.queue
        case .caller(.person): own == 0 || own <= capacity.person && all <= capacity.queue
        }
    }
}
