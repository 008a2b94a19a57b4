import Foundation
import GRDB
import Model
import Storage
import TestSupport
import Testing

/// Groups in the database file.
@Suite struct GroupStorageTests {
    @Test("The integrity check names a group whose owner is not a member") func ownerMembership() async throws {
        try await withMigratedFolder { folder in
            let store = try Store(folder: folder)
            let group = Group(id: try ID("team"), name: "Team", owner: try ID("ana"))
            try await store.commit([
                person(0, "ana"), person(1, "luis"), .groups(.put(Versioned(number: 0, revision: 1, value: group))),
                .groups(.joined(0, 0, at: Timestamp(milliseconds: 1))),
            ])
            try store.close()
            func faults() throws -> [String] {
                try DatabaseFile(folder.appending(path: Store.fileName)).integrity { _, _ in }.faults
            }
            #expect(try faults() == [])
            try await openFile(folder).write { db in try db.execute(sql: "UPDATE memberships SET invited_by = 1") }
            #expect(try faults() == ["groups: the owner of 'team' is not a member"])
        }
    }
}
