import CEL
import Calendars
import ForeignText
import Items
import JSON

/// Reads tasks of Taskwarrior: the JSON of `task export`, the files of version 2 and the database of version 3, which
/// hold the same fields.
struct TaskwarriorRecords {
  private let zone: TimeZoneRules

  private init(_ zone: TimeZoneRules) { self.zone = zone }

  /// A task as it was read.
  private typealias Raw = (number: Int, fields: MapValue)

  /// Reads a list of objects, one a line, or a file of version 2.
  static func records(_ window: ByteWindow, zone: TimeZoneRules) -> [ImportRecord] {
    var head = window
    if head.byte() == UInt8(ascii: "["), head.byte(at: 1)?.isLetter ?? false {
      return records(lines: head, zone: zone)
    }
    var pieces = JSONPieces(window)
    var raw: [Raw] = []
    var problems: [ImportRecord] = []
    do {
      let isList = pieces.take("[")
      while pieces.peek() != nil, !(isList && pieces.take("]")) {
        if pieces.take(",") { continue }
        let line = pieces.window.line
        if case .map(let map) = try pieces.value() {
          raw.append((line, map))
        } else {
          problems.append(ImportRecord(number: line, content: .bad("not a task")))
        }
      }
    } catch {
      let reason = "reading stopped here: \(error.reason)"
      problems.append(ImportRecord(number: error.line, content: .damage(reason)))
    }
    return TaskwarriorRecords(zone).records(raw) + problems
  }

  /// Reads `pending.data` or `completed.data`: lines such as `[description:"Pay rent" due:"1767308400"]`.
  private static func records(lines window: ByteWindow, zone: TimeZoneRules) -> [ImportRecord] {
    var window = window
    var raw: [Raw] = []
    var problems: [ImportRecord] = []
    while true {
      let number = window.line
      guard let line = window.nextLine() else { break }
      guard let text = line?.trimmingBlanks, text.hasPrefix("["), text.hasSuffix("]") else {
        if line?.trimmingBlanks != "" {
          problems.append(ImportRecord(number: number, content: .bad("not a task")))
        }
        continue
      }
      raw.append((number, fields(text.dropFirst().dropLast())))
    }
    return TaskwarriorRecords(zone).records(raw) + problems
  }

  private static func fields(_ line: Substring) -> MapValue {
    var fields = MapValue()
    var rest = line
    while let mark = rest.firstRange(of: ":\"") {
      let name = String(rest[..<mark.lowerBound]).trimmingBlanks
      rest = rest[mark.upperBound...]
      var text = ""
      while let character = rest.popFirst(), character != "\"" {
        text.append(character)
        if character == "\\", let next = rest.popFirst() { text.append(next) }
      }
      // Values are escaped as in JSON, and brackets and quotes by names.
      if text.contains("\\"), case .string(let plain)? = try? JSONParser().parse("\"\(text)\"") {
        text = plain
      }
      for (name, plain) in [("&open;", "["), ("&close;", "]"), ("&dquot;", "\"")] {
        text = text.replacing(name, with: plain)
      }
      fields[name] = .string(text)
    }
    return fields
  }

  /// Reads the database of version 3.
  ///
  /// - Throws: `ExchangeError`.
  static func records(_ database: ForeignDatabase, zone: TimeZoneRules) throws -> [ImportRecord] {
    try database.prepare("SELECT uuid, data FROM tasks ORDER BY rowid")
    var raw: [Raw] = []
    var problems: [ImportRecord] = []
    while true {
      let (isRow, damage) = try database.stepOrDamage()
      guard isRow else {
        problems += [damage].compactMap { $0 }
        break
      }
      let number = raw.count + problems.count + 1
      guard case .map(var fields)? = try? JSONParser().parse(Array(database.text(1).utf8)) else {
        problems.append(ImportRecord(number: number, content: .bad("not a task")))
        continue
      }
      fields["uuid"] = .string(database.text(0))
      raw.append((number, fields))
    }
    return TaskwarriorRecords(zone).records(raw) + problems
  }

  // MARK: Tasks

  /// Reads one task.
  static func task(_ fields: MapValue, zone: TimeZoneRules) -> ForeignTask {
    TaskwarriorRecords(zone).task(fields, 1, repeats: true)
  }

  private func records(_ raw: [Raw]) -> [ImportRecord] {
    // Of a series, the template has the rule, and its last open task repeats.
    var last: [Value: (mask: Int, index: Int)] = [:]
    for (index, (_, fields)) in raw.enumerated() {
      guard let template = fields["parent"], !Self.isClosed(fields["status"]) else { continue }
      var place = ForeignFields(fields)
      let mask = Int(place.text("imask")) ?? 0
      if mask >= last[template]?.mask ?? 0 { last[template] = (mask, index) }
    }
    return raw.enumerated().map { index, task in
      let fields = task.fields
      let uuid = fields["uuid"] ?? .null
      if fields["status"] == "deleted" {
        return ImportRecord(
          number: task.number, content: .skipped("a deleted task\(title(fields))"))
      }
      if fields["status"] == "recurring", last[uuid] != nil {
        return ImportRecord(
          number: task.number,
          content: .skipped("the template of a series, whose tasks are read\(title(fields))"))
      }
      let repeats =
        fields["parent"].map { last[$0]?.index == index } ?? !Self.isClosed(fields["status"])
      return self.task(fields, task.number, repeats: repeats).record()
    }
  }

