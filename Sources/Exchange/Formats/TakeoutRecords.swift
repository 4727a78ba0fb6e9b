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
    var records: [ImportRecord] = []
    for list in root.objects("items") {
      var list = list
      let name = list.text("title")
      for item in list.objects("items") {
        number += 1
        var fields = item
        var task = ForeignTask(number: number, key: "google:" + fields.text("id"))
        task.title = fields.text("title")
        task.notes = [fields.text("notes")]
        task.notes += fields.objects("links").map { link in
          var link = link
          return [link.text("description", "title"), link.text("link", "url")]
            .filter { !$0.isEmpty }.joined(separator: ": ")
        }
        task.isDone = fields.text("status") == "completed"
        // The day is written as its midnight in UTC.
        let due = fields.text("due", "scheduled_date")
        if !due.isEmpty { task.due = BookmarkDate.value(String(due.prefix(10))) ?? .null }
        task.projects = [name]
        let parent = fields.text("parent", "parent_id")
        if !parent.isEmpty { task.parent = "google:" + parent }
        task.isPinned = fields.flag("starred")
        task.created = fields.date("created")
        let completed = fields.date("completed")
        task.updated = fields.date("updated")
        if task.updated.isNull { task.updated = completed }
        // The places of a task in Google's own pages.
        for name in ["kind", "selfLink", "etag", "position", "webViewLink", "task_type"] {
          _ = fields.take(name)
        }
        let isDeleted = fields.flag("deleted")
        task.losses = fields.losses()
        records.append(
          isDeleted
            ? ImportRecord(
              number: number,
              content: .skipped("a deleted task: “\(Bookmark.shortened(task.title))”"))
            : task.record())
      }
    }
    return records
  }

  /// Reads a note of Google Keep.
  private static func note(_ root: ForeignFields, _ files: ForeignFiles) -> [ImportRecord] {
    var fields = root
    var note = ForeignNote(number: 1)
    note.title = fields.text("title")
    let plain = fields.text("textContent")
    let html = fields.text("textContentHtml")
    note.paragraphs = [plain.isEmpty ? HTMLText.text(of: html, as: .markdown) : plain]
    let items = fields.objects("listContent").map { item in
      var item = item
      let isDone = item.flag("isChecked")
      return (isDone ? "- [x] " : "- [ ] ") + item.text("text")
    }
    note.paragraphs.append(items.joined(separator: "\n"))
    for (index, link) in fields.objects("annotations").enumerated() {
      var link = link
      let url = link.text("url")
      // A text with more links is no longer searched for each.
      guard !url.isEmpty, index > 100 || !note.paragraphs[0].contains(url) else { continue }
      note.paragraphs.append(
        [link.text("title"), url].filter { !$0.isEmpty }.joined(separator: "\n"))
    }
    note.tags = fields.objects("labels").map { label in
      var label = label
      return label.text("name")
    }
    note.isPinned = fields.flag("isPinned")
    note.created = fields.date("createdTimestampUsec")
    note.updated = fields.date("userEditedTimestampUsec")
    for file in fields.objects("attachments") {
      var file = file
      note.take(file.text("filePath"), file.text("mimetype"), files)
    }
    if fields.flag("isTrashed") {
      let reason = "a note in the bin: “\(Bookmark.shortened(note.title))”"
      return [ImportRecord(number: 1, content: .skipped(reason))]
    }
    if fields.flag("isArchived") { note.losses.append("a note cannot be archived") }
    // The look of a note, and the same text again.
    _ = fields.take("color")
    _ = fields.take("listContentHtml")
    note.losses += fields.losses()
    return note.records()
  }
}
