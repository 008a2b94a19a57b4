package import Cities
package import Model

/// What is said of a place beside its document, which has a tag that names its bytes: in lists, and when asked for by name.
extension JSONWriter {
    /// When a place was made, and how many people have it among their favourites.
    package mutating func about(_ place: Place, favourites: Int) {
        member("created", place.created)
        self.favourites(favourites)
    }

    /// How many people have something among their favourites.
    package mutating func favourites(_ count: Int) { if count > 0 { member("favourites", Int64(count)) } }

    /// The nearest city of a place.
    package mutating func city(of place: Place, _ gazetteer: Gazetteer) {
        guard let coordinate = place.coordinate,
            let nearest = gazetteer.cities(nearestTo: coordinate, limit: 1).first
        else { return }
        object("city") { $0.city(nearest) }
    }

    /// A city, and how far it is where that was asked.
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
