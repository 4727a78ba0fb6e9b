import ErrandKit

/// The page of tasks: a line to add one, tasks by their day, and the scratchpad.
struct TaskPage: Page {
  let context: PageContext

  /// The title of the tasks that cannot be done yet: by their start, or by others that come first.
  private static let notYet = "Not yet"

  /// The largest number of open and of done tasks on the page.
  private static let taskLimit = 500

  func render() throws -> Reply {
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
          <details><summary class="sec">\(HTML.icon("right", isSmall: true))\(title) <span class="num">\(items.count)</span></summary><ul>\(items.map { todo($0, today) })</ul></details>

          """
      }
      let isLate = title == "Overdue"
      let icon: HTML? = isLate ? HTML.icon("alert", isSmall: true) : nil
      let rows: [HTML] = items.indices.map { index in
        todo(
          items[index], today, above: index > 0 ? items[index - 1] : nil, isMovable: items.count > 1
        )
      }
      return """
        <section><h2 class="sec\(isLate ? " red" : "")">\(icon)\(title)</h2><ul>\(rows)</ul></section>

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
      <div class="head">\(Self.sidebarLink)<h1>Tasks</h1><span class="count num" id="total">\(openTasks.count)</span><span class="grow"></span>\(pill())</div>
      <div class="in-pad stack loose measure">
      <div class="stack tight"><form class="add" method="post" action="/tasks" data-add="Task">\(formToken)\
      <label class="sr" for="add">Add a task</label>\(HTML.icon("plus"))\
      <input class="in" id="add" name="text" placeholder="Add a task, such as: call Ada on friday #home" required \
      autocomplete="off" aria-describedby="understood" dir="auto"><button class="b main">Add</button></form>
      <p class="line hint" id="understood" aria-live="polite"></p></div>
      <div id="rows" class="stack loose">\(openTasks.isEmpty ? Self.empty("Nothing is due.", icon: "task") : nil)\(sections)\(doneRows)</div>
      </div></main>
      \(try Scratchpad(context: context).html())
      """)
  }

  /// The row of a task.
  ///
  /// - Parameters:
  ///   - above: The task above it, before which its handle moves it.
  ///   - isMovable: Whether it has a handle, with which it is dragged to its place by hand.
  private func todo(
    _ task: ItemSnapshot, _ today: Day, above: ItemSnapshot? = nil, isMovable: Bool = false
  ) -> HTML {
    let isDone = task["done"] == true
    let text = due(of: task)
    let due = text.flatMap { Day($0) }
    let tags = task["tags"]?.array?.compactMap(\.string) ?? []
    let late = text.map(isOver) ?? false
    let when: HTML =
      isDone
      ? "<span class=\"due\">Done</span>"
      : """
      <span class="due\(late ? " red" : due == today ? " amber" : "")">\(late ? HTML.icon("alert", isSmall: true) : nil)\
      \(due.map { $0.due(from: today, at: text.flatMap(Day.time)) } ?? "Any day")</span>
      """
    let priority = task["priority"]?.string.map { "\($0) priority" }
    let whole = task["parent"]?["title"]?.string.map { "part of \($0.prefix(60))" }
    let marks = [
      task["pinned"] == true ? "pinned" : nil, priority, task["project"]?.string, whole,
      task["repeat"]?.string,
    ].compactMap { $0 }
    let meta: HTML? =
      tags.isEmpty && marks.isEmpty
      ? nil
      : """
      <span class="meta">\(tags.isEmpty ? nil : "<span class=\"tags\">\(tags.map { "<span>#\($0)</span>" as HTML })</span>" as HTML)\
      \(marks.map { "<span dir=\"auto\">\($0)</span>" as HTML })</span>
      """
    let handle: HTML? =
      isMovable
      ? form(
        "\(Self.path(task))/place",
        with: ["back": "/list/Task", "before": above?.reference ?? ""],
        """
        <button class="ib grip" aria-label="Move \(task.title.prefix(60)) up" \
        title="Drag, or move with the arrow keys">\(HTML.icon("grip", isSmall: true))</button>
        """) : nil
    return """
      <li class="todo\(isDone ? " off" : "")" data-item="\(Self.path(task))" data-ref="\(task.reference)">\(circle(of: task, back: "/list/Task"))<div>\
      <a class="title ink" dir="auto" href="\(Self.path(task))">\(task.title.prefix(300))</a>\(meta)</div>\(when)\(handle)</li>

      """
  }

  /// Adds a task from a line.
  func submit() throws -> Reply {
    let line = TaskLine(context.field("text") ?? "", when: errand.when)
    guard !line.title.isEmpty else {
      throw ErrandError(code: "invalid-value", message: "the task has no title")
    }
    let change = try writer().create(
      "Task",
      [
        "title": .string(line.title), "due": line.due.map(JSONValue.string) ?? .null,
        "tags": .array(line.tags.map(JSONValue.string)),
        "remind": line.due.flatMap(Day.time) == nil ? [] : ["at due"],
      ])
    return .redirect(Self.noting(change.number, "new", at: "/list/Task"))
  }
}
