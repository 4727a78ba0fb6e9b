import CEL
import ForeignText
import JSON

/// Reads what Google's Takeout has of Tasks and Keep.
enum TakeoutRecords {
  /// Reads a file of either.
  static func records(_ bytes: [UInt8], _ files: ForeignFiles) -> [ImportRecord] {
    guard case .map(let map)? = try? JSONParser().parse(bytes) else {
      return [ImportRecord(number: 1, content: .damage("the file is not valid JSON"))]
    }
    if case .list? = map["items"] { return tasks(ForeignFields(map)) }
    return note(ForeignFields(map), files)
  }

  /// Reads the lists of Google Tasks.
  private static func tasks(_ root: ForeignFields) -> [ImportRecord] {
    var root = root
    var number = 0
    var records = root.each("items") { list in
      let name = list.text("title")
      let records = list.each("items") { fields in
        number += 1
        return task(&fields, number, in: name)
      }
      list.pass("kind", "id", "etag", "selfLink", "updated")
      return records
    }.flatMap { $0 }
    root.pass("kind", "etag")
    if !records.isEmpty { records[0].losses += root.losses() }
    return records
  }

  private static func task(
    _ fields: inout ForeignFields, _ number: Int, in list: String
  ) -> ImportRecord {
    var task = ForeignTask(number: number, key: "google:" + fields.text("id"))
    task.title = fields.text("title")
    task.notes = [fields.text("notes")]
    task.notes += fields.each("links") { link in
      link.pass("type")
      return [link.text("description", "title"), link.text("link", "url")]
        .filter { !$0.isEmpty }.joined(separator: ": ")
    }
    task.isDone = fields.text("status") == "completed"
    // The day is written as its midnight in UTC.
    if let due = fields.date("due", "scheduled_date").day { task.due = due }
    task.projects = [list]
    let parent = fields.text("parent", "parent_id")
    if !parent.isEmpty { task.parent = "google:" + parent }
    task.isPinned = fields.flag("starred")
    task.created = fields.date("created")
    let completed = fields.date("completed")
    task.updated = fields.date("updated")
    if task.updated.isNull { task.updated = completed }
    fields.pass("kind", "selfLink", "etag", "position", "webViewLink", "task_type")
    guard !fields.flag("deleted") else {
      let title = Bookmark.shortened(task.title)
      return ImportRecord(number: number, content: .skipped("a deleted task: “\(title)”"))
    }
    return task.record()
  }

  /// Reads a note of Google Keep.
  private static func note(_ root: ForeignFields, _ files: ForeignFiles) -> [ImportRecord] {
    var fields = root
    var note = ForeignNote(number: 1)
    note.title = fields.text("title")
    let plain = fields.text("textContent")
    note.paragraphs = [
      plain.isEmpty ? HTMLText.text(of: fields.text("textContentHtml"), as: .markdown) : plain
    ]
    let items = fields.each("listContent") { item in
      item.pass("textHtml")
      return (item.flag("isChecked") ? "- [x] " : "- [ ] ") + item.text("text")
    }
    note.paragraphs.append(items.joined(separator: "\n"))
    let text = note.paragraphs[0]
    var count = 0
    note.paragraphs += fields.each("annotations") { link in
      let (url, title) = (link.text("url"), link.text("title"))
      count += 1
      link.pass("source")
      // A text with more links is no longer searched for each.
      if count <= 100, text.contains(url) { return "" }
      return [title, link.text("description"), url].filter { !$0.isEmpty }.joined(separator: "\n")
    }
    note.tags = fields.each("labels") { $0.text("name") }
    note.isPinned = fields.flag("isPinned")
    note.created = fields.date("createdTimestampUsec")
    note.updated = fields.date("userEditedTimestampUsec")
    for (path, type) in fields.each("attachments", { ($0.text("filePath"), $0.text("mimetype")) }) {
      note.take(path, type, files)
    }
    if fields.flag("isTrashed") {
      let reason = "a note in the bin: “\(Bookmark.shortened(note.title))”"
      return [ImportRecord(number: 1, content: .skipped(reason))]
    }
    if fields.flag("isArchived") { note.losses.append("a note cannot be archived") }
    // The look of a note, and the same text again.
    fields.pass("color", "textContentHtml")
    note.losses += fields.losses()
    return note.records()
  }
}
