public import GRDB
public import Model

extension Number: DatabaseValueConvertible {}

extension Row {
    /// The number of a thing.
    ///
    /// - Throws: ``StorageError/damaged(_:)`` for what is none.
    func integer<Thing>(_ index: Int) throws(StorageError) -> Number<Thing> { Number(rawValue: try integer(index)) }
}
