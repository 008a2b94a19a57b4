package import Discovery

extension Verdict {
    /// The verdict as answers say it.
    package var word: String {
        switch self {
        case .stored: "stored"
        case .throttledByInterval: "throttled:interval"
        case .throttledByDistance: "throttled:distance"
        case .duplicate: "duplicate"
        case .stale: "stale"
        case .void: "void"
        case .inaccurate: "inaccurate"
        case .future: "future"
        case .impossibleSpeed: "impossible_speed"
        case .unknownPerson: "unknown_person"
        }
    }
}
