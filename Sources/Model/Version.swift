/// The release of this program, by semantic versioning.
package enum Version {
    /// The version in `cerca --version`, package names and the API description.
    package static let program = "0.3.0"
}
