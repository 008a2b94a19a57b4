extension Verdict {
    /// The verdict's name in answers.
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

    /// The verdict's description in the documents.
    package var meaning: String {
        switch self {
        case .stored: "on disk before the answer"
        case .throttledByInterval: "too soon before or after a stored position; not on disk"
        case .throttledByDistance: "too near the previous stored position; not on disk"
        case .duplicate: "the same device sent the same position and time before, and it was stored"
        case .stale: "older than `retention`, the service's or the person's"
        case .void: "0°, 0° without an accuracy, which receivers report when they have no position"
        case .inaccurate:
            "its `accuracy_m` is above the setting `accuracy_m`, and less than `patience_s` before it a position was stored"
        case .future:
            "its time is more than `future_s` after its receipt; it can be sent again after that time"
        case .impossibleSpeed: "the person would have been faster than `max_speed_mps`"
        case .unknownPerson: "the person does not exist, or the caller may not act for them"
        }
    }
}
