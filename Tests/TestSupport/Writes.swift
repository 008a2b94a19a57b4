package import Discovery
package import Model

package typealias PutPeople = Batch<PutPerson>
package typealias PutPlaces = Batch<PutPlace>
package typealias PutProducts = Batch<PutProduct>
package typealias PutStock = Batch<PutStockItem>

extension PutPeople {
    package init(_ writes: [Write<Person>]) { self.init(writes.map(PutPerson.init)) }
}

extension PutPlaces {
    package init(_ writes: [Write<Place>]) { self.init(writes.map(PutPlace.init)) }
}

extension PutProducts {
    package init(_ writes: [Write<Product>]) { self.init(writes.map(PutProduct.init)) }
}

extension PutStock {
    package init(_ items: [StockItem]) { self.init(items.map(PutStockItem.init)) }
}
