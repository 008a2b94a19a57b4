internal import Foundation

/// A progress bar on a terminal; nothing is shown elsewhere.
struct Progress {
    private let label: String
    private let total: Int
    private let isShown: Bool
    private var done = 0
    private var shownPercent = -1
    private let began = ContinuousClock.now

    /// Creates a bar with a total in bytes or any other unit.
    init(_ label: String, total: Int, isQuiet: Bool = false) {
        self.label = label
        self.total = total
        isShown = !isQuiet && isatty(STDERR_FILENO) == 1 && total > 0
    }

    /// Creates a bar for reading a file.
    init(_ file: String, isQuiet: Bool) {
        self.init(URL(fileURLWithPath: file).lastPathComponent, total: Self.size(of: file), isQuiet: isQuiet)
    }

    mutating func advance(by bytes: Int, rows: Int? = nil) { show(done + bytes, rows: rows) }

    /// Shows the part that is done, with rows a second if their number so far is known.
    mutating func show(_ done: Int, rows: Int? = nil) {
        self.done = done
        guard isShown else { return }
        let percent = min(100, done * 100 / total)
        guard percent != shownPercent else { return }
        shownPercent = percent
        let bar = String(repeating: "#", count: percent / 4) + String(repeating: ".", count: 25 - percent / 4)
        let seconds = (ContinuousClock.now - began) / .seconds(1)
        let rate = rows.map { ", \(Int(Double($0) / max(seconds, 0.001))) rows/s" } ?? ""
        FileHandle.standardError.write(Data("\r\(label) [\(bar)] \(percent) %\(rate)\u{1B}[K".utf8))
    }

    /// Erases the bar.
    func end() { if isShown { FileHandle.standardError.write(Data("\r\u{1B}[K".utf8)) } }

    /// Runs `body`, which writes a file, and shows the progress by the size of the file.
    static func watching<Failure: Error>(
        _ file: URL, _ label: String, total: Int, _ body: () throws(Failure) -> Void
    ) throws(Failure) {
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "progress"))
        nonisolated(unsafe) var progress = Progress(label, total: total)  // used only by the timer until it is canceled
        timer.setEventHandler { progress.show(size(of: file.path)) }
        timer.schedule(deadline: .now(), repeating: .milliseconds(200))
        timer.resume()
        defer {
            timer.cancel()
            progress.end()
        }
        try body()
    }

    /// The size of a file in bytes; 0 if there is none.
    static func size(of file: String) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: file)
        return (attributes?[.size] as? NSNumber)?.intValue ?? 0
    }
}
