internal import Interchange
internal import Model

extension Schema {
    /// The text of a size, such as `EU:37.5` or `M`.
    static let size = text(1...24, pattern: "^(-|[A-Za-z0-9._:/-]*[A-Za-z0-9][A-Za-z0-9._:/-]*)$")
    private static let price = integer(0...1_000_000_000_000)

    /// A product in a request.
    static let productForm = form(
        [
            "id": id, "brand": prose(0...200), "name": prose(1...500), "category": prose(0...200),
            "gender": prose(0...200), "colors": list(of: prose(1...200), atMost: 100),
            "materials": list(of: prose(1...200), atMost: 100), "sizes": list(of: size, atMost: 100),
            "price": price, "currency": currency, "description": prose(0...4000), "url": url, "photo": url,
            "attributes": attributes, "created": anything, "favourites": anything,
        ], required: ["name"]
    ).together("price", "currency").named("ProductForm")

    static let product = object([
        "id": id, "brand": text(), "name": text(), "category": text(), "gender": text(), "colors": list(of: text()),
        "materials": list(of: text()), "sizes": list(of: text()), "price": count, "currency": currency,
        "description": text(), "url": url, "photo": url, "attributes": attributes, "created": time,
        "favourites": count, "since": time,
    ]).named("Product")

    /// A store's stock of a product: a quantity per size, or in total.
    static let stockForm = form([
        "price": price, "currency": currency,
        "sizes": map(of: integer(0...1_000_000)).with("propertyNames", .object(size.json)),
        "quantity": integer(0...1_000_000),
    ]).together("price", "currency").apart("sizes", "quantity").named("StockForm")

    static let stock = object(
        [
            "store": id, "product": id, "price": count, "currency": currency, "sizes": map(of: count),
            "quantity": count,
        ], required: ["product"]
    ).named("Stock")
}
