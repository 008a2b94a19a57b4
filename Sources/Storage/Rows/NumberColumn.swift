public import GRDB
public import Model

extension Number: DatabaseValueConvertible {
    /// The number itself.
    public var databaseValue: DatabaseValue { rawValue.databaseValue }

    /// The number in a column; nil for any other value.
    public static func fromDatabaseValue(_ value: DatabaseValue) -> Number? {
        Int32.fromDatabaseValue(value).map(Number.init(rawValue:))
    }
}
