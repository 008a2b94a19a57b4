internal import Foundation
internal import Synchronization

/// The `Date` header of answers (RFC 9110, 6.6.1), formatted once a second.
final class DateHeader: Sendable {
    private let made = Mutex((second: 0, text: ""))

    var text: String {
        var now = time(nil)
        return made.withLock { made in
            if made.second != now {
                var parts = tm()
                gmtime_r(&now, &parts)
                let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 40) { buffer in
                    // No locale is set, so the names are English.
                    let count = strftime(buffer.baseAddress, buffer.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
                    return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
                }
                made = (now, text)
            }
            return made.text
        }
    }
}
