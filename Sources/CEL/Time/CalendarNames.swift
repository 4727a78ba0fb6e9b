/// The English names of months and days.
package enum CalendarNames {
  /// The months, from January.
  package static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  /// The days of the week, from Sunday, indexed by `CivilDate.dayOfWeek`.
  package static let days = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]

  /// Returns the number (1 for January) of a month given by its lowercase name or first three letters.
  package static func month(named name: String) -> Int? {
    position(of: name == "sept" ? "sep" : name, in: months).map { $0 + 1 }
  }

  /// Returns the `CivilDate.dayOfWeek` of a day given by its lowercase name or first three letters.
  package static func dayOfWeek(named name: String) -> Int? { position(of: name, in: days) }

  private static func position(of name: String, in names: [String]) -> Int? {
    names.map { $0.lowercased() }.firstIndex {
      $0 == name || name.utf8.count == 3 && $0.hasPrefix(name)
    }
  }
}
