package import CEL

/// A reader of events and tasks in iCalendar files (RFC 5545).
package struct CalendarFile {
  /// A content line: name, parameters and value.
  private struct Property {
    let name: String
    var parameters: [String: String] = [:]
    let value: String

    /// The value with escape sequences decoded (§3.3.11).
    var text: Value {
      var result = ""
      var isEscape = false
      for character in value {
        if isEscape {
          result.append(character == "n" || character == "N" ? "\n" : character)
          isEscape = false
        } else if character == "\\" {
          isEscape = true
        } else {
          result.append(character)
        }
      }
      return .string(result)
    }
  }

  /// Converts a local time to a timestamp.
  private let local: (CivilTime) -> Timestamp
  /// Standard offsets from UTC in seconds of the zones defined in the file.
  private var offsets: [String: Int] = [:]
  private var entries: [Value] = []

  private static let maxEntries = 100_000

  private init(local: @escaping (CivilTime) -> Timestamp) { self.local = local }

  /// Returns the entries of a text in order; nil if it is not a calendar.
  ///
  /// - Parameter local: Converts a time without a zone to a timestamp.
  /// - Complexity: O(bytes).
  package static func entries(
    in text: String, local: @escaping (CivilTime) -> Timestamp
  ) -> [Value]? {
    var reader = CalendarFile(local: local)
    return reader.read(text) ? reader.entries : nil
  }

  /// Returns the unfolded lines of a text (§3.1).
  private static func lines(_ text: String) -> [String] {
    var lines: [String] = []
    for line in text.split(whereSeparator: \.isNewline) {
      if let first = line.first, first == " " || first == "\t", let last = lines.indices.last {
        lines[last] += line.dropFirst()
      } else {
        lines.append(String(line))
      }
    }
    return lines
  }

  private static func property(_ line: String) -> Property? {
    var isQuoted = false
    let end = line.firstIndex { character in
      if character == "\"" { isQuoted.toggle() }
      return character == ":" && !isQuoted
    }
    guard let end else { return nil }
    let parts = line[..<end].split(separator: ";", omittingEmptySubsequences: false)
    var property = Property(
      name: parts[0].uppercased(), value: String(line[line.index(after: end)...]))
    for part in parts.dropFirst() {
      let pair = part.split(separator: "=", maxSplits: 1)
      guard pair.count == 2 else { continue }
      property.parameters[pair[0].uppercased()] = String(pair[1].filter { $0 != "\"" })
    }
    return property
  }

  private mutating func read(_ text: String) -> Bool {
    var open: [String] = []
    var found: [Property] = []
    var isCalendar = false
    var zone = ""
    for line in Self.lines(text) {
      guard let property = Self.property(line) else { continue }
      let inner = open.last ?? ""
      switch property.name {
      case "BEGIN":
        let name = property.value.trimmingBlanks.uppercased()
        isCalendar = isCalendar || name == "VCALENDAR"
        if Self.isEntry(name) { found = [] }
        if open.count < 100 { open.append(name) }
      case "END":
        if Self.isEntry(inner), entries.count < Self.maxEntries { add(found, inner) }
        _ = open.popLast()
      case "TZID" where inner == "VTIMEZONE": zone = property.value
      case "TZOFFSETTO" where inner == "STANDARD": offsets[zone] = Self.offset(property.value)
      default: if Self.isEntry(inner) { found.append(property) }
      }
    }
    return isCalendar
  }

  private static func isEntry(_ name: String) -> Bool {
    name == "VEVENT" || name == "VTODO" || name == "VJOURNAL"
  }

  private mutating func add(_ found: [Property], _ component: String) {
    func first(_ name: String) -> Property? { found.first { $0.name == name } }
    func text(_ name: String) -> Value { first(name)?.text ?? .null }
    let start = first("DTSTART").flatMap(moment)
    var end = (first("DTEND") ?? first("DUE")).flatMap(moment)
    if end == nil, let start, let length = first("DURATION").flatMap({ Self.seconds($0.value) }) {
      end = Timestamp(seconds: start.seconds + length)
    }
    let kinds = ["VEVENT": "event", "VTODO": "task", "VJOURNAL": "note"]
    var map = MapValue()
    map["kind"] = .string(kinds[component] ?? "")
    map["uid"] = text("UID")
    map["title"] = text("SUMMARY")
    map["start"] = start.map { .timestamp($0) } ?? .null
    map["end"] = end.map { .timestamp($0) } ?? .null
    map["allDay"] = .bool(first("DTSTART").map { !$0.value.contains("T") } ?? false)
    map["place"] = text("LOCATION")
    map["description"] = text("DESCRIPTION")
    map["url"] = text("URL")
    map["status"] = text("STATUS")
    map["repeats"] = text("RRULE")
    map["organizer"] = first("ORGANIZER").map(Self.person) ?? .null
    map["attendees"] = .list(found.filter { $0.name == "ATTENDEE" }.map(Self.person))
    var tags: [Value] = []
    for property in found where property.name == "CATEGORIES" {
      for tag in property.value.split(separator: ",") {
        tags.append(.string(String(tag).trimmingBlanks))
      }
    }
    map["tags"] = .list(tags)
    entries.append(.map(map))
  }

  /// Returns the name of a person, or else the address.
  private static func person(_ property: Property) -> Value {
    let isMail = property.value.lowercased().hasPrefix("mailto:")
    let address = isMail ? String(property.value.dropFirst(7)) : property.value
    return .string(property.parameters["CN"] ?? address)
  }

  /// Parses `20261120T140000Z`, a time in a named zone, or a date.
  private func moment(_ property: Property) -> Timestamp? {
    let digits = property.value.filter { $0 != "T" && $0 != "Z" }
    guard digits.utf8.allSatisfy(\.isDigit), digits.utf8.count == 8 || digits.utf8.count == 14,
      let number = Int(digits)
    else { return nil }
    let (day, clock) =
      digits.utf8.count == 8 ? (number, 0) : (number / 1_000_000, number % 1_000_000)
    guard
      let date = CivilDate(year: day / 10_000, month: day / 100 % 100, day: day % 100),
      let time = CivilTime(
        date, hour: clock / 10_000, minute: clock / 100 % 100, second: min(clock % 100, 59))
    else { return nil }
    if property.value.hasSuffix("Z") { return time.timestamp() }
    guard let zone = property.parameters["TZID"] else { return local(time) }
    if let rules = TimeZoneRules.named(zone) { return rules.timestamp(of: time) }
    // A Windows zone name: use the standard offset defined in the file.
    return offsets[zone].map { Timestamp(seconds: time.secondsSinceEpoch - Int64($0)) }
  }

  /// Parses an offset such as `+0530` and returns seconds.
  private static func offset(_ text: String) -> Int? {
    guard let number = Int(text.trimmingBlanks.prefix(5)) else { return nil }
    return (number / 100 * 60 + number % 100) * 60
  }

  /// Parses a duration such as `PT1H30M` and returns seconds (§3.3.6).
  private static func seconds(_ text: String) -> Int64? {
    var total: Int64 = 0
    var number: Int64 = 0
    for character in text.uppercased() {
      if let digit = character.wholeNumberValue {
        number = min(number * 10 + Int64(digit), 1_000_000_000)
        continue
      }
      switch character {
      case "W": total += number * 604_800
      case "D": total += number * 86_400
      case "H": total += number * 3_600
      case "M": total += number * 60
      case "S": total += number
      case "P", "T", "+": break
      default: return nil
      }
      number = 0
    }
    return total
  }
}