  private func title(_ fields: MapValue) -> String {
    guard case .string(let text)? = fields["description"] else { return "" }
    return ": “\(Bookmark.shortened(text.oneLine))”"
  }

  private static func isClosed(_ status: Value?) -> Bool {
    status == "completed" || status == "deleted"
  }

  private func task(_ map: MapValue, _ number: Int, repeats: Bool) -> ForeignTask {
    var fields = ForeignFields(map)
    var task = ForeignTask(number: number, key: fields.text("uuid"))
    task.title = fields.text("description")
    if task.key.isEmpty { task.key = "taskwarrior:\(number):\(task.title)" }
    task.isDone = fields.text("status") == "completed"
    func moment(_ name: String) -> Timestamp? {
      let text = fields.text(name)
      if let stamp = CalendarStamp(text), stamp.form == .utc { return stamp.time.timestamp() }
      if case .timestamp(let moment)? = BookmarkDate.value(text) { return moment }
      if !text.isEmpty { task.losses.append("“\(Bookmark.shortened(text))” is not a date") }
      return nil
    }
    func day(_ name: String) -> Value? { moment(name).map { ForeignTask.day($0, in: zone) } }
    task.due = day("due") ?? .null
    task.start = day("wait") ?? day("scheduled") ?? .null
    task.created = moment("entry").map { .timestamp($0) } ?? .null
    let end = moment("end")
    task.updated = (moment("modified") ?? end).map { .timestamp($0) } ?? .null
    let priorities: [String: ForeignTask.Priority] = ["H": .high, "M": .medium, "L": .low]
    let priority = fields.text("priority")
    task.priority = priorities[priority]
    if task.priority == nil, !priority.isEmpty {
      task.losses.append("priority “\(Bookmark.shortened(priority))” was left out")
    }
    task.projects = [fields.text("project")]
    task.tags = TagList.tags(fields.take("tags"))
    task.after = TagList.tags(fields.take("depends"))
    let rule = fields.text("recur")
    if !rule.isEmpty, repeats { task.takeRule(Self.words(ofRule: rule), written: rule) }
    let written = map["modified"]
    task.notes = fields.each("annotations") { note in
      let entry = note.take("entry")
      if !entry.isNull, entry != written { task.losses.append("the date of a note was left out") }
      return note.text("description")
    }
    task.rest = fields.text("errand")
    // In files, each annotation, tag and dependence is a field, perhaps beside the lists.
    for (key, _) in map.entries {
      let name = key.text
      if let id = name.suffix(after: "annotation_"), Int64(id) != nil {
        task.notes.append(fields.text(name))
      } else if let tag = name.suffix(after: "tag_") ?? name.suffix(after: "tags_") {
        task.tags.append(tag)
        _ = fields.take(name)
      } else if let uuid = name.suffix(after: "dep_") {
        task.after.append(uuid)
        _ = fields.take(name)
      }
    }
    // The series of which it is a part; numbers that the program computes.
    fields.pass("parent", "imask", "mask", "rtype", "id", "urgency")
    task.losses += fields.losses()
    return task
  }

  // MARK: Rules

  /// The rule in words: `weekly`, `3days`, `2 wks` or `P1M`; nil for one that words cannot say.
  private static func words(ofRule text: String) -> String? {
    let text = text.lowercased()
    if let words = rules.first(where: { $0.key == text })?.value { return words }
    let plain = text.hasPrefix("p") ? text.dropFirst() : text[...]
    let digits = plain.prefix(while: \.isNumber)
    let unit = plain[digits.endIndex...].trimmingPrefix(while: { $0 == " " })
    guard let number = digits.isEmpty ? 1 : Int(digits), number < 10_000,
      let (count, name) = units.first(where: { $0.key.contains(String(unit)) })?.value
    else { return nil }
    return "every \(number * count) \(name)"
  }

  /// The names of units, with the number of ours.
  private static let units: KeyValuePairs<[String], (Int, String)> = [
    ["d", "day", "days"]: (1, "days"), ["w", "wk", "wks", "week", "weeks"]: (1, "weeks"),
    ["m", "mo", "mos", "mth", "mths", "mnths", "month", "months"]: (1, "months"),
    ["q", "qtr", "qtrs", "qrtr", "qrtrs", "quarter", "quarters"]: (3, "months"),
    ["y", "yr", "yrs", "year", "years"]: (1, "years"),
  ]

  /// The names of rules.
  static let rules: KeyValuePairs<String, String> = [
    "daily": "every day", "day": "every day", "weekdays": "every weekday", "weekly": "every week",
    "sennight": "every week", "biweekly": "every 2 weeks", "fortnight": "every 2 weeks",
    "monthly": "every month", "bimonthly": "every 2 months", "quarterly": "every 3 months",
    "semiannual": "every 6 months", "annual": "every year", "yearly": "every year",
    "biannual": "every 2 years", "biyearly": "every 2 years",
  ]
}

extension String {
  /// The text after a beginning; nil if it does not begin so.
  fileprivate func suffix(after beginning: String) -> String? {
    hasPrefix(beginning) ? String(dropFirst(beginning.count)) : nil
  }
}
