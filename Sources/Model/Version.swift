/// The release of this program, by semantic versioning.
package enum Version {
    /// What `cerca --version` says, packages are called and the description of the interface has.
    package static let program = "0.2.0"
}
