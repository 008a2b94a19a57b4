import Foundation

/// Requests of one phone as its app sends them, and their result.
struct PhoneRow: Sendable {
    var name: String
    var sends: [PhoneSend]
    /// The rows of the history as CSV: time, place, device, accuracy, altitude, speed, heading, battery, last seen.
    var stored: [String]

    init(_ name: String, _ sends: PhoneSend..., stored: String...) {
        self.init(name, sends: sends, stored: stored)
    }

    init(_ name: String, sends: [PhoneSend], stored: [String]) {
        self.name = name
        self.sends = sends
        self.stored = stored
    }
}

/// One request and its exact answer.
///
/// `{token}` is the device's token, `{basic}` its form for HTTP Basic.
struct PhoneSend: Sendable {
    /// Method and address.
    var line: String
    var headers: [(name: String, value: String)]
    var body: [UInt8]
    var reply: String

    init(_ line: String, _ headers: KeyValuePairs<String, String>, _ body: String = "", reply: String) {
        self.init(line, headers, bytes: Array(body.utf8), reply: reply)
    }

    init(_ line: String, _ headers: KeyValuePairs<String, String>, bytes: [UInt8], reply: String) {
        self.line = line
        self.headers = headers.map { (name: $0.key, value: $0.value) }
        body = bytes
        self.reply = reply
    }

    /// The bytes of a request with a token, for a connection that is kept open.
    func bytes(_ token: String, length: Int? = nil) -> [UInt8] {
        let basic = Data("ana:\(token)".utf8).base64EncodedString()
        func filled(_ text: String) -> String {
            text.replacing("{token}", with: token).replacing("{basic}", with: basic)
        }
        var head = "\(filled(line)) HTTP/1.1\r\nhost: localhost\r\n"
        for header in headers { head += "\(header.name): \(filled(header.value))\r\n" }
        if !line.hasPrefix("GET ") || !body.isEmpty { head += "content-length: \(length ?? body.count)\r\n" }
        return Array("\(head)\r\n".utf8) + body
    }
}

/// The person `ana` in answers of OwnTracks without other people.
func ownTracksSelf(
    _ latitude: String, _ longitude: String, _ time: Int = 1_795_168_700, tid: String = "AN",
    topic: String = "owntracks/ana/phone", accuracy: Int? = nil
) -> String {
    let acc = accuracy.map { #""acc":\#($0),"# } ?? ""
    return
        #"200 [{"_type":"location","tid":"\#(tid)","lat":\#(latitude),"lon":\#(longitude),"tst":\#(time),\#(acc)"topic":"\#(topic)"},"#
        + #"{"_type":"card","tid":"\#(tid)","name":"Ana"}]"#
}
