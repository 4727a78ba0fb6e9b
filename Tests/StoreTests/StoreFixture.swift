import CEL
import Store

/// A store in memory with a clock that moves one second a look.
struct StoreFixture {
  let store: EntityStore

  init(at location: StoreLocation = .memory, _ schemas: EntitySchema...) throws {
    store = try EntityStore(at: location, context: Self.context())
    for schema in schemas { try store.prepare(schema) }
  }

  /// A context with a clock that starts in November 2026, and UTC as the zone.
  static func context() -> StoreContext {
    var seconds: Int64 = 1_795_000_000
    var random = SystemRandomNumberGenerator()
    return StoreContext(
      now: {
        seconds += 1
        return Timestamp(seconds: seconds)
      },
      randomBytes: { count in (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) } },
      canonicalURL: { url in
        let lowered = url.lowercased()
        return lowered.hasSuffix("/") ? String(lowered.dropLast()) : lowered
      },
      dateText: { CivilDay($0).text },
      midnight: { CivilDay(text: $0)?.midnight })
  }

  /// A saved web page, as the language's own library declares it.
  static let link = EntitySchema(
    name: "Link",
    properties: [
      PropertySchema(name: "url", type: .url, searchWeight: 2),
      PropertySchema(name: "title", type: .string, isOptional: true, searchWeight: 10),
      PropertySchema(name: "summary", type: .string, isOptional: true, searchWeight: 3),
      PropertySchema(
        name: "tags", type: .list(.string), default: .list([]), searchWeight: 5, isIndexed: true),
      PropertySchema(
        name: "status",
        type: .enumeration(["queued", "processing", "ready", "failed", "archived"]),
        default: .string("queued"), isIndexed: true),
      PropertySchema(name: "source", type: .string, isOptional: true),
    ], identity: "url")
}

/// A day in UTC, counted from 1970-01-01.
struct CivilDay {
  let number: Int64

  init(_ moment: Timestamp) {
    number = (moment.seconds - (moment.seconds % 86_400 + 86_400) % 86_400) / 86_400
  }

  /// Reads `YYYY-MM-DD`.
  init?(text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int64($0) }
    guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2],
      (1...12).contains(month), (1...31).contains(day), (1...9999).contains(year)
    else { return nil }
    let shifted = month > 2 ? year : year - 1
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    number = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    guard self.text == text else { return nil }
  }

  var midnight: Timestamp { Timestamp(seconds: number * 86_400) }

  var text: String {
    let shifted = number + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    func padded(_ number: Int64, _ width: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
  }
}
