import CEL
import Calendars
import ForeignText
import Items
import JSON

/// A task as a line of other programs, with the members that the line cannot hold.
struct TaskForm {
  private let members: [(String, Value)]
  private let zone: TimeZoneRules

  init(_ item: Item, _ writer: ExportWriter, zone: TimeZoneRules) {
    self.zone = zone
    var members = writer.givenMembers(of: item)
    // Another program refers to tasks by their global ids.
    var ids: [Value: Value] = [:]
    if case .map(let map)? = members.first(where: { $0.0 == ImportRecord.referencesMember })?.1 {
      for entry in map.entries { ids[entry.key] = entry.value }
    }
    for index in members.indices {
      switch members[index] {
      case ("parent", let value): members[index].1 = ids[value] ?? value
      case ("after", .list(let values)):
        members[index].1 = .list(values.map { ids[$0] ?? $0 })
      case (ImportRecord.referencesMember, _):
        members[index].1 = .map(MapValue(entries: ids.values.map { ($0, $0) }))
      case (_, .duration(let length)): members[index].1 = .string(length.text)
      default: break
      }
    }
    self.members = members
  }

  // MARK: Members

  private func value(_ name: String) -> Value { members.first { $0.0 == name }?.1 ?? .null }

  private func text(_ name: String) -> String {
    if case .string(let text) = value(name) { text } else { "" }
  }

  private func list(_ name: String) -> [String] {
    guard case .list(let values) = value(name) else { return [] }
    return values.compactMap { if case .string(let text) = $0 { text } else { nil } }
  }

  private var isDone: Bool { value("done") == true }

  /// The day of a day or moment; empty if there is none.
  private func day(_ name: String) -> String {
    switch value(name) {
    case .string(let text): text
    case .timestamp(let moment): zone.civilTime(at: moment).date.iso8601
    default: ""
    }
  }

  // MARK: todo.txt

  /// Formats a line of todo.txt.
  func todoText() throws -> String {
    let letters = ["high": "A", "medium": "B", "low": "C"]
    let letter = letters[text("priority")]
    var words: [String] = []
    if isDone {
      words = ["x", day("updatedAt")]
    } else if let letter {
      words = ["(\(letter))"]
    }
    let title = text("title").oneLine
    words += [day("createdAt"), title]
    let said = Set(title.split(separator: " ").map(String.init))
    words += ([text("project")].map { "+" + $0 } + list("tags").map { "@" + $0 }).filter {
      $0.count > 1 && !$0.contains(where: \.isWhitespace) && !said.contains($0)
    }
    if isDone, let letter { words.append("pri:\(letter)") }
    for (name, property) in [("due", "due"), ("t", "start")] where !day(property).isEmpty {
      words.append("\(name):\(day(property))")
    }
    if let rule = Self.todoRule(text("repeat")) { words.append("rec:\(rule)") }
    let line = words.filter { !$0.isEmpty }.joined(separator: " ")
    var keys = TaskKeys("todo.txt")
    let rest = try rest(beyond: TodoTextRecords.task(line, 1, &keys))
    return line + (rest.isEmpty ? "" : " errand:" + rest.replacing(" ", with: "\\u0020")) + "\n"
  }

  private static func todoRule(_ text: String) -> String? {
    let words = text.split(separator: " ").map(String.init)
    if text == "every weekday" { return "+1b" }
    if words.last == "done", let length = words.first {
      return length.replacing("mo", with: "m")
    }
    return length(ofRule: words).map { "+" + $0 }
  }

  /// The number and unit of a rule such as `every 2 weeks`; nil for another one.
  private static func length(ofRule words: [String]) -> String? {
    guard (2...3).contains(words.count), words[0] == "every", let unit = words.last else {
      return nil
    }
    let letter = TodoTextRecords.units.first { $0.value == unit || $0.value == unit + "s" }?.key
    return letter.map { (words.count == 3 ? words[1] : "1") + String($0) }
  }

  // MARK: Taskwarrior

  /// Formats an object as `task import` reads it.
  func taskwarrior() throws -> String {
    let letters = ["high": "H", "medium": "M", "low": "L"]
    let rule = text("repeat")
    let words = rule.split(separator: " ").map(String.init)
    let recur =
      TaskwarriorRecords.rules.first { $0.value == rule }?.key
      ?? Self.length(ofRule: words).map { $0.replacing("m", with: "mo") }
    let isTemplate = recur != nil && !isDone && !value("due").isNull
    var fields: [(String, Value)] = [
      ("uuid", value("uid")), ("description", .string(text("title").oneLine)),
      ("status", .string(isDone ? "completed" : isTemplate ? "recurring" : "pending")),
      ("entry", stamp("createdAt")), ("modified", stamp("updatedAt")),
      ("end", isDone ? stamp("updatedAt") : .null), ("due", stamp("due")),
      ("wait", stamp("start")),
      ("priority", letters[text("priority")].map(Value.string) ?? .null),
      ("project", value("project")), ("tags", value("tags")), ("depends", value("after")),
      ("recur", isTemplate ? recur.map(Value.string) ?? .null : .null),
    ]
    let notes = text("notes").asParagraph
    if !notes.isEmpty {
      let note = MapValue([("entry", stamp("updatedAt")), ("description", .string(notes))])
      fields.append(("annotations", .list([.map(note)])))
    }
    fields.removeAll { $0.1.isNull }
    var map = MapValue(fields)
    let rest = try rest(beyond: TaskwarriorRecords.task(map, zone: zone))
    if !rest.isEmpty { map["errand"] = .string(rest) }
    return try JSONWriter().text(of: .map(map))
  }

  /// A day or moment as Taskwarrior writes it, a day as its midnight.
  private func stamp(_ name: String) -> Value {
    let moment: Timestamp
    switch value(name) {
    case .timestamp(let time): moment = time
    case .string(let text):
      guard let date = CivilDate(iso8601: text) else { return .null }
      moment = zone.timestamp(of: CivilTime(date: date))
    default: return .null
    }
    return .string(CalendarStamp(CivilTime(moment), .utc).text)
  }

  private func rest(beyond task: ForeignTask) throws -> String {
    try ExportWriter.rest(of: members, beyond: task.record())
  }
}
