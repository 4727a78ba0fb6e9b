/// Geographic coordinates in degrees.
package struct Coordinates: Hashable, Sendable {
  /// Degrees north of the equator.
  package let latitude: Double
  /// Degrees east of Greenwich.
  package let longitude: Double

  /// Parses `52.52, 13.40` (latitude, longitude); nil for any other text.
  package init?(_ text: String) {
    let parts = text.split { $0 == "," || $0.isWhitespace }.map { Double($0) }
    guard parts.count == 2, let north = parts[0], let east = parts[1], abs(north) <= 90,
      abs(east) <= 180
    else { return nil }
    latitude = north
    longitude = east
  }

  /// The text form that `init` parses.
  package var text: String { "\(latitude), \(longitude)" }
}
