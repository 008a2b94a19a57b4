/// Reads the elements of a list in a JSON document one at a time, each as a row of an import.
package struct ListReader<Items: ListedItems>: RowReader {
    private let items: Items
    private var elements = JSONElements(lists: [Items.list], longest: longestImportRow)
    /// The syntax error after which nothing can be read.
    private var fault: JSONText.Fault?
    /// The error of a document that says that it is not complete.
    private var broken: FormError?
    private var number = 0
    private var renamed: Set<String> = []

    package init(_ items: Items) { self.items = items }

    package var notes: [String] { renamed.sorted() }

    package mutating func read(_ bytes: some Sequence<UInt8>) throws(FormError) -> [ImportRow] {
        if let fault { throw .broken(fault) }
        let bytes = Array(bytes)
        var index = 0
        var rows: [ImportRow] = []
        do throws(JSONText.Fault) {
            while let element = try elements.next(bytes, &index) {
                if element.isNamed {
                    if let row = row(element) { rows.append(row) }
                } else if let bytes = element.bytes, case .object(let document)? = try? JSON(bytes) {
                    broken = broken ?? Items.interruption(document)
                }
            }
        } catch { fault = error }
        return rows
    }

    package mutating func finish() throws(FormError) -> [ImportRow] {
        if let fault { throw .broken(fault) }
        do throws(JSONText.Fault) { try elements.finish() } catch {
            throw FormError(.invalidJSON, detail: "The file ends within \(Items.item) \(number + 1) or before its end.")
        }
        if let broken { throw broken }
        guard elements.sawList else {
            throw FormError(.invalidBody, detail: "The file is not a \(Items.whole): it has no '\(Items.list)'.")
        }
        return []
    }

    private mutating func row(_ element: JSONElements.Element) -> ImportRow? {
        number += 1
        guard let bytes = element.bytes else { return ImportRow(number: number, members: .failure(.overlongRow)) }
        guard bytes.first == UInt8(ascii: "{") else { return ImportRow(number: number, members: .failure(Items.fault)) }
        do throws(FormError) {
            guard let members = items.members(try JSON(bytes), &renamed) else { return nil }
            return ImportRow(number: number, members: members)
        } catch {
            return ImportRow(number: number, members: .failure(.row(error.detail)))
        }
    }
}

/// The list that a ``ListReader`` reads.
package protocol ListedItems: Sendable {
    /// The member of the document that holds the list.
    static var list: String { get }
    /// The name of an item in messages; `whole` names the document.
    static var item: String { get }
    static var whole: String { get }
    /// The error for a value that is not such an item.
    static var fault: FieldError { get }

    /// The members of a row, or nil for an element to skip; inserts notes about renamed fields into the set.
    func members(_ json: JSON, _ renamed: inout Set<String>) -> Result<[String: JSON], FieldError>?

    /// The error of a document that says that its list is not complete; `document` is without the list's items.
    static func interruption(_ document: [String: JSON]) -> FormError?
}

extension ListedItems {
    package static func interruption(_ document: [String: JSON]) -> FormError? { nil }
}

extension FormError {
    /// The error for input whose JSON cannot be read any further.
    static func broken(_ fault: JSONText.Fault) -> FormError {
        FormError(.invalidJSON, detail: "The file cannot be read past byte \(fault.byte): \(fault.detail).")
    }
}
