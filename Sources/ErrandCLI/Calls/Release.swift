/// The release that this program is.
enum Release {
  /// Its version.
  static let version = "0.1.0"
}
