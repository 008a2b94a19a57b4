import Geo
import Simulator
import Testing

/// The simulator's independent model of the events that fences must report.
@Suite struct FenceModelTests {
    private let start = SimulatedTime(milliseconds: 1_700_000_000_000)
    private let home: Coordinate

    init() throws { home = try Coordinate(latitude: -17.8, longitude: 179.999) }

    private func east(_ metres: Double) -> Coordinate {
        Geodesic.destination(from: home, bearing: 90, metres: metres)
    }

    /// Fences of 200 m at home and of 100 m at 3 km east, and one that watches another person.
    private func model(_ ways: [(seconds: Double, metres: Double, accuracy: Float?)]) -> FenceModel {
        let fences = CrowdFences([
            CrowdFences.Fence(id: "far", centre: east(3_000), radius: 100, watching: [0]),
            CrowdFences.Fence(id: "another's", centre: home, radius: 300, watching: [1]),
            CrowdFences.Fence(id: "home", centre: home, radius: 200, watching: [0]),
        ])
        var (model, newest): (FenceModel, Fix?) = (FenceModel(of: 0, fences, ServiceRules()), nil)
        for way in ways {
            let fix = Fix(time: start + way.seconds, place: east(way.metres), accuracy: way.accuracy)
            model.judge(fix, after: newest)
            newest = [newest, fix].compactMap(\.self).max { $0.time < $1.time }
        }
        return model
    }

    private func reported(_ model: FenceModel) -> [(fence: Int, isEntry: Bool)] {
        model.passings.map { ($0.fence, $0.isEntry) }
    }

    @Test("Entries, exits, and passages through a fence are expected") func crossings() {
        let model = model([
            (0, -1_000, nil), (60, 0, nil), (120, 195, 30), (180, 225, 30), (240, 235, 30), (300, 6_000, nil),
            (5_000, -6_000, nil), (4_000, 0, nil), (5_060, 40_000, nil),
        ])
        #expect(model.passings.map(\.isEntry) == [true, false, true, false])
        #expect(Set(model.passings.map(\.fence)).count == 2 && model.doubtful.isEmpty)
        #expect(Checker.fences(reported(model), expected: model) == nil)
    }

    @Test("Missing, invented, and reordered events are found") func wrongEvents() {
        let model = model([(0, -1_000, nil), (60, 0, nil), (120, 1_000, nil)])
        let reported = reported(model)
        #expect(reported.count == 2)
        for wrong in [[], Array(reported.dropLast()), reported.reversed(), reported + reported] {
            #expect(Checker.fences(wrong, expected: model) != nil, "\(wrong)")
        }
    }

    @Test("Positions that a phone holds back only within the floor may cause an event") func heldBack() {
        let model = model([])
        let before = Fix(time: start, place: east(-280), accuracy: nil)
        for (seconds, metres, isAny, isByFloor) in [
            (60.0, -230.0, false, false), (60, -190, true, false), (14, -190, true, true), (16, -190, true, false),
        ] {
            let rung = model.rung(by: Fix(time: start + seconds, place: east(metres), accuracy: nil), after: before)
            #expect([rung.isAny, rung.isByFloor] == [isAny, isByFloor], "\(seconds) s, \(metres) m")
        }
        let near = Fix(time: start, place: east(-230), accuracy: nil)
        let rung = model.rung(by: Fix(time: start + 60, place: east(-190), accuracy: nil), after: near)
        #expect([rung.isAny, rung.isByFloor] == [true, true], "40 m on")
    }

    @Test("No event is required where rounding decides") func rounding() {
        let model = model([(0, 0, nil), (60, 230.02, 30), (120, 1_000, nil)])
        #expect(model.doubtful.count == 1)
        for reported in [[], [(model.doubtful.first ?? 0, true)]] {
            #expect(Checker.fences(reported, expected: model) == nil)
        }
    }

    /// A path that only grazes a fence may be reported or not, whatever is reported later.
    @Test("Uncertain events may be reported") func uncertain() {
        func beside(_ metres: Double) -> Coordinate {
            Geodesic.destination(from: east(metres), bearing: 0, metres: 199.95)
        }
        var model = model([])
        let way = [beside(-900), beside(900), east(-900), east(900)].enumerated().map {
            Fix(time: start + 60 * Double($0.offset), place: $0.element, accuracy: nil)
        }
        for (before, fix) in zip([nil] + way, way) { model.judge(fix, after: before) }
        let once = [(fence: 2, isEntry: true), (fence: 2, isEntry: false)]
        #expect(model.passings.map(\.isCertain) == [false, false, true, true, true, true], "\(model.passings)")
        for (reported, isRight) in [
            (once, false), (once + once, true), (once + once + once, true), (once + once + once + once, false),
        ] {
            #expect((Checker.fences(reported, expected: model) == nil) == isRight, "\(reported)")
        }
    }
}
