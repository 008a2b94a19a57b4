public import GRDB
public import Model

extension Number: DatabaseValueConvertible {
    /// The number itself.
    public var databaseValue: DatabaseValue { rawValue.databaseValue }

    /// The number that a column holds; nil for what is none.
    public static func fromDatabaseValue(_ value: DatabaseValue) -> Number? {
        Int32.fromDatabaseValue(value).map(Number.init(rawValue:))
    }
}

extension Row {
    /// The number of a thing.
    ///
    /// - Throws: ``StorageError/damaged(_:)`` for what is none.
    func integer<Thing>(_ index: Int) throws(StorageError) -> Number<Thing> { Number(rawValue: try integer(index)) }
}
