/// The English names of months and days.
package enum CalendarNames {
  /// January first.
  package static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  /// Sunday first, as `CivilDate.dayOfWeek` counts.
  package static let days = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]

  /// The number of the month, January being 1, that a name or its first three letters mean.
  package static func month(named name: String) -> Int? {
    months.firstIndex { month in
      month.lowercased() == name || (name.utf8.count == 3 && month.lowercased().hasPrefix(name))
        || name == "sept" && month == "September"
    }.map { $0 + 1 }
  }

  /// The day that a name or its first three letters mean, as `CivilDate.dayOfWeek` counts.
  package static func dayOfWeek(named name: String) -> Int? {
    days.firstIndex { day in
      day.lowercased() == name || (name.utf8.count == 3 && day.lowercased().hasPrefix(name))
    }
  }
}
