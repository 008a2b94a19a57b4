package import Discovery
package import Model

/// JSON encoding of stored documents.
extension JSONWriter {
    package mutating func person(_ person: Person) {
        member("id", person.id.text)
        member("name", person.name)
        member("surname", person.surname)
        member("city", person.city)
        member("born", person.born?.description)
        member("sex", person.sex?.rawValue)
        member("relationship", person.relationship?.rawValue)
        member("email", person.email)
        member("phone", person.phone)
        member("photo", person.photo)
        member("about", person.about)
        attributes(person.attributes)
        member("discoverable", person.isDiscoverable)
        if !person.isSearchable { member("searchable", false) }
        if person.isSearchableByEmail { member("searchable_by_email", true) }
        sharing(person.sharing)
        let throttle = person.throttle
        if throttle != ThrottleOverride() {
            object("throttle") { json in
                json.member("distance_m", throttle.distance)
                json.member("interval_s", throttle.interval?.seconds)
            }
        }
        member("retention_s", person.retention?.seconds)
        member("tokens_not_before", person.tokensNotBefore)
    }

    /// A person's id, name, city and photo.
    package mutating func acquaintance(_ person: Person) {
        member("id", person.id.text)
        member("name", person.name)
        member("surname", person.surname)
        member("city", person.city)
        member("photo", person.photo)
    }

    /// A device without its token.
    package mutating func device(_ listed: ListedDevice) {
        member("id", listed.device.id.text)
        member("since", listed.device.since)
        member("last_heard_at", listed.lastHeard)
    }

    /// The reader's own notes about a friend.
    package mutating func notes(_ notes: [FriendAttribute: String]) {
        for attribute in FriendAttribute.allCases { member(attribute.rawValue, notes[attribute]) }
    }

    /// A person as visible to others.
    package mutating func shown(_ person: Person) {
        acquaintance(person)
        member("about", person.about)
        member("email", person.email)
        member("phone", person.phone)
    }

    /// A place without its area, as visible to a caller; only the owner and services see `owner`.
    ///
    /// Other callers never see it. If it were hidden only from callers whom the owner has blocked, its absence would
    /// reveal the block.
    package mutating func place(_ place: Place, to caller: Caller) {
        member("id", place.id.text)
        member("kind", place.kind)
        member("name", place.name)
        if let coordinate = place.coordinate { self.coordinate(coordinate) }
        member("address", place.address)
        member("category", place.category)
        member("tags", place.tags)
        member("hours", place.hours)
        member("timezone", place.timezone)
        if let owner = place.owner, owner != .deleted, caller.mayAct(for: owner) { member("owner", owner.text) }
        attributes(place.attributes)
    }

    /// A place's whole document, as visible to a caller.
    package mutating func placeDocument(_ place: Place, to caller: Caller) {
        self.place(place, to: caller)
        area(of: place)
    }

    /// The area of a place, which lists contain only on request because it can be long.
    package mutating func area(of place: Place) {
        guard let area = place.area else { return }
        object("area") { json in
            // A feature's geometry holds the position of the place, not the center of its circle.
            let wasInFeature = json.isInFeature
            json.isInFeature = false
            json.area(area.shape)
            json.isInFeature = wasInFeature
        }
    }

    package mutating func product(_ product: Product) {
        member("id", product.id.text)
        member("brand", product.brand)
        member("name", product.name)
        member("category", product.category)
        member("gender", product.gender)
        member("colors", product.colors)
        member("materials", product.materials)
        member("sizes", product.sizes.map(\.text))
        money(product.price)
        member("description", product.description)
        member("url", product.url)
        member("photo", product.photo)
        attributes(product.attributes)
    }

    package mutating func money(_ money: Money?) {
        member("price", money?.minor)
        member("currency", money?.currency.code)
    }

    /// Quantities by size, or `quantity` for a product without sizes.
    package mutating func sizes(_ sizes: [SizeQuantity]) {
        if sizes.map(\.size) == [.none] {
            member("quantity", Int64(sizes[0].quantity))
        } else if !sizes.isEmpty {
            member("sizes") { json in
                json.object { json in for entry in sizes { json.member(entry.size.text, Int64(entry.quantity)) } }
            }
        }
    }

    private mutating func attributes(_ attributes: [String: AttributeValue]) {
        guard !attributes.isEmpty else { return }
        object("attributes") { json in
            for (name, value) in attributes.sorted(by: { $0.key < $1.key }) {
                switch value {
                case .text(let text): json.member(name, text)
                case .number(let number): json.member(name, number)
                case .flag(let flag): json.member(name, flag)
                case .list(let texts): json.member(name) { json in json.list(texts) { $0.value($1) } }
                }
            }
        }
    }

    package mutating func ping(_ ping: StoredPing) {
        member("t", ping.time)
        coordinate(ping.place)
        member("device", ping.device.isEmpty ? nil : ping.device)
        member("accuracy_m", ping.details.accuracy)
        member("altitude_m", ping.details.altitude)
        member("speed_mps", ping.details.speed)
        member("heading", ping.details.heading)
        member("battery", ping.details.battery)
        member("seen_until", ping.seenUntil)
        member("suspect", ping.isSuspect ? true : nil)
    }
}
