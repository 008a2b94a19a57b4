/// The privacy defenses of discovery.
///
/// All are on. Only tests turn one off, to demonstrate the attack it prevents.
package struct Defences: Hashable, Sendable {
    /// Strangers see positions as cells of about a kilometer, not exactly.
    package var quantizesToCells = true
    /// A public cell changes only well past its border (hysteresis).
    package var hasHysteresis = true
    /// Cells are coarser where few people are (*k*-anonymity).
    package var coarsens = true
    /// Distances are shown in a few buckets, not to the kilometer.
    package var buckets = true
    /// Cells of a bucket come in a keyed order of the viewer's own, not by distance.
    package var shufflesByViewer = true
    /// A search origin moves by the service's clock, not by the device's.
    package var movesOriginByServerClock = true
    /// Cursors are encrypted and authenticated.
    package var sealsCursors = true
    /// The center of a privacy zone is displaced.
    package var displacesZones = true
    /// A privacy zone shows the same cell at each entry, from any side.
    package var remembersZoneCells = true
    /// The throttle's distance does not reach across the border of a privacy zone.
    package var throttlesInsideZones = true
    /// A person who blocked the caller is reported as unknown.
    package var hidesBlocks = true
    /// Event numbers reveal nothing about other people's events.
    package var hidesEventNumbers = true
    /// A link ends by an arrival that it shows, not by the exact position.
    package var endsLinksWhereShown = true

    package init() {}
}
