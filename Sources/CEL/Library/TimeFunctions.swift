/// The functions of the language definition on timestamps and durations.
enum TimeFunctions: FunctionLibrary {
  static let names = [
    "timestamp", "duration", "getFullYear", "getMonth", "getDate", "getDayOfMonth",
    "getDayOfWeek", "getDayOfYear", "getHours", "getMinutes", "getSeconds", "getMilliseconds",
  ]

  static func overloads(of name: String) -> [Function]? {
    switch name {
    case "timestamp": timestampOverloads(name)
    case "duration": durationOverloads(name)
    case "getFullYear": parts(name) { Int64($0.date.year) }
    case "getMonth": parts(name) { Int64($0.date.month - 1) }
    case "getDate": parts(name) { Int64($0.date.day) }
    case "getDayOfMonth": parts(name) { Int64($0.date.day - 1) }
    case "getDayOfWeek": parts(name) { Int64($0.date.dayOfWeek) }
    case "getDayOfYear": parts(name) { Int64($0.date.dayOfYear - 1) }
    case "getHours": parts(name) { Int64($0.hour) } + whole(name, 3_600_000_000_000)
    case "getMinutes": parts(name) { Int64($0.minute) } + whole(name, 60_000_000_000)
    case "getSeconds": parts(name) { Int64($0.second) } + whole(name, 1_000_000_000)
    case "getMilliseconds":
      parts(name) { Int64($0.nanoseconds / 1_000_000) } + [milliseconds(name)]
    default: nil
    }
  }

  /// Reads a moment as `timestamp(text)` does.
  static func timestamp(_ text: String) throws(EvaluationError) -> Timestamp {
    if let moment = Timestamp(rfc3339: text) { return moment }
    throw EvaluationError(
      "\(Value.string(text)) is not a timestamp such as 2026-11-20T14:00:00Z, "
        + "from the year 1 to 9999")
  }

  /// Reads a length of time as `duration(text)` does.
  static func duration(_ text: String) throws(EvaluationError) -> Duration {
    if let duration = Duration(text: text) { return duration }
    throw EvaluationError(
      "\(Value.string(text)) is not a duration such as 90s or 1h30m, up to 292 years")
  }

  private static func timestampOverloads(_ name: String) -> [Function] {
    [
      Function(name) { (moment: Timestamp) in moment },
      Function(name) { (text: String) throws(EvaluationError) in try timestamp(text) },
      Function(name) { (seconds: Int64) throws(EvaluationError) in
        let moment = Timestamp(seconds: seconds)
        if moment.isInRange { return moment }
        throw EvaluationError(.overflow("timestamp"))
      },
    ]
  }

  private static func durationOverloads(_ name: String) -> [Function] {
    [
      Function(name) { (duration: Duration) in duration },
      Function(name) { (text: String) throws(EvaluationError) in try duration(text) },
      Function(name) { (nanoseconds: Int64) in Duration(totalNanoseconds: nanoseconds) },
    ]
  }

  /// A part of what a clock shows, in UTC or in the zone given.
  private static func parts(
    _ name: String, _ part: @escaping @Sendable (CivilTime) -> Int64
  ) -> [Function] {
    [
      Function(name, .method) { (moment: Timestamp) in part(CivilTime(moment)) },
      Function(name, .method) { (moment: Timestamp, zone: String) throws(EvaluationError) in
        guard let zone = TimeZoneRules.named(zone) else {
          throw EvaluationError("there is no time zone named `\(zone)`")
        }
        return part(zone.civilTime(at: moment))
      }.tryingSecond(beside: .timestamp(Timestamp(seconds: 0))),
    ]
  }

  /// All of a duration in a unit, rounded towards zero.
  private static func whole(_ name: String, _ unit: Int64) -> [Function] {
    [
      Function(name, .method) { (duration: Duration) in
        (duration.totalNanoseconds ?? 0) / unit
      }
    ]
  }

  /// The milliseconds of a duration after its whole seconds, unlike its hours and minutes.
  private static func milliseconds(_ name: String) -> Function {
    Function(name, .method) { (duration: Duration) in
      (duration.totalNanoseconds ?? 0) % 1_000_000_000 / 1_000_000
    }
  }
}
