package import Model

extension Group {
    /// Reads a group, whose body must name the owner if `owner` is nil.
    package init?(_ fields: inout Fields, id: GroupID, owner: PersonID?) {
        _ = fields.ownID(id, reserved: [])
        let name = fields.requiredText("name", longest: 200)
        let photo = fields.url("photo")
        let timetable = fields.timetable()
        let owner = fields.has("owner") || owner == nil ? fields.id("owner") : owner
        fields.refuseOthers()
        guard let name, let owner else { return nil }
        self.init(id: id, name: name, owner: owner)
        self.photo = photo
        self.timetable = timetable
    }
}

extension JSONWriter {
    package mutating func group(_ group: Group, showsOwner: Bool) {
        member("id", group.id.text)
        member("name", group.name)
        member("photo", group.photo)
        timetable(group.timetable)
        if showsOwner { member("owner", group.owner.text) }
    }
}
