internal import Foundation
internal import Storage

/// The clock of the machine.
enum Clock {
    @Sendable static func now() -> Timestamp {
        Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
    }
}
