import CEL
import Glibc

/// A time of day relative to the sun: sunrise or sunset, with an offset.
package struct SunTime: Hashable, Sendable {
  /// The crossing of the horizon.
  package enum Event: String, CaseIterable, Sendable {
    case sunrise, sunset
  }

  package let event: Event
  /// The offset in seconds; negative before the event.
  package let offset: Int

  /// The maximum offset in seconds.
  private static let offsetLimit = 12 * 3_600

  /// Parses `sunrise`, `sunset - 30m` or `sunrise + 1h30m`; nil for any other text.
  package init?(_ text: String) {
    let text = text.lowercased().filter { !$0.isWhitespace }
    guard let event = Event.allCases.first(where: { text.hasPrefix($0.rawValue) }) else {
      return nil
    }
    self.event = event
    let rest = text.dropFirst(event.rawValue.count)
    guard let sign = rest.first else {
      offset = 0
      return
    }
    guard sign == "+" || sign == "-", rest.dropFirst().first?.isNumber == true,
      let length = DurationValue(text: String(rest.dropFirst())), length.nanoseconds == 0,
      length.seconds <= Self.offsetLimit
    else { return nil }
    offset = sign == "-" ? -Int(length.seconds) : Int(length.seconds)
  }

  /// The canonical text.
  package var text: String {
    guard offset != 0 else { return event.rawValue }
    let minutes = abs(offset) / 60
    let parts = [(minutes / 60, "h"), (minutes % 60, "m"), (abs(offset) % 60, "s")]
    let length = parts.filter { $0.0 > 0 }.map { "\($0.0)\($0.1)" }.joined()
    return "\(event.rawValue) \(offset < 0 ? "-" : "+") \(length)"
  }

  /// Returns the times whose event is on a day in a time zone: usually one, none during polar day
  /// or night, and occasionally two, if the sun sets around midnight.
  func moments(on date: CivilDate, in zone: TimeZoneRules, at place: Coordinates) -> [Timestamp] {
    (-1...1).compactMap { shift in
      let day = CivilDate(daysSinceEpoch: date.daysSinceEpoch + shift)
      guard let moment = Self.moment(of: event, onSolarDay: day, at: place),
        zone.civilTime(at: moment).date == date
      else { return nil }
      return Timestamp(seconds: moment.seconds + Int64(offset))
    }
  }

  /// Returns the time of an event on a solar day, or nil if the sun does not cross the horizon.
  ///
  /// Uses the equations of NOAA's solar calculator (gml.noaa.gov/grad/solcalc/calcdetails.html),
  /// from Jean Meeus, “Astronomical Algorithms”, chapters 25 and 28. The sun's upper edge is on the
  /// horizon when its centre is 90.833° from the zenith.
  static func moment(
    of event: Event, onSolarDay date: CivilDate, at place: Coordinates
  ) -> Timestamp? {
    // The sun moves during the day, so its position is recomputed at each approximation.
    var minutes = 720 - 4 * place.longitude
    for _ in 0..<4 {
      let sun = SolarPosition(daysSinceEpoch: Double(date.daysSinceEpoch) + minutes / 1_440)
      let latitude = place.latitude * .pi / 180
      let cosine =
        cos(90.833 * .pi / 180) / (cos(latitude) * cos(sun.declination))
        - tan(latitude) * tan(sun.declination)
      guard (-1...1).contains(cosine) else { return nil }
      let hourAngle = acos(cosine) * 180 / .pi
      let side = event == .sunrise ? hourAngle : -hourAngle
      minutes = 720 - 4 * (place.longitude + side) - sun.equationOfTime
    }
    let midnight = Int64(date.daysSinceEpoch) * 86_400
    return Timestamp(seconds: midnight + Int64((minutes * 60).rounded()))
  }
}

/// The sun's position on the celestial sphere, as required for its rise and set.
private struct SolarPosition {
  /// The angle north of the celestial equator, in radians.
  let declination: Double
  /// The equation of time: sundial minus mean time, in minutes.
  let equationOfTime: Double

  init(daysSinceEpoch days: Double) {
    func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
    // Julian centuries since the epoch J2000.0.
    let t = (days + 2_440_587.5 - 2_451_545) / 36_525
    let meanLongitude = radians(280.46646 + t * (36_000.76983 + t * 0.0003032))
    let anomaly = radians(357.52911 + t * (35_999.05029 - 0.0001537 * t))
    let eccentricity = 0.016708634 - t * (0.000042037 + 0.0000001267 * t)
    let center =
      sin(anomaly) * (1.914602 - t * (0.004817 + 0.000014 * t))
      + sin(2 * anomaly) * (0.019993 - 0.000101 * t) + sin(3 * anomaly) * 0.000289
    let node = radians(125.04 - 1_934.136 * t)
    let longitude = meanLongitude + radians(center - 0.00569 - 0.00478 * sin(node))
    let seconds = 21.448 - t * (46.815 + t * (0.00059 - t * 0.001813))
    let obliquity = radians(23 + (26 + seconds / 60) / 60 + 0.00256 * cos(node))
    declination = asin(sin(obliquity) * sin(longitude))
    let y = tan(obliquity / 2) * tan(obliquity / 2)
    let equation =
      y * sin(2 * meanLongitude) - 2 * eccentricity * sin(anomaly)
      + 4 * eccentricity * y * sin(anomaly) * cos(2 * meanLongitude)
      - 0.5 * y * y * sin(4 * meanLongitude)
      - 1.25 * eccentricity * eccentricity * sin(2 * anomaly)
    equationOfTime = 4 * equation * 180 / .pi
  }
}
