internal import CLibXML2
internal import Model

/// Tracks in GPX 1.0 or 1.1 (https://www.topografix.com/GPX/1/1/): the points of tracks, routes and waypoints; in TCX,
/// Garmin's Training Center Database 2: the points of activities and courses; and in KML.
///
/// libxml2 parses the file in pieces. A document type declaration is rejected before its content is parsed, which rules
/// out entity expansion and external entities. Reading ends at input for which libxml2 needs more than linear time:
/// long tags and many different names.
package struct GPXReader: TrackReader {
    private let document = GPXDocument()

    package var others: Int { document.points.others }
    package var notes: [String] { document.points.notes }

    package func read(_ bytes: [UInt8], into items: inout [TrackItem]) throws(BrokenTrack) {
        try document.read(bytes, isLast: false, into: &items)
    }

    package func finish(into items: inout [TrackItem]) throws(BrokenTrack) {
        try document.read([], isLast: true, into: &items)
    }
}

/// A document that libxml2 is parsing, used by one import at a time.
private final class GPXDocument: @unchecked Sendable {  // libxml2 calls back only within `read`
    /// Size of the pieces passed to libxml2, in bytes.
    private static let piece = 64 << 10
    /// Maximum number of attributes outside of points, namespaces and processing instructions together.
    private static let mostNames = 100_000
    /// Maximum size of a tag, in bytes.
    private static let longestTag = 16 << 10

    private static let isReady: Void = xmlInitParser()

    fileprivate var points = GPXPoints()
    private var parser: xmlParserCtxtPtr?
    private var names = 0
    /// The number of bytes since the start of an open tag; 0 between tags.
    private var tag = 0

    init() {
        _ = Self.isReady
        var handlers = xmlSAXHandler()
        handlers.initialized = 0xdeed_beaf  // XML_SAX2_MAGIC
        handlers.startElementNs = { context, name, _, _, namespaces, _, count, _, attributes in
            GPXDocument.of(context)?.open(name, attributes, Int(count), namespaces: Int(namespaces))
        }
        handlers.processingInstruction = { context, _, _ in GPXDocument.of(context)?.count(1) }
        handlers.endElementNs = { context, name, _, _ in
            GPXDocument.of(context)?.points.close(name.map(GPXDocument.name) ?? "")
        }
        handlers.characters = { context, text, count in
            GPXDocument.of(context)?.points.text(UnsafeBufferPointer(start: text, count: Int(count)))
        }
        handlers.cdataBlock = handlers.characters
        handlers.internalSubset = { context, _, _, _ in GPXDocument.of(context)?.refuseDocumentType() }
        parser = xmlCreatePushParserCtxt(&handlers, Unmanaged.passUnretained(self).toOpaque(), nil, 0, nil)
        xmlCtxtUseOptions(parser, Int32(XML_PARSE_NONET.rawValue))
    }

    deinit { xmlFreeParserCtxt(parser) }

    private static func of(_ context: UnsafeMutableRawPointer?) -> GPXDocument? {
        context.map { Unmanaged<GPXDocument>.fromOpaque($0).takeUnretainedValue() }
    }

    private var line: Int { parser?.pointee.input.map { Int($0.pointee.line) } ?? 0 }

    func read(_ bytes: [UInt8], isLast: Bool, into items: inout [TrackItem]) throws(BrokenTrack) {
        guard let parser else { throw BrokenTrack(detail: "memory for reading it is not available") }
        defer {
            items += points.found
            points.found.removeAll(keepingCapacity: true)
        }
        do throws(BrokenTrack) { try parse(bytes, isLast, parser) } catch {
            points.cut()
            throw error
        }
    }

    private func parse(_ bytes: [UInt8], _ isLast: Bool, _ parser: xmlParserCtxtPtr) throws(BrokenTrack) {
        try measureTags(in: bytes)
        var start = 0
        repeat {
            let count = min(Self.piece, bytes.count - start)
            let code = bytes.withUnsafeBytes { bytes in
                let text = bytes.bindMemory(to: CChar.self)
                return xmlParseChunk(parser, text.baseAddress.map { $0 + start }, Int32(count), isLast ? 1 : 0)
            }
            start += count
            if let fault = points.fault { throw BrokenTrack(detail: fault, line: line) }
            guard code == 0 else { throw BrokenTrack(detail: message, line: line) }
        } while start < bytes.count
    }

    /// Rejects long tags, because libxml2 compares their attributes in quadratic time.
    private func measureTags(in bytes: [UInt8]) throws(BrokenTrack) {
        for byte in bytes {
            if byte == UInt8(ascii: "<") { tag = 1 } else if byte == UInt8(ascii: ">") { tag = 0 }
            guard tag > 0 else { continue }
            tag += 1
            guard tag <= Self.longestTag else {
                throw BrokenTrack(detail: "it has a tag of more than \(Self.longestTag) bytes", line: line)
            }
        }
    }

    /// The name of an element or attribute; empty for one that cannot be known.
    private static func name(_ written: UnsafePointer<UInt8>) -> String {
        let name = String(cString: written)
        return name.isStreamSafe ? name : ""
    }

    /// The error message of libxml2.
    private var message: String {
        guard let error = xmlCtxtGetLastError(parser), let text = error.pointee.message else { return "it is not XML" }
        // For a file that ends early libxml2 reports extra content at the end.
        if error.pointee.code == Int32(XML_ERR_DOCUMENT_END.rawValue), points.depth > 0 {
            return "it ends within its elements"
        }
        return String(String(cString: text).prefix { !$0.isNewline })
    }

    private func open(
        _ name: UnsafePointer<UInt8>?, _ attributes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ count: Int,
        namespaces: Int
    ) {
        guard let name else { return }
        points.open(Self.name(name), line: line)
        // Only the names of attributes outside of points can accumulate in memory.
        self.count(namespaces + (points.readsAttributes ? max(0, count - 2) : count))
        if points.fault != nil { xmlStopParser(parser) }
        guard points.readsAttributes, let attributes else { return }
        // Five pointers per attribute: name, prefix, namespace, and the beginning and end of the value.
        for index in 0..<count {
            guard let name = attributes[5 * index], let start = attributes[5 * index + 3],
                let end = attributes[5 * index + 4]
            else { continue }
            points.attribute(Self.name(name), UnsafeBufferPointer(start: start, count: end - start))
        }
    }

    /// Counts names that libxml2 may keep, besides element names and a point's `lat` and `lon`.
    private func count(_ more: Int) {
        names += more
        guard names > Self.mostNames, points.fault == nil else { return }
        points.fault = "it has more than \(Self.mostNames) attributes and instructions besides its points"
        xmlStopParser(parser)
    }

    private func refuseDocumentType() {
        points.fault = "it has a document type, which tracks do not need"
        xmlStopParser(parser)
    }
}
