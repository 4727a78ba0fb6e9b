import ErrandKit

/// A line that adds a task, as it is understood: tags, and a day at its end.
struct TaskLine {
  let title: String
  /// The due day, such as `2026-11-27`; nil for any day.
  let due: String?
  let tags: [String]

  /// The words that may stand before a day.
  private static let leads: Set = ["on", "by", "due", "until", "for"]
  /// The maximum number of words of a day.
  private static let longestDay = 4

  /// Reads a line such as `Send the book back on friday #library`.
  ///
  /// - Parameter day: Reads the words of a day; nil if they are none.
  init(_ line: String, day: (String) -> String?) {
    let all = line.split(whereSeparator: \.isWhitespace).map(String.init)
    tags = all.filter { $0.hasPrefix("#") && $0.count > 1 }.map { String($0.dropFirst()) }
    let words = all.filter { !($0.hasPrefix("#") && $0.count > 1) }
    for count in stride(from: min(Self.longestDay, words.count - 1), to: 0, by: -1) {
      var text = words.suffix(count).joined(separator: " ")
      // A number alone is rather a part of the title.
      guard text.contains(where: \.isLetter) || text.contains("-") || text.hasPrefix("+") else {
        continue
      }
      var used = count
      if text.hasPrefix("in ") { text = "+" + text.dropFirst(3) }
      guard let found = day(text) ?? day(text.replacing(" ", with: ""))
      else { continue }
      if words.count > used + 1, Self.leads.contains(words[words.count - used - 1].lowercased()) {
        used += 1
      }
      title = words.dropLast(used).joined(separator: " ")
      due = found
      return
    }
    title = words.joined(separator: " ")
    due = nil
  }
}

extension Website {
  /// The largest number of open and of done tasks on the page.
  private static let taskLimit = 500

  private func line(_ text: String) -> TaskLine { TaskLine(text) { errand.day($0) } }

  /// The page of tasks: a line to add one, tasks by their day, and the scratchpad.
  func tasks(open: ItemSnapshot? = nil) throws -> Reply {
    let showsDone = request.parameter("done-tasks") != nil
    let openTasks = try reader.find(
      "Task", where: "!self.done", sort: ["due", "-createdAt"], limit: Self.taskLimit)
    let done = try reader.find(
      "Task", where: "self.done", sort: ["-updatedAt"], limit: showsDone ? Self.taskLimit : 5)
    let doneCount = try reader.count("Task", where: "self.done")
    guard let today = Day(request.today) else { throw Self.missing("today") }
    var groups: [(title: String, items: [ItemSnapshot])] = [
      ("Overdue", []), ("Today", []), ("Next 7 days", []), ("Later, or any day", []),
    ]
    for task in openTasks {
      let days = task["due"]?.string.flatMap { Day($0) }.map { $0.number - today.number }
      let group = days.map { $0 < 0 ? 0 : $0 == 0 ? 1 : $0 <= 7 ? 2 : 3 } ?? 3
      groups[group].items.append(task)
    }
    let sections: [HTML] = groups.filter { !$0.items.isEmpty }.map { title, items in
      let isLate = title == "Overdue"
      let icon: HTML? = isLate ? HTML.icon("alert", isSmall: true) : nil
      return """
        <section><h2 class="sec\(isLate ? " red" : "")">\(icon)\(title)</h2><ul>\(items.map { todo($0, today) })</ul></section>

        """
    }
    let doneRows: HTML? =
      done.isEmpty
      ? nil
      : """
      <section><h2 class="sec">Done</h2><ul>\(done.map { todo($0, today) })</ul>\
      \(doneCount > done.count ? "<p><a class=\"b plain\" href=\"/list/Task?done-tasks=1\">Show \(Self.grouped(doneCount)) done</a></p>" as HTML : nil)</section>
      """
    return try shell(
      title: "Tasks", kind: "pair", current: "/list/Task",
      """
      <main class="pane list" id="list">
      <div class="head"><a class="ib only-narrow" href="#side" aria-label="Show the sidebar">\
      \(HTML.icon("side"))</a><h1>Tasks</h1><span class="count num" id="total">\(openTasks.count)</span><span class="grow"></span>\(pill())</div>
      <div class="in-pad stack loose measure">
      <div class="stack tight"><form class="add" method="post" action="/tasks" data-add="Task">\(formToken)\
      <label class="sr" for="add">Add a task</label>\(HTML.icon("plus"))\
      <input class="in" id="add" name="text" placeholder="Add a task, such as: call Ada on friday #home" required \
      autocomplete="off" aria-describedby="understood" dir="auto"><button class="b main">Add</button></form>
      <p class="line hint" id="understood" aria-live="polite"></p></div>
      <div id="rows" class="stack loose">\(openTasks.isEmpty ? Self.empty("Nothing is due.", icon: "task") : nil)\(sections)\(doneRows)</div>
      </div></main>
      \(try scratchpad())
      """)
  }

