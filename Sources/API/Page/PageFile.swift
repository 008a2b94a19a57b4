internal import Foundation
internal import PageFiles

/// An embedded file, by its name.
enum PageFile {
    private static let all: [String: [UInt8]] = {
        var count = 0
        let files = UnsafeBufferPointer(start: cerca_page_files(&count), count: count)
        return Dictionary(
            uniqueKeysWithValues: files.map {
                (String(cString: $0.name), Array(UnsafeBufferPointer(start: $0.bytes, count: $0.length)))
            })
    }()

    /// Whether the file is embedded as gzip.
    static func isCompressed(_ name: String) -> Bool { all["\(name).gz"] != nil }

    /// The file, optionally compressed if it is embedded so; nil if there is none of the name.
    static func bytes(_ name: String, compressed: Bool = false) -> [UInt8]? {
        guard let bytes = all["\(name).gz"] else { return all[name] }
        return compressed ? bytes : Gzip.expanded(Data(bytes), limit: longest).map(Array.init)
    }

    /// More bytes than any file has.
    private static let longest = 16 << 20
}
