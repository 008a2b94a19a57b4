/// A type whose values are the default in most entities.
package protocol HasDefault {
    /// The default value.
    static var usual: Self { get }
    /// Whether the value is the default.
    var isUsual: Bool { get }
}

extension HasDefault where Self: Equatable {
    package var isUsual: Bool { self == Self.usual }
}

/// A boxed value that takes eight bytes, and no further memory while it is the default.
///
/// Other values are in a copy-on-write box.
@propertyWrapper
package struct BoxedIfNonDefault<Value: HasDefault & Sendable>: Sendable {
    private final class Box: @unchecked Sendable {  // it is changed only while uniquely referenced
        var value: Value

        init(_ value: Value) { self.value = value }
    }

    /// nil for the default.
    private var box: Box?

    package init() {}

    package var wrappedValue: Value {
        _read {
            if let box { yield box.value } else { yield Value.usual }
        }
        _modify {
            if isKnownUniquelyReferenced(&box), let own = box.take() {
                defer { box = own.value.isUsual ? nil : own }
                yield &own.value
            } else {
                var own = wrappedValue
                defer { box = own.isUsual ? nil : Box(own) }
                yield &own
            }
        }
    }

    /// The additional bytes of memory.
    package var bytes: Int { box == nil ? 0 : 16 + MemoryLayout<Value>.size }
}

extension BoxedIfNonDefault: Equatable where Value: Equatable {
    package static func == (a: BoxedIfNonDefault, b: BoxedIfNonDefault) -> Bool {
        a.box === b.box || a.wrappedValue == b.wrappedValue
    }
}

extension BoxedIfNonDefault: Hashable where Value: Hashable {
    package func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

extension BoxedIfNonDefault: Codable where Value: Codable {
    package init(from decoder: any Decoder) throws {
        self.init()
        wrappedValue = try Value(from: decoder)
    }

    package func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}