  private func todo(_ task: ItemSnapshot, _ today: Day) -> HTML {
    let isDone = task["done"] == true
    let due = task["due"]?.string.flatMap { Day($0) }
    let tags = task["tags"]?.array?.compactMap(\.string) ?? []
    let button = action(
      task, "toggle", "", back: "/list/Task",
      "<button class=\"done\(isDone ? " on" : "")\" aria-label=\"\(task.title.prefix(100)): \(isDone ? "not done" : "done")\"></button>"
    )
    let late = due.map { $0 < today } ?? false
    let when: HTML =
      isDone
      ? "<span class=\"due\">Done</span>"
      : """
      <span class="due\(late ? " red" : due == today ? " amber" : "")">\(late ? HTML.icon("alert", isSmall: true) : nil)\
      \(due.map { $0.due(from: today) } ?? "Any day")</span>
      """
    let meta: HTML? =
      tags.isEmpty && task["repeat"] == .null
      ? nil
      : """
      <span class="meta"><span class="tags">\(tags.map { "<span>#\($0)</span>" as HTML })</span>\
      \(task["repeat"]?.string.map { "<span>\($0)</span>" as HTML })</span>
      """
    return """
      <li class="todo\(isDone ? " off" : "")" data-item="\(Self.path(task))">\(button)<div>\
      <a class="title ink" dir="auto" href="\(Self.path(task))">\(task.title.prefix(300))</a>\(meta)</div>\(when)</li>

      """
  }

  /// Adds a task from a line.
  func addTask() throws -> Reply {
    let line = line(request.field("text") ?? "")
    guard !line.title.isEmpty else {
      throw ErrandError(code: "invalid-value", message: "the task has no title")
    }
    let change = try writer().create(
      "Task",
      [
        "title": .string(line.title), "due": line.due.map(JSONValue.string) ?? .null,
        "tags": .array(line.tags.map(JSONValue.string)),
      ])
    return .redirect(Self.noting(change, "new", at: "/list/Task"))
  }

  /// The understanding of a line that adds a task, for scripts.
  func understood() -> Reply {
    let line = line(request.parameter("q") ?? "")
    let today = Day(request.today)
    let due = line.due.flatMap { Day($0) }
    let words = due.flatMap { day in today.map { day.due(from: $0) } }
    return .json([
      "title": .string(line.title), "due": line.due.map(JSONValue.string) ?? .null,
      "words": words.map(JSONValue.string) ?? .null,
      "tags": .array(line.tags.map(JSONValue.string)),
    ])
  }

  // MARK: Scratchpad

  /// The first line of the note that is the scratchpad.
  private static let padTitle = "Scratchpad"

  /// The scratchpad: the newest note whose first line is `Scratchpad`; nil if there is none yet.
  private func pad() throws -> ItemSnapshot? {
    try reader.find(
      "Note", where: "self.text == 'Scratchpad' || self.text.startsWith('Scratchpad\\n')", limit: 1
    ).first
  }

  private static func padText(_ note: ItemSnapshot?) -> String {
    let text = note?["text"]?.string ?? padTitle
    return String(text.dropFirst(padTitle.count).drop { $0 == "\n" || $0 == "\r\n" })
  }

  /// The pane of the scratchpad.
  private func scratchpad() throws -> HTML {
    let note = try pad()
    return """
      <section class="pane" aria-labelledby="pad-h" id="pad-pane"><div class="head"><h2 class="grow h1" id="pad-h">Scratchpad</h2>\
      <span class="hint line" id="pad-state" role="status"></span></div>
      <form class="in-pad stack" method="post" action="/pad" id="pad-form">\(formToken)\
      <input type="hidden" name="version" value="\(note?.version ?? "")">\
      <label class="sr" for="pad">Scratchpad</label>\
      <textarea class="pad" id="pad" name="text" dir="auto" placeholder="Write here">\n\(Self.padText(note))</textarea>\
      <div class="line"><button class="b" id="pad-save">Save</button></div></form></section>
      """
  }

  /// Saves the scratchpad; what was written elsewhere meanwhile is kept below it.
  func savePad() throws -> Reply {
    let text = (request.field("text") ?? "").replacing("\r\n", with: "\n")
    let isScript = request.field("script") != nil
    let version = request.field("version") ?? ""
    let note = try pad()
    guard let note else {
      let change = try writer().create("Note", ["text": .string(Self.padTitle + "\n" + text)])
      return answer(change.items.first, merged: nil, isScript)
    }
    var kept = text
    if note.version != version, Self.padText(note) != text {
      kept = text + "\n\n— Changed elsewhere —\n" + Self.padText(note)
    }
    let current = note.version
    let change = try writer().update(
      [note.reference], set: ["text": .string(Self.padTitle + "\n" + kept)],
      expecting: { item in
        if item.version != current {
          throw ErrandError(code: "conflict", message: "the scratchpad was changed meanwhile")
        }
      })
    return answer(change.items.first, merged: kept == text ? nil : kept, isScript)
  }

  private func answer(_ note: ItemSnapshot?, merged: String?, _ isScript: Bool) -> Reply {
    guard isScript else { return .redirect("/list/Task") }
    return .json([
      "version": .string(note?.version ?? ""), "text": merged.map(JSONValue.string) ?? .null,
    ])
  }
}
