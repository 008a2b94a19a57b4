import Structures
import Testing

/// The compact binary encoding of values.
@Suite struct CompactTests {
    private struct Thing: Codable, Equatable {
        var number: Int
        var text: String?
        var doubles: [Double]
        var flags: [String: Bool]
        var kind: Kind
        var single: Float?
        var big: UInt64
        var range: ClosedRange<Int>
    }

    private indirect enum Kind: Codable, Equatable {
        case nothing
        case named(Int, as: String)
        case things([Thing])
    }

    private struct Nothing: Codable, Equatable {}

    /// An earlier version of ``Thing`` with fewer fields, and one field that was removed since.
    private struct OldThing: Codable { var number: Int, gone: [Kind], big: UInt64 }
    private struct NewThing: Codable, Equatable { var big: UInt64, added: String?, number: Int }

    private let thing = Thing(
        number: -5, text: nil, doubles: [1, -2.5, .infinity], flags: ["yes": true], kind: .named(3, as: "é"),
        single: 1.5, big: .max, range: -1...Int.max)

    private func written() throws -> [UInt8] {
        let writer = CompactWriter([7])
        try writer.write(thing)
        try writer.write(Nothing())
        let mark = writer.mark
        try writer.write(["forgotten": 1])
        writer.goBack(to: mark)
        try writer.write([Kind.nothing, .things([thing, thing])])
        try writer.write("")
        return writer.bytes
    }

    @Test("Values round-trip") func roundTrip() throws {
        var reader = CompactReader(try written(), from: 1)
        #expect(try reader.read() == thing)
        #expect(try reader.read() == Nothing())
        #expect(try reader.read() == [Kind.nothing, .things([thing, thing])])
        #expect(!reader.isAtEnd)
        #expect(try reader.read() == "")
        #expect(reader.isAtEnd)
    }

    @Test("Fields that were added or removed between versions are tolerated") func versions() throws {
        let writer = CompactWriter()
        try writer.write(OldThing(number: 1, gone: [.nothing, .things([thing])], big: 2))
        var reader = CompactReader(writer.bytes)
        #expect(try reader.read() == NewThing(big: 2, added: nil, number: 1))
    }

    @Test("Truncated and damaged bytes are refused") func damaged() throws {
        let bytes = try written()
        for count in 1..<bytes.count {
            var reader = CompactReader(Array(bytes[..<count]), from: 1)
            #expect(throws: DecodingError.self, "\(count) of \(bytes.count) bytes") {
                _ = try reader.read(Thing.self)
                _ = try reader.read(Nothing.self)
                _ = try reader.read([Kind].self)
                _ = try reader.read(String.self)
            }
        }
        var deep = CompactReader([UInt8](repeating: 8, count: 1_000_000))
        #expect(throws: DecodingError.self) { try deep.read([Int].self) }
        var far = CompactReader([7, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01])
        #expect(throws: DecodingError.self) { try far.read(String.self) }
    }
}
