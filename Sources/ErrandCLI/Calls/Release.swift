/// The release of this program.
enum Release {
  static let version = "0.1.0"
  /// The date of the manual pages.
  static let date = "2026-11-23"
}
