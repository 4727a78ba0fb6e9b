import CEL

/// CEL's getters of a moment's parts, as the person's clock shows them.
///
/// CEL has them in UTC; with a zone, `m.getHours("UTC")`, they are CEL's own.
enum LocalGetters {
  /// Their names.
  static let names = [
    "getFullYear", "getMonth", "getDate", "getDayOfMonth", "getDayOfWeek", "getDayOfYear",
    "getHours", "getMinutes", "getSeconds", "getMilliseconds",
  ]

  /// All of them.
  static func all(_ clock: LocalClock) -> [Function] {
    [
      getter("getFullYear", clock) { $0.date.year },
      getter("getMonth", clock) { $0.date.month - 1 },
      getter("getDate", clock) { $0.date.day }, getter("getDayOfMonth", clock) { $0.date.day - 1 },
      getter("getDayOfWeek", clock) { $0.date.dayOfWeek },
      getter("getDayOfYear", clock) { $0.date.dayOfYear - 1 },
      getter("getHours", clock) { $0.hour }, getter("getMinutes", clock) { $0.minute },
      getter("getSeconds", clock) { $0.second },
      getter("getMilliseconds", clock) { Int($0.nanoseconds / 1_000_000) },
    ]
  }

  private static func getter(
    _ name: String, _ clock: LocalClock, _ part: @escaping @Sendable (CivilTime) -> Int
  ) -> Function {
    Function(name, .method) { (moment: Timestamp) in Int64(part(clock.time(at: moment))) }
  }
}
