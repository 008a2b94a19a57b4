internal import Geo
internal import Storage

extension Picture {
    /// The picture of all that is stored.
    static func load(from store: Store, _ gazetteer: Gazetteer) throws(StorageError) -> Picture {
        var picture = Picture(gazetteer: gazetteer)
        try store.forEachPerson { record, homeCell in
            picture.apply(.person(record))
            if let homeCell { picture.apply(.homeCell(person: record.number, homeCell)) }
        }
        try store.forEachPosition { ping in picture.crowd.update(ping.person) { $0.follow(ping) } }
        try store.forEachFriendship { asker, other, asked, since in
            if let since {
                picture.apply(.friendshipMade(asker, other, at: since))
            } else {
                picture.apply(.friendshipAsked(by: asker, of: other, at: asked))
            }
        }
        try store.forEachBlock { person, other in
            picture.apply(.blocked(by: person, other, at: Timestamp(milliseconds: 0)))
        }
        try store.forEachDecision { person, other, likes in
            picture.apply(.decided(by: person, about: other, likes: likes, at: Timestamp(milliseconds: 0)))
        }
        try store.forEachPlace { picture.apply(.place($0)) }
        try store.forEachProduct { picture.apply(.product($0)) }
        try store.forEachStockItem { store, product, price, sizes in
            picture.apply(.stock(store: store, product: product, price: price, sizes: sizes))
        }
        return picture
    }
}
