import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// A vector tile as a reader of its own decodes it: one layer of points.
struct DecodedTile {
    struct Fault: Error {
        let text: String
    }

    struct Point: Equatable {
        var x, y: Int
        /// The attributes; numbers as decimal text.
        var attributes: [String: String]
    }

    private(set) var version = 0
    private(set) var extent = 0
    private(set) var layer = ""
    private(set) var points: [Point] = []

    init(_ bytes: Data) throws {
        let layers = try Self.fields(bytes)
        guard layers.count <= 1 else { throw Fault(text: "several layers") }
        guard let whole = layers.first?.bytes else { return }
        let fields = try Self.fields(whole)
        let keys = fields.filter { $0.number == 3 }.map { String(decoding: $0.bytes, as: UTF8.self) }
        let values = try fields.filter { $0.number == 4 }.map { value in
            guard let field = try Self.fields(value.bytes).first else { throw Fault(text: "no value") }
            return field.number == 1 ? String(decoding: field.bytes, as: UTF8.self) : String(field.integer)
        }
        for field in fields {
            switch field.number {
            case 15: version = Int(field.integer)
            case 5: extent = Int(field.integer)
            case 1: layer = String(decoding: field.bytes, as: UTF8.self)
            case 2: points.append(try Self.point(field.bytes, keys, values))
            default: break
            }
        }
    }

    private static func point(_ bytes: Data, _ keys: [String], _ values: [String]) throws -> Point {
        let fields = try fields(bytes)
        guard let tags = fields.first(where: { $0.number == 2 }), let form = fields.first(where: { $0.number == 4 }),
            fields.first(where: { $0.number == 3 })?.integer == 1
        else { throw Fault(text: "no point") }
        let pairs = try integers(tags.bytes)
        let geometry = try integers(form.bytes)
        guard geometry.count == 3, geometry[0] == 9, pairs.count.isMultiple(of: 2) else {
            throw Fault(text: "geometry \(geometry)")
        }
        func signed(_ number: UInt64) -> Int { Int(number >> 1) ^ -Int(number & 1) }
        var point = Point(x: signed(geometry[1]), y: signed(geometry[2]), attributes: [:])
        for index in stride(from: 0, to: pairs.count, by: 2) {
            point.attributes[keys[Int(pairs[index])]] = values[Int(pairs[index + 1])]
        }
        return point
    }

    private static func integers(_ bytes: Data) throws -> [UInt64] {
        var (rest, numbers) = (bytes, [UInt64]())
        while !rest.isEmpty { numbers.append(try integer(&rest)) }
        return numbers
    }

    private static func integer(_ rest: inout Data) throws -> UInt64 {
        var (number, shift) = (UInt64(0), UInt64(0))
        while let byte = rest.popFirst() {
            number |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return number }
            shift += 7
        }
        throw Fault(text: "ends within a number")
    }

    private static func fields(_ bytes: Data) throws -> [(number: UInt64, integer: UInt64, bytes: Data)] {
        var (rest, fields) = (bytes, [(number: UInt64, integer: UInt64, bytes: Data)]())
        while !rest.isEmpty {
            let key = try integer(&rest)
            let number = try integer(&rest)
            guard key & 7 == 2 else {
                fields.append((key >> 3, number, Data()))
                continue
            }
            guard rest.count >= number else { throw Fault(text: "ends within a field") }
            fields.append((key >> 3, number, Data(rest.prefix(Int(number)))))
            rest = rest.dropFirst(Int(number))
        }
        return fields
    }
}

extension TestServer {
    struct TileReply {
        var status: Int
        var headers: HTTPHeaders
        var body: Data
    }

    /// Gets a tile, such as `store/3/4/2`, whose body is binary.
    func tile(_ path: String, token: String? = nil, headers: [String: String] = [:]) async throws -> TileReply {
        var request = HTTPClientRequest(url: "\(base)/v1/tiles/\(path).mvt")
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        if let token { request.headers.add(name: "authorization", value: "Bearer \(token)") }
        let response = try await testClient.execute(request, timeout: hangLimit)
        let body = try await response.body.collect(upTo: 64 << 20)
        return TileReply(
            status: Int(response.status.code), headers: response.headers, body: Data(body.readableBytesView))
    }

    func points(_ path: String, token: String? = nil) async throws -> [DecodedTile.Point] {
        try DecodedTile(try await tile(path, token: token).body).points
    }
}
