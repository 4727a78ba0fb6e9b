import CEL

/// The texts of the fields of one time, by the letters of Unicode's date patterns.
struct DateField {
  private let time: CivilTime
  private let offset: Int
  private let abbreviation: String
  private let zoneName: String

  init(_ moment: Timestamp, _ zone: TimeZoneRules) {
    let period = zone.period(at: moment.seconds)
    offset = period.offset
    abbreviation = period.abbreviation
    zoneName = zone.name
    time = CivilTime(moment, offset: offset)
  }

  /// The text of a field whose letter stands `count` times.
  func text(_ letter: Character, _ count: Int) -> String {
    switch letter {
    case "G": count == 4 ? (isBC ? "Before Christ" : "Anno Domini") : (isBC ? "BC" : "AD")
    case "y": year(isBC ? 1 - time.date.year : time.date.year, count)
    case "u": padded(time.date.year, count)
    case "Y": year(time.date.isoWeek.year, count)
    case "Q", "q": quarter(count)
    case "M", "L": name(CalendarNames.months, at: time.date.month - 1, time.date.month, count)
    case "w": padded(time.date.isoWeek.week, count)
    case "d": padded(time.date.day, count)
    case "D": padded(time.date.dayOfYear, count)
    case "E": dayOfWeek(max(count, 3))
    case "e", "c":
      count < 3 ? padded(time.date.daysSinceMonday + 1, count) : dayOfWeek(count)
    case "a": count == 5 ? (isMorning ? "a" : "p") : (isMorning ? "AM" : "PM")
    case "h": padded((time.hour + 11) % 12 + 1, count)
    case "H": padded(time.hour, count)
    case "K": padded(time.hour % 12, count)
    case "k": padded((time.hour + 23) % 24 + 1, count)
    case "m": padded(time.minute, count)
    case "s": padded(time.second, count)
    case "S": String(padded(Int(time.nanoseconds), 9).prefix(count))
    case "z": abbreviation.allSatisfy(\.isLetter) ? abbreviation : gmt(isLong: count == 4)
    case "O": gmt(isLong: count == 4)
    case "V": zoneName
    case "Z":
      count == 4
        ? gmt(isLong: true) : zone(count == 5 ? .extended : .basic, zulu: count == 5 && offset == 0)
    case "X": zone(form(count), zulu: offset == 0)
    default: zone(form(count), zulu: false)
    }
  }

  private var isBC: Bool { time.date.year < 1 }
  private var isMorning: Bool { time.hour < 12 }

  private func year(_ year: Int, _ count: Int) -> String {
    count == 2 ? padded(((year % 100) + 100) % 100, 2) : padded(year, count)
  }

  private func quarter(_ count: Int) -> String {
    let quarter = (time.date.month - 1) / 3 + 1
    return switch count {
    case 3: "Q\(quarter)"
    case 4: ["1st", "2nd", "3rd", "4th"][quarter - 1] + " quarter"
    default: padded(quarter, count == 5 ? 1 : count)
    }
  }

  private func dayOfWeek(_ count: Int) -> String {
    let name = CalendarNames.days[time.date.dayOfWeek]
    return switch count {
    case 4: name
    case 5: String(name.prefix(1))
    case 6: String(name.prefix(2))
    default: String(name.prefix(3))
    }
  }

  private func name(_ names: [String], at index: Int, _ number: Int, _ count: Int) -> String {
    switch count {
    case 3: String(names[index].prefix(3))
    case 4: names[index]
    case 5: String(names[index].prefix(1))
    default: padded(number, count)
    }
  }

  /// How the distance from UTC is written: `+01`, `+0100` or `+01:00`.
  private enum ZoneForm {
    case hours, basic, extended
  }

  private func form(_ count: Int) -> ZoneForm {
    switch count {
    case 1: .hours
    case 2, 4: .basic
    default: .extended
    }
  }

  private func zone(_ form: ZoneForm, zulu: Bool) -> String {
    if zulu { return "Z" }
    let minutes = abs(offset) / 60
    let sign = offset < 0 ? "-" : "+"
    let hour = padded(minutes / 60, 2)
    let minute = padded(minutes % 60, 2)
    return switch form {
    case .hours: minutes % 60 == 0 ? sign + hour : sign + hour + minute
    case .basic: sign + hour + minute
    case .extended: sign + hour + ":" + minute
    }
  }

  private func gmt(isLong: Bool) -> String {
    if offset == 0 { return "GMT" }
    if isLong { return "GMT" + zone(.extended, zulu: false) }
    let minutes = abs(offset) / 60
    let rest = minutes % 60 == 0 ? "" : ":" + padded(minutes % 60, 2)
    return "GMT\(offset < 0 ? "-" : "+")\(minutes / 60)\(rest)"
  }

  private func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(abs(number))
    let zeros = String(repeating: "0", count: max(0, width - digits.utf8.count))
    return (number < 0 ? "-" : "") + zeros + digits
  }
}
