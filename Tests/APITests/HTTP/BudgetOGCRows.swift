extension BudgetRow {
    private static let topics = "/ogc/collections/places_topic/items"

    /// Map programs, which read whole collections in pages.
    static let ogc = [
        BudgetRow("GET /ogc"), BudgetRow("GET /ogc/conformance"), BudgetRow("GET /ogc/api"),
        BudgetRow("GET /ogc/collections"), BudgetRow("GET /ogc/collections", by: .service),
        BudgetRow("GET /ogc/collections/{id}", "/ogc/collections/places_topic"),
        BudgetRow("GET /ogc/collections/{id}/items", "\(topics)?limit=1000"),
        BudgetRow("GET /ogc/collections/{id}/items", "\(topics)?limit=1000&f=html"),
        BudgetRow("GET /ogc/collections/{id}/items", "\(topics)?limit=1000&bbox=-1,39,0,40&attr.texts=none"),
        BudgetRow("GET /ogc/collections/{id}/items", "\(topics)?limit=1000", by: .luis).answered(404),
        BudgetRow("GET /ogc/collections/{id}/items", "/ogc/collections/people/items?limit=1000", by: .service),
        BudgetRow(
            "GET /ogc/collections/{id}/items", "/ogc/collections/people/items?bbox=0,0,1,1&attr.texts=none",
            by: .service),
        BudgetRow("GET /ogc/collections/{id}/items", "/ogc/collections/history/items?limit=1000", by: .service),
        BudgetRow(
            "GET /ogc/collections/{id}/items",
            "/ogc/collections/history/items?datetime=2020-01-01T00:00:00Z&bbox=0,0,1,1", by: .service),
        BudgetRow("GET /ogc/collections/{id}/items/{feature}", "\(topics)/place0"),
    ]
}
