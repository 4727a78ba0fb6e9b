import CEL

/// Abbreviations of time zones.
enum ZoneNames {
  /// Returns the offset of a zone from UTC on a day, in seconds; nil for an unknown abbreviation.
  ///
  /// The names of RFC 5322 §4.3; `ET` and the like observe daylight-saving time. An ambiguous name means the most
  /// populous zone: `IST` is India's.
  static func offset(of name: String, on day: CivilDate) -> Int? {
    if let hours = american(name) { return (isSummer(day) ? hours + 1 : hours) * 3_600 }
    for zone in zones.split(separator: " ") where zone.hasPrefix(name) {
      guard zone.dropFirst(name.count).first == "=" else { continue }
      guard let number = Int(zone.dropFirst(name.count + 1)) else { return nil }
      return (number / 100 * 60 + number % 100) * 60
    }
    return nil
  }

  /// The offsets from UTC as hhmm.
  private static let zones = """
    z=0 utc=0 gmt=0 ut=0 wet=0 edt=-400 est=-500 cdt=-500 cst=-600 mdt=-600 mst=-700 pdt=-700 \
    pst=-800 akdt=-800 akst=-900 hst=-1000 sst=-1100 ast=-400 adt=-300 nst=-330 ndt=-230 brt=-300 \
    brst=-200 art=-300 clt=-400 clst=-300 cot=-500 pet=-500 bst=100 cet=100 mez=100 met=100 west=100 \
    wat=100 cest=200 mesz=200 mest=200 eet=200 sast=200 cat=200 eest=300 idt=300 msk=300 msd=400 \
    eat=300 trt=300 gst=400 pkt=500 ist=530 wib=700 ict=700 hkt=800 sgt=800 myt=800 pht=800 awst=800 \
    jst=900 kst=900 acst=930 aest=1000 acdt=1030 aedt=1100 nzst=1200 nzdt=1300
    """

  /// Returns the standard offset in hours of a North American zone named without its season.
  private static func american(_ name: String) -> Int? {
    switch name {
    case "at": -4
    case "et": -5
    case "ct": -6
    case "mt": -7
    case "pt": -8
    default: nil
    }
  }

  /// Whether daylight-saving time is in effect in North America: from the second Sunday of March to the first of
  /// November; before 2007 from the first of April to the last of October.
  private static func isSummer(_ day: CivilDate) -> Bool {
    let isNew = day.year >= 2007
    let (first, last) = isNew ? (3, 11) : (4, 10)
    if day.month != first, day.month != last { return (first..<last).contains(day.month) }
    // The day of the month of the most recent Sunday, today included.
    let sunday = day.day - day.dayOfWeek
    if day.month == first { return sunday >= (isNew ? 8 : 1) }
    return isNew ? sunday < 1 : sunday < 25
  }
}
