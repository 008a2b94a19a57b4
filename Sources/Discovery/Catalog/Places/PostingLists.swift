internal import Model
internal import Structures

/// Posting lists of places by kind, category and tag, for counts and for lookups of small lists.
struct PostingLists: Sendable {
    private var ofKinds: [Int32: SortedNumbers<PlaceNumber>] = [:]
    private var ofCategories: [Int32: SortedNumbers<PlaceNumber>] = [:]
    private var ofTags: [Int32: SortedNumbers<PlaceNumber>] = [:]

    func ofKind(_ term: Int32) -> [PlaceNumber] { ofKinds[term]?.numbers ?? [] }

    /// One list of places per term; lists of tags may overlap.
    func ofCategories(_ terms: [Int32]) -> [[PlaceNumber]] { terms.map { ofCategories[$0]?.numbers ?? [] } }
    func ofTags(_ terms: [Int32]) -> [[PlaceNumber]] { terms.map { ofTags[$0]?.numbers ?? [] } }

    /// Updates the lists for a place; nil stands for a missing place.
    ///
    /// - Complexity: O(places with an added or removed word), in moves of memory.
    mutating func change(_ number: PlaceNumber, from old: PlaceIndex.Entry?, to new: PlaceIndex.Entry?) {
        if old?.kind != new?.kind {
            if let old { ofKinds.remove(number, of: old.kind) }
            if let new { ofKinds[new.kind, default: SortedNumbers()].insert(number) }
        }
        if old?.category != new?.category {
            if let category = old?.category { ofCategories.remove(number, of: category) }
            if let category = new?.category { ofCategories[category, default: SortedNumbers()].insert(number) }
        }
        let (before, after) = (old?.tags ?? [], new?.tags ?? [])
        for tag in before where !after.contains(tag) { ofTags.remove(number, of: tag) }
        for tag in after where !before.contains(tag) { ofTags[tag, default: SortedNumbers()].insert(number) }
    }
}
