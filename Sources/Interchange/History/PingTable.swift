internal import Geo
package import Model

/// The columns of a stored ping, under their names in JSON and tables.
package enum PingColumn: String, CaseIterable {
    case t, lat, lon, device
    case accuracy = "accuracy_m"
    case altitude = "altitude_m"
    case speed = "speed_mps"
    case heading, battery
    case seenUntil = "seen_until"
    case suspect

    /// The columns that an import reads.
    package static let imported: [PingColumn] = [
        .device, .t, .lat, .lon, .accuracy, .altitude, .speed, .heading, .battery,
    ]
}

package struct PingTable: Sendable {
    private let columns: [PingColumn]
    private let hasPerson: Bool
    private let form: CSVForm

    package init(columns: [PingColumn], hasPerson: Bool = false, form: CSVForm = CSVForm()) {
        self.columns = columns
        self.hasPerson = hasPerson
        self.form = form
    }

    package var header: [UInt8] {
        CSVTable.line((hasPerson ? ["person"] : []) + columns.map(\.rawValue), form)
    }

    package func append(_ ping: StoredPing, of person: PersonID? = nil, to bytes: inout [UInt8]) {
        if let person {
            bytes.append(contentsOf: CSVTable.quoted(person.text, form).utf8)
            bytes.append(form.delimiter.byte)
        }
        for (index, column) in columns.enumerated() {
            if index > 0 { bytes.append(form.delimiter.byte) }
            append(column, of: ping, to: &bytes)
        }
        bytes.append(UInt8(ascii: "\n"))
    }

    private func append(_ column: PingColumn, of ping: StoredPing, to bytes: inout [UInt8]) {
        let details = ping.details
        switch column {
        case .t: bytes.append(contentsOf: ping.time.rfc3339.utf8)
        case .lat: bytes.append(Int64(ping.place.latitudeE7), decimals: 7)
        case .lon: bytes.append(Int64(ping.place.longitudeE7), decimals: 7)
        case .device: bytes.append(contentsOf: CSVTable.quoted(ping.device, form).utf8)
        case .accuracy: details.accuracy.map { bytes.append($0) }
        case .altitude: details.altitude.map { bytes.append($0) }
        case .speed: details.speed.map { bytes.append($0) }
        case .heading: details.heading.map { bytes.append($0) }
        case .battery: details.battery.map { bytes.append($0) }
        case .seenUntil: ping.seenUntil.map { bytes.append(contentsOf: $0.rfc3339.utf8) }
        case .suspect: if ping.isSuspect { bytes.append(contentsOf: "true".utf8) }
        }
    }
}
