/// A trigger of an automation in words: `Every weekday at 08:00` for `at 08:00 mon, tue, wed, thu, fri`.
struct TriggerWords {
  let text: String
  /// The icon's name.
  let icon: String

  private static let days = [
    "mon": "Monday", "tue": "Tuesday", "wed": "Wednesday", "thu": "Thursday", "fri": "Friday",
    "sat": "Saturday", "sun": "Sunday",
  ]

  /// - Parameter trigger: The text of the trigger in `errand automations`.
  init(_ trigger: String) {
    let kind = trigger.prefix { $0 != " " }
    let rest = trigger.dropFirst(kind.count).drop { $0 == " " }
    switch kind {
    case "at":
      let time = rest.prefix { $0 != " " }
      let names = rest.dropFirst(time.count).split(whereSeparator: { ", ".contains($0) })
      (text, icon) = (
        Self.sentence(names.map(String.init), at: time) ?? Self.capital(trigger), "clock"
      )
    case "created": (text, icon) = ("When a \(rest.lowercased()) is added", "plus")
    case "changed": (text, icon) = ("When a \(rest.lowercased()) changes", "pencil")
    case "file": (text, icon) = ("When a file comes to \(rest)", "folder")
    case "share": (text, icon) = ("When something is shared: \(rest)", "inbox")
    case "webhook": (text, icon) = ("When its address “\(rest)” is called", "link")
    case "due": (text, icon) = (Self.due(rest), "clock")
    case "every": (text, icon) = (Self.capital(trigger), "clock")
    default: (text, icon) = (Self.capital(trigger), "calendar")
    }
  }

  /// The days of a week and a time in words; nil for other words, such as those of `between`.
  private static func sentence(_ names: [String], at time: Substring) -> String? {
    let days = names.compactMap { Self.days[$0] }
    guard days.count == names.count else { return nil }
    switch names {
    case []: return "Every day at \(time)"
    case ["mon", "tue", "wed", "thu", "fri"]: return "Every weekday at \(time)"
    case ["sat", "sun"]: return "At weekends at \(time)"
    default: break
    }
    let plural = days.map { $0 + "s" }
    let all = plural.dropLast().joined(separator: ", ")
    return (all.isEmpty ? "" : all + " and ") + (plural.last ?? "") + " at \(time)"
  }

  /// The dates of items, such as `Task by remind`.
  private static func due(_ rest: Substring) -> String {
    let words = rest.split(separator: " ")
    let entity = (words.first ?? "item").lowercased()
    guard words.count == 3, words[1] == "by" else { return "When a \(entity) is due" }
    return words[2] == "remind"
      ? "At each reminder of a \(entity)" : "At `\(words[2])` of a \(entity)"
  }

  private static func capital(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst()
  }
}
