#if Cluster
    internal import Cluster
    internal import Discovery
    internal import Model

    /// Reads the log while what was read before is followed.
    actor Reading {
        private let live: Live
        /// Nil while it reads.
        private var reader: LogReader?
        /// Where ends what was read.
        private var end: Live.ReadMessages.End?

        /// Reads on from where a picture is.
        init(of log: CommandLog, for live: Live) {
            self.live = live
            reader = LogReader(log, from: (live.logProgress?.number ?? 0) + 1)
        }

        /// The next messages; none if there are none for so long, or somebody else waits for them.
        ///
        /// - Throws: ``LogError``; what comes next can be asked for again.
        func next(within limit: Duration) async throws(LogError) -> Live.ReadMessages? {
            guard var reader = reader.take() else { return nil }
            let messages: [LogMessage]
            do throws(LogError) { messages = try await reader.read(within: limit) } catch {
                self.reader = consume reader
                throw error
            }
            self.reader = consume reader
            guard !messages.isEmpty else { return nil }
            let read = live.read(messages.map(LogEntry.init), after: end, at: Clock.now())
            end = read?.end
            return read
        }
    }

    extension LogEntry {
        fileprivate init(_ message: LogMessage) {
            self.init(message.position, message.bytes, at: Timestamp(milliseconds: message.time / 1_000_000))
        }
    }
#endif
