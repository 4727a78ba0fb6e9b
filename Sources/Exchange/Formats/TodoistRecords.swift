import CEL
import ForeignText
import Items

/// Reads the tables of Todoist's templates and backups: a project in each, with sections, tasks by indentation and
/// comments.
enum TodoistRecords {
  /// Maximum depth of subtasks; Todoist has five.
  private static let maxIndent = 20

  /// - Parameter name: The name of the file, which is that of the project.
  static func records(_ window: ByteWindow, name: String) -> [ImportRecord] {
    let table = ForeignTable(window)
    let file = name.split(separator: "/").last.map(String.init) ?? ""
    var keys = TaskKeys("todoist")
    var tasks: [ForeignTask] = []
    var skipped: [ImportRecord] = []
    /// The keys of the tasks above, by indentation.
    var above: [String] = []
    var section = ""
    for (line, row) in table.rows {
      var fields = row
      let type = fields.text("type").lowercased()
      let content = fields.text("content")
      switch type {
      case "task":
        let indent = min(Int(fields.text("indent")) ?? 1, maxIndent)
        let level = min(max(indent, 1), above.count + 1)
        above.removeLast(above.count - level + 1)
        var task = ForeignTask(number: line, key: "")
        take(content, &fields, &task)
        task.key = keys.key(([file] + above.suffix(1) + [task.title]).joined(separator: "\n"))
        task.parent = above.last
        above.append(task.key)
        task.projects = [project(file)]
        if !section.isEmpty { task.tags.append(section) }
        tasks.append(task)
      case "section": section = content
      case "note":
        guard let last = tasks.indices.last else { fallthrough }
        tasks[last].notes.append(content)
      default:
        let isBlank = content.isEmpty && fields.names.isEmpty
        if isBlank || type == "meta" { continue }
        let kind = Bookmark.shortened(type.oneLine)
        let reason = "a row of the type “\(kind)”: “\(Bookmark.shortened(content.oneLine))”"
        skipped.append(ImportRecord(number: line, content: .skipped(reason)))
      }
    }
    return tasks.map { $0.record() } + skipped + table.problems
  }

  /// The name of a project: that of its file without its ending and id.
  private static func project(_ name: String) -> String {
    var name = name
    if let dot = name.lastIndex(of: ".") { name = String(name[..<dot]) }
    if let id = name.firstRange(of: " ["), name.hasSuffix("]") {
      name = String(name[..<id.lowerBound])
    }
    return name == "Inbox" ? "" : name
  }

  private static func take(
    _ content: String, _ fields: inout ForeignFields, _ task: inout ForeignTask
  ) {
    var words = content.split(separator: " ", omittingEmptySubsequences: false)
    // Labels end the text.
    while words.count > 1, let last = words.last, last.isEmpty || last.first == "@" {
      if last.count > 1 { task.tags.append(String(last.dropFirst())) }
      words.removeLast()
    }
    task.tags.reverse()
    let title = words.joined(separator: " ")
    // A task that is not to be ticked off.
    task.title = title.hasPrefix("* ") ? String(title.dropFirst(2)) : title
    task.notes = [fields.text("description")]
    let priorities: [String: ForeignTask.Priority?] = [
      "1": .high, "2": .medium, "3": .low, "4": nil, "": nil,
    ]
    let priority = fields.text("priority")
    if let known = priorities[priority] {
      task.priority = known
    } else {
      task.losses.append("priority “\(Bookmark.shortened(priority))” was left out")
    }
    takeDate(fields.text("date"), &task)
    let deadline = fields.text("deadline")
    if task.due.isNull {
      takeDate(deadline, &task)
    } else if !deadline.isEmpty {
      task.losses.append("the deadline \(Bookmark.shortened(deadline)) was left out")
    }
    let length = fields.text("duration")
    if let number = Int64(length), (0...1_000_000).contains(number) {
      let unit: Int64 = fields.text("duration_unit").hasPrefix("day") ? 86_400 : 60
      task.estimate = DurationValue(seconds: number * unit)
    } else if !length.isEmpty, length != "None" {
      task.losses.append("the duration “\(Bookmark.shortened(length))” was left out")
    }
    // The person who wrote a row, and the language and zone in which its date was read.
    fields.pass(
      "author", "date_lang", "deadline_lang", "timezone", "duration_unit", "is_collapsed")
    task.losses += fields.losses()
  }

  /// Sets the day or the rule from words: `2026-01-31`, `1 Feb 2026`, `every monday`, `every! 3 days`.
  private static func takeDate(_ text: String, _ task: inout ForeignTask) {
    let words = text.lowercased().split(separator: " ").map(String.init)
    guard let first = words.first else { return }
    if first == "every" || first == "every!" {
      // The time of day is not a part of a rule.
      let mark = words.firstIndex { ["at", "starting", "from", "ending", "for"].contains($0) }
      let days = words[1..<(mark ?? words.count)].joined(separator: " ")
      let number = days.first?.isNumber == true ? "" : "1 "
      task.takeRule(
        first == "every" ? "every \(days)" : "\(number)\(days) after done", written: text)
      if let mark {
        let rest = words[mark...].joined(separator: " ")
        task.losses.append("“\(Bookmark.shortened(rest))” of its rule was left out")
      }
    } else if let value = BookmarkDate.value(text) {
      task.due = value
    } else {
      task.losses.append("“\(Bookmark.shortened(text))” is not a date and was left out")
    }
  }
}
