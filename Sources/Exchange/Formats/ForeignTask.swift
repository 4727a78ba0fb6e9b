import CEL
import Calendars
import ForeignText
import Items
import JSON

/// A task read from another program's file.
struct ForeignTask {
  /// Its line or record number in the file.
  var number: Int
  /// The id that the program gives it, or a text that makes it known when it is imported again.
  var key: String
  var title = ""
  /// Notes and comments; each becomes a paragraph.
  var notes: [String] = []
  var isDone = false
  var due = Value.null
  var start = Value.null
  var priority: Priority?
  /// The names of its projects or lists; those after the first become tags.
  var projects: [String] = []
  var tags: [String] = []
  /// The keys of the task that it is a part of, and of those to be done before it.
  var parent: String?
  var after: [String] = []
  /// The rule of repetition in words.
  var repetition: String?
  var estimate: DurationValue?
  var isPinned = false
  var created = Value.null
  var updated = Value.null
  /// JSON of the members that the format cannot hold, from our own export.
  var rest = ""
  var losses: [String] = []

  /// The values of a task's `priority`.
  enum Priority: String {
    case high, medium, low
  }

  init(number: Int, key: String) {
    (self.number, self.key) = (number, key)
  }

  /// Returns the task as an item, or the reason why it is skipped.
  func record() -> ImportRecord {
    let title = title.oneLine
    guard !title.isEmpty else {
      return ImportRecord(number: number, content: .skipped("a task without a title"))
    }
    var members: [(String, Value)] = [
      ("entity", "Task"), ("uid", .string(CalendarObject.globalID(of: key))),
      ("title", .string(title)),
    ]
    func add(_ name: String, _ value: Value?) {
      if let value, !value.isNull { members.append((name, value.inJSON)) }
    }
    let notes = notes.map(\.asParagraph).filter { !$0.isEmpty }.joined(separator: "\n\n")
    if !notes.isEmpty { add("notes", .string(notes)) }
    if isDone { add("done", true) }
    add("due", due)
    add("start", start)
    add("priority", (priority?.rawValue).map(Value.string))
    let projects = projects.map(\.oneLine).filter { !$0.isEmpty }
    add("project", projects.first.map(Value.string))
    let tags = TagList.values(self.tags + projects.dropFirst())
    if !tags.isEmpty { add("tags", .list(tags)) }
    add("repeat", repetition.map(Value.string))
    add("estimate", (estimate?.text).map(Value.string))
    if isPinned { add("pinned", true) }
    add("createdAt", created)
    add("updatedAt", updated)
    var references = MapValue()
    func reference(_ key: String) -> Value {
      let id = CalendarObject.globalID(of: key)
      references[id] = .string(id)
      return .string(id)
    }
    add("parent", parent.map(reference))
    let after = TagList.values(after.map { CalendarObject.globalID(of: $0) })
    if !after.isEmpty { add("after", .list(after)) }
    for id in after { references[id] = id }
    var fields = MapValue(members)
    // A task may refer to one that comes later.
    if !references.isEmpty { fields[ImportRecord.referencesMember] = .map(references) }
    fields.addRest(rest)
    return ImportRecord(number: number, content: .item(.map(fields)), losses: losses)
  }

  // MARK: Fields

  /// A moment as a day, if it is a midnight of the person, or as it is.
  static func day(_ moment: Timestamp, in zone: TimeZoneRules) -> Value {
    let time = zone.civilTime(at: moment)
    let isDay = time.secondOfDay == 0 && time.nanoseconds == 0
    return isDay ? .string(time.date.iso8601) : .timestamp(moment)
  }

  /// Sets the rule from words such as `every 2 weeks`; one that is not understood is reported.
  mutating func takeRule(_ words: String?, written: String) {
    if let rule = words.flatMap({ RepeatRule($0) }) {
      repetition = rule.text
    } else {
      losses.append("the rule “\(Bookmark.shortened(written))” is not understood and was left out")
    }
  }
}

/// Keys of tasks in a format without ids: equal ones are numbered.
struct TaskKeys {
  private let format: String
  private var counts: [String: Int] = [:]

  init(_ format: String) { self.format = format }

  mutating func key(_ text: String) -> String {
    counts[text, default: 0] += 1
    return "\(format):\(counts[text] ?? 1):\(text)"
  }
}

extension Value {
  /// The day of a moment or local time in UTC; nil for another value.
  var day: Value? {
    switch self {
    case .timestamp(let moment): .string(String(moment.text.prefix(10)))
    case .string(let text): .string(String(text.prefix(10)))
    default: nil
    }
  }

  /// A timestamp as text, for JSON; other values as they are.
  var inJSON: Value {
    if case .timestamp(let moment) = self { .string(moment.jsonText) } else { self }
  }
}

extension MapValue {
  /// Adds the members that a format cannot hold, written by our own export.
  mutating func addRest(_ json: String) {
    guard !json.isEmpty, case .map(let map)? = try? JSONParser().parse(Array(json.utf8)) else {
      return
    }
    for entry in map.entries { self[entry.key] = entry.value }
  }
}
