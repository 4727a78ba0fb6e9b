/// The standard functions of the language definition on timestamps and durations.
enum TimeFunctions {
  static let all: [LibraryFunction] = [
    .init("timestamp") {
      Function($0) { (moment: Timestamp) in moment }
      Function($0) { (text: String) throws(EvaluationError) in try timestamp(text) }.tryingFirst()
      Function($0) { (seconds: Int64) throws(EvaluationError) in
        let moment = Timestamp(seconds: seconds)
        if moment.isInRange { return moment }
        throw EvaluationError(.overflow("timestamp"))
      }
    },
    .init("duration") {
      Function($0) { (duration: DurationValue) in duration }
      Function($0) { (text: String) throws(EvaluationError) in try duration(text) }.tryingFirst()
      Function($0) { (nanoseconds: Int64) in DurationValue(totalNanoseconds: nanoseconds) }
    },
    .init("getFullYear") { part($0) { Int64($0.date.year) } },
    .init("getMonth") { part($0) { Int64($0.date.month - 1) } },
    .init("getDate") { part($0) { Int64($0.date.day) } },
    .init("getDayOfMonth") { part($0) { Int64($0.date.day - 1) } },
    .init("getDayOfWeek") { part($0) { Int64($0.date.dayOfWeek) } },
    .init("getDayOfYear") { part($0) { Int64($0.date.dayOfYear - 1) } },
    .init("getHours") { part($0) { Int64($0.hour) } + whole($0) { $0 / 3_600_000_000_000 } },
    .init("getMinutes") { part($0) { Int64($0.minute) } + whole($0) { $0 / 60_000_000_000 } },
    .init("getSeconds") { part($0) { Int64($0.second) } + whole($0) { $0 / 1_000_000_000 } },
    .init("getMilliseconds") {
      // The milliseconds within the second; hours and minutes are totals.
      part($0) { Int64($0.nanoseconds / 1_000_000) }
        + whole($0) { $0 % 1_000_000_000 / 1_000_000 }
    },
  ]

  /// Parses a timestamp as `timestamp(text)` does.
  static func timestamp(_ text: String) throws(EvaluationError) -> Timestamp {
    if let moment = Timestamp(rfc3339: text) { return moment }
    throw EvaluationError(
      "\(Value.string(text)) is not a timestamp such as 2026-11-20T14:00:00Z, "
        + "from the year 1 to 9999")
  }

  /// Parses a duration as `duration(text)` does.
  static func duration(_ text: String) throws(EvaluationError) -> DurationValue {
    if let duration = DurationValue(text: text) { return duration }
    throw EvaluationError(
      "\(Value.string(text)) is not a duration such as 90s or 1h30m, up to 292 years")
  }

  /// Returns the overloads that give a component of the civil time, in UTC or in a given zone.
  private static func part(_ name: String, _ part: @escaping @Sendable (CivilTime) -> Int64)
    -> [Function]
  {
    [
      Function(name, .method) { (moment: Timestamp) in part(CivilTime(moment)) },
      Function(name, .method) { (moment: Timestamp, zone: String) throws(EvaluationError) in
        guard let zone = TimeZoneRules.named(zone) else {
          throw EvaluationError("unknown time zone `\(zone)`")
        }
        return part(zone.civilTime(at: moment))
      }.tryingSecond(beside: .timestamp(Timestamp(seconds: 0))),
    ]
  }

  /// Returns the overload that converts the nanoseconds of a duration, rounding towards zero.
  private static func whole(_ name: String, _ unit: @escaping @Sendable (Int64) -> Int64)
    -> [Function]
  {
    [Function(name, .method) { (duration: DurationValue) in unit(duration.totalNanoseconds ?? 0) }]
  }
}
