import ErrandKit

/// The rows of tasks, and the form that changes when a task is due where it stands.
struct TaskRows: PagePart {
  let context: PageContext
  /// The task that is shown beside the list.
  let open: ItemSnapshot?

  /// The address of the list, with the open task.
  var here: String { open.map { here($0) } ?? "/list/Task" }

  /// The row of a task.
  ///
  /// - Parameters:
  ///   - above: The task above it, before which its handle moves it.
  ///   - isMovable: Whether it has a handle, with which it is dragged to its place by hand.
  func row(
    _ task: ItemSnapshot, above: ItemSnapshot? = nil, isMovable: Bool = false
  ) -> HTML {
    let isDone = task["done"] == true
    let isOpen = task.reference == open?.reference
    let tags = task["tags"]?.array?.compactMap(\.string) ?? []
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
        with: ["back": here, "before": above?.reference ?? ""],
        """
        <button class="ib grip" aria-label="Move \(task.title.prefix(60)) up" \
        title="Drag, or move with the arrow keys">\(HTML.icon("grip", isSmall: true))</button>
        """) : nil
    return """
      <li class="todo\(isDone ? " off" : "")\(isOpen ? " on" : "")" data-item="\(Self.path(task))" data-ref="\(task.reference)">\(circle(of: task, back: here))<div>\
      <a class="title ink" dir="auto" href="\(Self.path(task))"\(isOpen ? " aria-current=\"true\"" : "" as HTML)>\(task.title.prefix(300))</a>\(meta)</div>\(due(task, isDone))\(handle)</li>

      """
  }

  /// When a task is due: a link to the task, or with scripts to the form that changes it here.
  private func due(_ task: ItemSnapshot, _ isDone: Bool) -> HTML {
    if isDone { return "<span class=\"due\">Done</span>" }
    let text = due(of: task)
    let day = text.flatMap { Day($0) }
    let today = Day(context.today)
    let late = text.map(isOver) ?? false
    let words = day.flatMap { day in today.map { day.due(from: $0, at: text.flatMap(Day.time)) } }
    return """
      <a class="due\(late ? " red" : day != nil && day == today ? " amber" : "")" href="\(Self.path(task))" \
      data-due="\(Self.dueText(text))" data-repeat="\(task["repeat"]?.string ?? "")">\
      \(late ? HTML.icon("alert", isSmall: true) : nil)\(words ?? "Any day")</a>
      """
  }

  private static func dueText(_ text: String?) -> String {
    text?.replacing("T", with: " ") ?? ""
  }

  /// The form for the day and the repetition of a task; without one, scripts show it below a row.
  func whenForm(of task: ItemSnapshot?) -> HTML {
    let due = Self.dueText(task.flatMap { self.due(of: $0) })
    let rule = task?["repeat"]?.string ?? ""
    let days = [
      ("Today", "today"), ("Tomorrow", "tomorrow"), ("Next week", "next monday"), ("Any day", ""),
    ]
    let buttons: [HTML] = days.map { label, value in
      "<button class=\"b small\" name=\"due\" value=\"\(value)\" formnovalidate>\(label)</button>"
    }
    let name = task == nil ? "row" : "open"
    // Enter in a field presses the first button, which must not set a day.
    return """
      <form class="card stack tight when" id="when-\(name)" method="post" action="\(task.map(Self.path) ?? "")/edit"\(task == nil ? " hidden" : "" as HTML)>\(formToken)\
      <input type="hidden" name="back" value="\(here)"><input type="hidden" name="was.due" value="\(due)"><input type="hidden" name="was.repeat" value="\(rule)">\
      <button hidden></button><div class="line">\(buttons)</div>\
      <div class="two"><div class="field"><label for="due-\(name)">Due</label><input class="in" id="due-\(name)" name="due" value="\(due)" placeholder="friday 17:00" data-words="when" autocomplete="off"></div>\
      <div class="field"><label for="repeat-\(name)">Repeats</label><input class="in" id="repeat-\(name)" name="repeat" value="\(rule)" placeholder="every monday" autocomplete="off"></div></div>\
      <div class="line"><button class="b main small">Save</button>\(task == nil ? "<button class=\"b plain small\" type=\"button\" data-close>Cancel</button>" as HTML : nil)</div></form>
      """
  }
}
