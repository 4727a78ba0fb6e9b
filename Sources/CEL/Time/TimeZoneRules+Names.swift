internal import Glibc
import Source
internal import Synchronization

extension TimeZoneRules {
  private static let known = Mutex<[String: TimeZoneRules?]>([:])
  private static let knownLimit = 64

  /// Returns the zone of a name such as `Europe/Berlin`, `UTC` or `+02:00`; nil if unknown.
  ///
  /// Names are looked up in the system's time zone database: in `TZDIR` or the default folders. Zones are cached.
  package static func named(_ name: String) -> TimeZoneRules? {
    if name.isEmpty || name == "UTC" || name == "Z" { return .utc }
    if let offset = fixedOffset(name) { return TimeZoneRules(offset: offset, name: name) }
    if let known = known.withLock({ $0[name] }) { return known }
    let zone = load(name, from: directories)
    known.withLock { zones in
      if zones.count >= knownLimit { zones.removeAll() }
      zones[name] = .some(zone)
    }
    return zone
  }

  /// The name of a zone that an unknown one, such as `Berlin` or `europe/berln`, may stand for; nil for none.
  package static func nearestName(to name: String) -> String? {
    let table = directories.lazy.compactMap { readFile("\($0)/zone.tab") }.first ?? []
    let lines = String(decoding: table, as: UTF8.self).split(separator: "\n")
    let names = lines.compactMap { line -> String? in
      let parts = line.split(separator: "\t")
      return line.hasPrefix("#") || parts.count < 3 ? nil : String(parts[2])
    }
    let given = name.lowercased().replacing(" ", with: "_")
    func place(_ name: String) -> String {
      name.split(separator: "/").last.map { $0.lowercased() } ?? ""
    }
    return names.first { $0.lowercased() == given || place($0) == given }
      ?? Suggestion.nearest(to: given, in: names)
      ?? Suggestion.nearest(to: given, in: names.map(place)).flatMap { near in
        names.first { place($0) == near }
      }
  }

  /// Returns the system's zone from `TZ` or `/etc/localtime`, or UTC.
  package static func system() -> TimeZoneRules {
    if getenv("TZ") != nil { return ofVariable ?? .utc }
    return readFile("/etc/localtime").flatMap { TimeZoneRules(name: "local", tzif: $0) } ?? .utc
  }

  /// The zone in `TZ`; nil if it is not set or unknown.
  package static var ofVariable: TimeZoneRules? {
    guard let value = getenv("TZ") else { return nil }
    var text = String(cString: value)
    if text.hasPrefix(":") { text.removeFirst() }
    if text.hasPrefix("/"), let bytes = readFile(text) {
      return TimeZoneRules(name: text, tzif: bytes)
    }
    if let zone = named(text) { return zone }
    return RecurringRule(text).map { rule in
      TimeZoneRules(
        name: text, transitions: [], following: [], initial: rule.standard, footer: rule)
    }
  }

  /// Loads a zone from the first folder that has it.
  static func load(_ name: String, from directories: [String]) -> TimeZoneRules? {
    // A name is a path inside the database and must not escape it.
    let isSafe =
      name.utf8.count <= 100 && !name.hasPrefix("/")
      && name.utf8.allSatisfy { Lexer.isNamePart($0) || "+-/".utf8.contains($0) }
    guard isSafe else { return nil }
    for directory in directories {
      if let bytes = readFile("\(directory)/\(name)"),
        let zone = TimeZoneRules(name: name, tzif: bytes)
      {
        return zone
      }
    }
    return nil
  }

  private static var directories: [String] {
    let standard = ["/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/etc/zoneinfo"]
    return (getenv("TZDIR").map { [String(cString: $0)] } ?? []) + standard
  }

  /// Parses `±hh:mm` or `hh:mm` and returns seconds ahead of UTC.
  private static func fixedOffset(_ name: String) -> Int? {
    var reader = DigitReader(name)
    guard let seconds = reader.shift(), reader.isAtEnd else { return nil }
    return seconds
  }

  /// Returns the bytes of a file; nil if it cannot be read or has an implausible size.
  private static func readFile(_ path: String) -> [UInt8]? {
    let limit = 1 << 20
    guard let file = fopen(path, "rb") else { return nil }
    defer { fclose(file) }
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      count = fread(buffer.baseAddress, 1, buffer.count, file)
    }
    return bytes.isEmpty || bytes.count == limit ? nil : bytes
  }
}
