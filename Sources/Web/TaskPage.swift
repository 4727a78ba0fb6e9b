import ErrandKit

/// The page of tasks: a line to add one, tasks by their day, and the scratchpad.
struct TaskPage: Page {
  let context: PageContext

  /// The title of the tasks that cannot be done yet: by their start, or by others that come first.
  private static let notYet = "Not yet"

  /// The largest number of open and of done tasks on the page.
  private static let taskLimit = 500

  /// Whether a list is shown as the page of tasks, as without words and choices of a person.
  static func shows(_ view: ListView) -> Bool {
    view.list.path == "/list/Task" && !view.isNarrowed && view.sort == nil && !view.isSelecting
  }

  func render() throws -> Reply {
    try shell(
      title: "Tasks", kind: "pair", current: "/list/Task",
      """
      <main class="pane list" id="list">
      \(try pane(open: nil))</main>
      \(try Scratchpad(context: context).html())
      """)
  }

  /// The list of tasks by their day.
  ///
  /// - Parameter open: The task that is shown beside it.
  func pane(open: ItemSnapshot?) throws -> HTML {
    let rows = TaskRows(context: context, open: open)
    let showsDone = context.parameter("done-tasks") != nil
    let order = ["rank", "due", "priority", "-createdAt"]
    let openTasks = try ["due < today().addDays(1)", "due == null || due >= today().addDays(1)"]
      .flatMap {
        try reader.find(
          "Task", where: "!done && (\($0))", sort: order, limit: Self.taskLimit)
      }
    let waiting = Set(
      try reader.find(
        "Task", where: "!done && (start > now() || after.exists(t, !t.done))",
        limit: 2 * Self.taskLimit
      ).map(\.reference))
    let done = try reader.find(
      "Task", where: "self.done", sort: ["-updatedAt"], limit: showsDone ? Self.taskLimit : 5)
    let doneCount = try reader.count("Task", where: "self.done")
    guard let today = Day(context.today) else { throw ErrandError.missingPage("today") }
    var groups: [(title: String, items: [ItemSnapshot])] = [
      ("Overdue", []), ("Today", []), ("Next 7 days", []), ("Later, or any day", []),
      (Self.notYet, []),
    ]
    for task in openTasks {
      if waiting.contains(task.reference) {
        groups[4].items.append(task)
        continue
      }
      let due = due(of: task)
      let days = due.flatMap { Day($0) }.map { $0.number - today.number }
      let group = days.map { $0 < 0 ? 0 : $0 == 0 ? 1 : $0 <= 7 ? 2 : 3 } ?? 3
      groups[due.map(isOver) ?? false ? 0 : group].items.append(task)
    }
    let sections: [HTML] = groups.filter { !$0.items.isEmpty }.map { title, items in
      if title == Self.notYet {
        return """
          <details><summary class="sec">\(HTML.icon("right", isSmall: true))\(title) <span class="num">\(items.count)</span></summary><ul>\(items.map { rows.row($0) })</ul></details>

          """
      }
      let isLate = title == "Overdue"
      let icon: HTML? = isLate ? HTML.icon("alert", isSmall: true) : nil
      let lines: [HTML] = items.indices.map { index in
        rows.row(
          items[index], above: index > 0 ? items[index - 1] : nil, isMovable: items.count > 1)
      }
      return """
        <section><h2 class="sec\(isLate ? " red" : "")">\(icon)\(title)</h2><ul>\(lines)</ul></section>

        """
    }
    let doneRows: HTML? =
      done.isEmpty
      ? nil
      : """
      <section><h2 class="sec">Done</h2><ul>\(done.map { rows.row($0) })</ul>\
      \(doneCount > done.count ? "<p><a class=\"b plain\" href=\"/list/Task?done-tasks=1\">Show \(Self.grouped(doneCount)) done</a></p>" as HTML : nil)</section>
      """
    return """
      <div class="head">\(Self.sidebarLink)<h1>Tasks</h1><span class="count num" id="total">\(openTasks.count)</span><span class="grow"></span>\(pill())\
      <a class="b plain small" href="/list/Task?select=1">Select</a></div>
      <div class="in-pad stack loose measure">
      <div class="stack tight"><form class="add" method="post" action="/tasks" data-add="Task">\(formToken)\
      <input type="hidden" name="back" value="\(rows.here)"><label class="sr" for="add">Add a task</label>\(HTML.icon("plus"))\
      <input class="in" id="add" name="text" placeholder="Add a task, such as: call Ada on friday #home" required \
      autocomplete="off" aria-describedby="understood" dir="auto"><button class="b main">Add</button></form>
      <p class="line hint" id="understood" aria-live="polite"></p></div>
      <div id="rows" class="stack loose" data-list="/list/Task">\(openTasks.isEmpty ? Self.empty("Nothing is due.", icon: "task") : nil)\(sections)\(doneRows)</div>
      \(rows.whenForm(of: nil))</div>
      """
  }

  /// The day and the repetition of a task, changed where they stand, and its parts.
  func details(of task: ItemSnapshot, back: String) throws -> HTML {
    let rows = TaskRows(context: context, open: task)
    let parts = try reader.find(
      "Task", where: "self.parent != null && self.parent.id == \(task.id)",
      sort: ["done", "rank", "createdAt"], limit: Self.taskLimit)
    return """
      \(rows.whenForm(of: task))
      <section class="section stack tight"><h2>Parts\(parts.isEmpty ? nil : " <span class=\"num quiet\">\(parts.count { $0["done"] == true }) of \(parts.count)</span>" as HTML)</h2>\
      <ul>\(parts.map { rows.row($0) })</ul>\
      <form class="add" method="post" action="/tasks">\(formToken)<input type="hidden" name="back" value="\(back)">\
      <input type="hidden" name="parent" value="\(task.reference)"><label class="sr" for="part">Add a part</label>\(HTML.icon("plus"))\
      <input class="in" id="part" name="text" placeholder="Add a part" required autocomplete="off" dir="auto"><button class="b">Add</button></form>\
      <p class="line hint" aria-live="polite"></p></section>
      """
  }

  /// Adds a task from a line, as `add-task` does.
  func submit() throws -> Reply {
    let line = TaskLine(context.field("text") ?? "", errand)
    guard !line.title.isEmpty else {
      throw ErrandError(code: "invalid-value", message: "the task has no title")
    }
    var values = line.values.mapValues(JSONValue.string)
    values["tags"] = .array(line.tags.map(JSONValue.string))
    values["parent"] = context.field("parent").map(JSONValue.string)
    let run = try errand.start("add-task", values)
    _ = try run.result()
    return .redirect(Self.noting(try change(of: run), "new", at: back ?? "/list/Task"))
  }
}
