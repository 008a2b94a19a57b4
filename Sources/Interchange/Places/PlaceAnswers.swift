package import Cities
package import Model

/// The members besides a place's document, whose entity tag covers only the document.
extension JSONWriter {
    /// The creation time of a place and the number of people who have it as a favorite.
    package mutating func about(_ place: Place, favourites: Int) {
        member("created", place.created)
        self.favourites(favourites)
    }

    /// The number of people who have an entity as a favorite.
    package mutating func favourites(_ count: Int) { if count > 0 { member("favourites", Int64(count)) } }

    package mutating func city(of place: Place, _ gazetteer: Gazetteer) {
        guard let coordinate = place.coordinate,
            let nearest = gazetteer.cities(nearestTo: coordinate, limit: 1).first
        else { return }
        object("city") { $0.city(nearest) }
    }

    /// A city, with its distance if known.
    package mutating func city(_ nearby: CityNearby) {
        let city = nearby.city
        member("name", city.name)
        member("country", city.country)
        coordinate(city.coordinate)
        member("population", Int64(city.population))
        member("timezone", city.timezone)
        if let decimetres = nearby.decimetres { member("distance_m", tenths: decimetres) }
    }
}
