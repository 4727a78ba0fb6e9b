import ErrandKit

/// The page of tasks: a line to add one, tasks by their day, and the scratchpad.
struct TaskPage: Page {
  let context: PageContext

  /// The largest number of open and of done tasks on the page.
  private static let taskLimit = 500

  func render() throws -> Reply {
    let showsDone = context.parameter("done-tasks") != nil
    let openTasks = try reader.find(
      "Task", where: "!self.done", sort: ["due", "-createdAt"], limit: Self.taskLimit)
    let done = try reader.find(
      "Task", where: "self.done", sort: ["-updatedAt"], limit: showsDone ? Self.taskLimit : 5)
    let doneCount = try reader.count("Task", where: "self.done")
    guard let today = Day(context.today) else { throw ErrandError.missingPage("today") }
    var groups: [(title: String, items: [ItemSnapshot])] = [
      ("Overdue", []), ("Today", []), ("Next 7 days", []), ("Later, or any day", []),
    ]
    for task in openTasks {
      let due = due(of: task)
      let days = due.flatMap { Day($0) }.map { $0.number - today.number }
      let group = days.map { $0 < 0 ? 0 : $0 == 0 ? 1 : $0 <= 7 ? 2 : 3 } ?? 3
      groups[due.map(isOver) ?? false ? 0 : group].items.append(task)
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

  /// The due day or local time of a task, such as `2026-11-27` or `2026-11-27T17:00`.
  private func due(of task: ItemSnapshot) -> String? { task["due"]?.string.map(errand.localTime) }

  /// Whether a day or a local time is over.
  private func isOver(_ due: String) -> Bool {
    due < (Day.time(due) == nil ? context.today : errand.localNow)
  }

  private func todo(_ task: ItemSnapshot, _ today: Day) -> HTML {
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
    let meta: HTML? =
      tags.isEmpty && task["repeat"] == .null
      ? nil
      : """
      <span class="meta"><span class="tags">\(tags.map { "<span>#\($0)</span>" as HTML })</span>\
      \(task["repeat"]?.string.map { "<span>\($0)</span>" as HTML })</span>
      """
    return """
      <li class="todo\(isDone ? " off" : "")" data-item="\(Self.path(task))">\(circle(of: task, back: "/list/Task"))<div>\
      <a class="title ink" dir="auto" href="\(Self.path(task))">\(task.title.prefix(300))</a>\(meta)</div>\(when)</li>

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
