import ErrandKit
import Glibc

/// A small map drawn from the library alone: a place, the places near it with their names, and a
/// scale bar. North is up, and nothing is loaded from anywhere.
struct PlaceMap {
  /// A place on the map, in metres to the east and to the north of the middle.
  private struct Spot {
    let name: String
    let path: String
    let east: Double
    let north: Double
    var distance: Double { (east * east + north * north).squareRoot() }
  }

  private let name: String
  /// Whom its data is of, as its licence asks; nil for a person's own.
  private let credit: String?
  private let latitude: Double
  private let longitude: Double
  /// The nearest first.
  private let spots: [Spot]

  /// The mean radius of the earth in metres (IUGG).
  private static let radius = 6_371_008.8
  /// The distance in metres up to which places are near.
  private static let near = 20_000.0
  /// The most places beside the one in the middle.
  private static let limit = 8
  private static let width = 320.0
  private static let height = 200.0

  /// A map around an item; nil if it has no coordinates.
  init?(_ item: ItemSnapshot, among others: [ItemSnapshot]) {
    guard let (latitude, longitude) = Self.point(of: item) else { return nil }
    self.latitude = latitude
    self.longitude = longitude
    name = item.title
    credit =
      item["source"]?.string?.hasPrefix("https://www.openstreetmap.org/") == true
      ? " · © OpenStreetMap contributors" : nil
    let found = others.compactMap { other -> Spot? in
      guard other.reference != item.reference, let point = Self.point(of: other) else { return nil }
      // The shorter way around, also across the 180th meridian.
      let turn = (point.longitude - longitude).remainder(dividingBy: 360)
      return Spot(
        name: other.title, path: "/item/\(other.entity)/\(other.id)",
        east: Self.radius * turn * .pi / 180 * cos(latitude * .pi / 180),
        north: Self.radius * (point.latitude - latitude) * .pi / 180)
    }
    spots = Array(
      found.filter { $0.distance <= Self.near }
        .sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(Self.limit))
  }

  private static func point(of item: ItemSnapshot) -> (latitude: Double, longitude: Double)? {
    func number(_ name: String) -> Double? {
      switch item["point"]?[name] {
      case .double(let value)?: value
      case .int(let value)?: Double(value)
      default: nil
      }
    }
    guard let latitude = number("lat"), let longitude = number("lon"),
      (-90...90).contains(latitude), (-180...180).contains(longitude)
    else { return nil }
    return (latitude, longitude)
  }

  /// The map, with the distance and the direction of each place in words.
  func html() -> HTML {
    let reach = max((spots.last?.distance ?? 400) * 1.15, 100)
    // Names need more room at the sides than above and below.
    let scale = (Self.height / 2 - 14) / reach
    var taken: [(x: Double, y: Double)] = [(Self.width / 2, Self.height / 2)]
    let marks = spots.map { spot -> HTML in
      let (x, y) = (Self.width / 2 + spot.east * scale, Self.height / 2 - spot.north * scale)
      // A name that would cover another one is left to the title of its point.
      let isFree = taken.allSatisfy { abs($0.y - y) > 11 || abs($0.x - x) > 110 }
      taken.append((x, y))
      let isLeft = x > Self.width * 0.6
      let label: HTML? =
        isFree
        ? """
        <text x="\(Self.text(x + (isLeft ? -7 : 7)))" y="\(Self.text(y + 4))" text-anchor="\(isLeft ? "end" : "start")">\
        \(Self.short(spot.name))</text>
        """ : nil
      return """
        <a href="\(spot.path)"><title>\(spot.name), \(Self.words(spot.distance)) \(Self.direction(spot.east, spot.north))</title>\
        <circle cx="\(Self.text(x))" cy="\(Self.text(y))" r="4"/>\(label)</a>
        """
    }
    let bar = Self.round(reach * 0.6)
    let end = 12 + bar * scale
    return """
      <figure class="map"><svg viewBox="0 0 \(Int(Self.width)) \(Int(Self.height))" role="group" aria-label="Map of \(name)">\
      <path class="bar" d="M12 184v6H\(Self.text(end))v-6"/><text x="\(Self.text(end + 5))" y="190">\(Self.words(bar))</text>\
      <path class="bar" d="M304 26V10m-4 5 4-5 4 5"/><text x="304" y="38" text-anchor="middle">N</text>\
      \(marks)<circle class="here" cx="160" cy="100" r="6"><title>\(name)</title></circle>\
      <text class="here" x="160" y="89" text-anchor="middle">\(Self.short(name))</text></svg>\
      <figcaption class="hint"><a href="geo:\(Self.text(latitude, 6)),\(Self.text(longitude, 6))">\
      \(Self.text(latitude, 4)), \(Self.text(longitude, 4))</a>\(credit ?? "")</figcaption></figure>
      """
  }

  // MARK: Words

  /// A number with this many decimals, without zeros at its end.
  private static func text(_ value: Double, _ decimals: Int = 1) -> String {
    let factor = pow(10, Double(decimals))
    let rounded = (value * factor).rounded() / factor
    return rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded)
  }

  private static func short(_ name: String) -> String {
    name.count > 20 ? name.prefix(19) + "…" : name
  }

  /// The largest of 1, 2 and 5 with zeros that is not above a length.
  private static func round(_ length: Double) -> Double {
    let power = pow(10, log10(length).rounded(.down))
    return [5, 2, 1].map { $0 * power }.first { $0 <= length } ?? power
  }

  /// A distance in metres or kilometres.
  static func words(_ metres: Double) -> String {
    metres < 995 ? "\(Int(metres.rounded())) m" : "\(text(metres / 1000)) km"
  }

  /// The point of the compass of a place.
  static func direction(_ east: Double, _ north: Double) -> String {
    let names = [
      "north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west",
    ]
    let turn = atan2(east, north) / (.pi / 4)
    return names[(Int(turn.rounded()) + 8) % 8]
  }
}
