/// What keeps discovery from telling where somebody is.
///
/// All of it is on; only tests, which show what each is good for, turn one off.
package struct Defences: Hashable, Sendable {
    /// Positions exist for strangers as cells of about a kilometre, not to the centimetre.
    package var snaps = true
    /// A public cell changes only well past its border.
    package var hasHysteresis = true
    /// Cells are coarser where few people are.
    package var coarsens = true
    /// Distances are told in few steps, not to the kilometre.
    package var buckets = true
    /// Cells of a bucket come in an order of the viewer's own, not by distance.
    package var keysOrder = true
    /// A viewer moves by the clock of the service, not by that of the device.
    package var goesByServerTime = true
    /// Cursors are sealed.
    package var sealsCursors = true
    /// A privacy zone lies off the place that it is around.
    package var displacesZones = true
    /// In a privacy zone the same cell is told each time, from whatever side it is entered.
    package var remembersZoneCells = true
    /// The throttle's distance does not reach over the border of a privacy zone.
    package var throttlesInsideZones = true
    /// Who blocked somebody answers as who is not there.
    package var hidesBlocks = true
    /// The numbers of events tell a person nothing of what happens to others.
    package var hidesEventNumbers = true
    /// A link ends where it shows that somebody has come, not where they are.
    package var endsLinksWhereShown = true

    package init() {}
}
