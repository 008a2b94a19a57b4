internal import Geo
internal import Model

extension Transaction {
    func write(_ change: CatalogueChange) throws {
        switch change {
        case .place(let record):
            try indexing(.places, record.number) { try write(record) }
            try index(record.number, at: record.value.coordinate)
        case .placeDeleted(let number):
            try indexing(.places, number) { try erase("places", number) }
            try index(number, at: nil)
        case .product(let record, let made):
            try indexing(.products, record.number) { try write(record, made: made) }
        case .productDeleted(let number):
            try indexing(.products, number) { try run("DELETE FROM products WHERE number = ?", [number]) }
        case .stock(let store, let product, let price, let sizes):
            try run(
                "INSERT OR REPLACE INTO stock (store, product, price, currency, sizes) VALUES (?, ?, ?, ?, ?)",
                [store, product, price?.minor, price?.currency.code, try ColumnText.encode(sizes)])
        case .stockDeleted(let store, let product):
            try run("DELETE FROM stock WHERE store = ? AND product = ?", [store, product])
        }
    }

    private func write(_ record: Versioned<Place>) throws {
        let place = record.value
        let area = place.area.flatMap { AreaBlob.encode($0.shape) }
        try run(
            """
            INSERT INTO places (\(Store.placeColumns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (number) DO UPDATE SET (revision, kind, name, address, category, tags, hours, timezone, owner,
                attributes, position, area, area_within_m) = (excluded.revision, excluded.kind, excluded.name,
                excluded.address, excluded.category, excluded.tags, excluded.hours, excluded.timezone, excluded.owner,
                excluded.attributes, excluded.position, excluded.area, excluded.area_within_m)
            """,
            [
                record.number, place.id.text, record.revision, place.kind, place.name, place.address, place.category,
                try ColumnText.encode(place.tags), place.hours, place.timezone, place.owner?.text,
                try ColumnText.encode(place.attributes), place.coordinate.map(PointBlob.encode),
                place.created?.milliseconds, area?.geometry, area?.within,
            ])
    }

    private func write(_ record: Versioned<Product>, made: Timestamp) throws {
        let product = record.value
        try run(
            """
            INSERT INTO products (\(Store.productColumns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (number) DO UPDATE SET (revision, brand, name, category, gender, colors, materials, sizes,
                price, currency, description, url, photo, attributes) = (excluded.revision, excluded.brand,
                excluded.name, excluded.category, excluded.gender, excluded.colors, excluded.materials, excluded.sizes,
                excluded.price, excluded.currency, excluded.description, excluded.url, excluded.photo,
                excluded.attributes)
            """,
            [
                record.number, product.id.text, record.revision, product.brand, product.name, product.category,
                product.gender, try ColumnText.encode(product.colors), try ColumnText.encode(product.materials),
                try ColumnText.encode(product.sizes.map(\.text)), product.price?.minor, product.price?.currency.code,
                product.description, product.url, product.photo, made.milliseconds,
                try ColumnText.encode(product.attributes),
            ])
    }
}
