/// Something that a person had done, at a local time.
package struct Deed: Hashable, Sendable {
  /// The name of the intent or shortcut.
  package let name: String
  package let time: LocalMinute
  /// The kind of the item that was changed last before, if that was shortly before.
  package let item: String?

  package init(_ name: String, at time: LocalMinute, item: String? = nil) {
    self.name = name
    self.time = time
    self.item = item
  }
}

/// A minute of a local day.
package struct LocalMinute: Hashable, Comparable, Sendable {
  /// Days since 1 January 1970.
  package let day: Int
  /// Minutes since the day began, from 0 to 1439.
  package let minute: Int

  package init(day: Int, minute: Int) {
    self.day = day
    self.minute = min(max(minute, 0), 1439)
  }

  /// The day of the week, from 0 for Monday.
  package var weekday: Int { ((day + 3) % 7 + 7) % 7 }

  /// The minutes since another one.
  package func since(_ other: LocalMinute) -> Int {
    (day - other.day) * 1440 + minute - other.minute
  }

  package static func < (left: LocalMinute, right: LocalMinute) -> Bool {
    (left.day, left.minute) < (right.day, right.minute)
  }
}

/// The days on which a habit is followed.
package enum HabitDays: Hashable, Sendable {
  case everyDay
  /// From Monday to Friday.
  case workdays
  /// Saturday and Sunday.
  case weekend
  /// One day of the week, from 0 for Monday.
  case weekday(Int)

  package func contains(_ time: LocalMinute) -> Bool {
    switch self {
    case .everyDay: true
    case .workdays: time.weekday < 5
    case .weekend: time.weekday >= 5
    case .weekday(let day): time.weekday == day
    }
  }

  /// All kinds of days with the day of a time, the widest first.
  static func all(with time: LocalMinute) -> [HabitDays] {
    [.everyDay, time.weekday < 5 ? .workdays : .weekend, .weekday(time.weekday)]
  }
}

/// Something that a person probably wants to do now.
package struct LikelyAction: Hashable, Sendable {
  /// The habit that it follows from.
  package enum Reason: Hashable, Sendable {
    /// It is done on these days, at about this minute of the day.
    case time(HabitDays, minute: Int)
    /// It is done shortly after another thing.
    case after(String)
  }

  package let name: String
  package let reason: Reason
  /// The share of moments like this one in which it is what is done, from 0 to 1.
  package let likelihood: Double
  /// Whether it is done so regularly at its time that it could start by itself.
  package let isRegular: Bool
}
