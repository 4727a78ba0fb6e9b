import ErrandKit

/// Items on pages: their names, buttons and marks.
extension PagePart {
  /// The item of the path.
  func item() throws -> ItemSnapshot {
    try reader.item("\(number("item"))", of: context["entity"] ?? "Link")
  }

  /// The address of an item beside the list that it was opened from.
  func here(_ item: ItemSnapshot, _ more: String = "") -> String {
    Self.path(item) + more
      + (context.parameter("list").map { "?list=\($0.pathEncoded)" } ?? "")
  }

  /// The buttons in the head of an item.
  func buttons(_ item: ItemSnapshot, back: String) -> HTML {
    let here = here(item)
    func button(_ name: String, _ label: String, _ icon: String, back: String, isOn: Bool? = nil)
      -> HTML
    {
      let pressed: HTML? = isOn.map { " aria-pressed=\"\($0 ? "true" : "false")\"" }
      return action(
        item, name, back: back,
        "<button class=\"ib\" aria-label=\"\(label)\" title=\"\(label)\"\(pressed)>\(HTML.icon(icon))</button>"
      )
    }
    let reading = item["reading"]?.string
    let isFavourite = item["favourite"] == true
    let done: HTML? =
      item.entity == "Task"
      ? button("toggle", "Done", "check", back: here, isOn: item["done"] == true) : nil
    let pin = item["pinned"].flatMap { value in
      value == .null ? nil : button("pin", "Pin", "tack", back: here, isOn: value == true)
    }
    let marks: HTML? =
      item.entity == "Link"
      ? """
      \(button("favourite", "Favourite", isFavourite ? "star-on" : "star", back: here, isOn: isFavourite))\
      \(button("read", "Read", "check", back: here, isOn: reading == "read"))\
      \(button("archive", "Archive", "archive", back: here, isOn: reading == "archived"))\
      <form method="post" action="/run/share" data-copy>\(formToken)<input type="hidden" name="link" value="\(item.reference)">\
      <button class="ib" aria-label="Copy signed link" title="Copy signed link">\(HTML.icon("link"))</button></form>
      """ : nil
    return """
      \(marks)\(done)\(pin)<span class="grow"></span>\
      <a class="ib" href="\(self.here(item, "/edit"))" aria-label="Edit" title="Edit">\(HTML.icon("pencil"))</a>\
      \(button("delete", "Delete", "trash", back: back))
      """
  }

  /// A form of one button that acts on an item.
  func action(_ item: ItemSnapshot, _ name: String, back: String, _ button: HTML) -> HTML {
    form("\(Self.path(item))/\(name)", with: ["back": back], button)
  }

  /// The circle that marks a task as done or open.
  func circle(of task: ItemSnapshot, back: String) -> HTML {
    let isDone = task["done"] == true
    return action(
      task, "toggle", back: back,
      "<button class=\"done\(isDone ? " on" : "")\" aria-label=\"\(task.title.prefix(100)): \(isDone ? "not done" : "done")\"></button>"
    )
  }

  /// The due day or local time of a task, such as `2026-11-27` or `2026-11-27T17:00`.
  func due(of task: ItemSnapshot) -> String? { task["due"]?.string.map(errand.localTime) }

  /// Whether a day or a local time is over.
  func isOver(_ due: String) -> Bool {
    due < (Day.time(due) == nil ? context.today : errand.localNow)
  }

  /// Toggles a task with its intent, which reopens a repeating task for its next date.
  ///
  /// - Returns: The number of the change.
  func toggle(_ task: ItemSnapshot) throws -> Int64? {
    try change(by: "toggle-task", task)
  }

  /// Runs an intent for a task, which it changes.
  ///
  /// - Returns: The number of the change.
  func change(
    by intent: String, _ task: ItemSnapshot, _ more: [String: JSONValue] = [:]
  ) throws -> Int64? {
    let values = more.merging(["task": .string(task.reference)]) { given, _ in given }
    let run = try errand.start(intent, values)
    _ = try run.result()
    return try reader.changes(limit: 50).first { $0["run"]?.string == run.id }?["number"]?.int
  }

  /// The property and the value that a button sets.
  static var marks: [String: (property: String, value: JSONValue)] {
    [
      "favourite": ("favourite", true), "pin": ("pinned", true), "read": ("reading", "read"),
      "archive": ("reading", "archived"), "done": ("done", true),
    ]
  }

  static func tagLink(_ tag: String) -> HTML {
    "<a href=\"/tag/\(tag.pathEncoded)\" dir=\"auto\">\(tag)</a>"
  }

  static func path(_ item: ItemSnapshot) -> String { "/item/\(item.entity)/\(item.id)" }

  /// The icon and the name for the kind of page behind a link.
  static func kind(of item: ItemSnapshot) -> (icon: String, name: String) {
    let host = item["url"]?.string.flatMap(host) ?? ""
    let path = (item["url"]?.string ?? "").split(separator: "/").dropFirst(2)
    if ["github.com", "gitlab.com", "codeberg.org"].contains(host), path.count == 2 {
      return ("branch", "Repository")
    }
    if ["openstreetmap.org", "maps.apple.com", "maps.google.com", "maps.app.goo.gl"].contains(host)
      || path.first == "maps" && host.hasPrefix("google.")
    {
      return ("pin", "Place")
    }
    return switch item["page"]?["kind"]?.string ?? "" {
    case "article": ("article", "Article")
    case "video", "video.other", "movie": ("video", "Video")
    case "music", "song", "album", "audio": ("music", "Music")
    case "book": ("book", "Book")
    case "product": ("tag", "Product")
    case "profile": ("people", "Profile")
    case "recipe": ("list", "Recipe")
    case "event": ("calendar", "Event")
    case "image": ("image", "Picture")
    case "pdf", "document": ("text", "Document")
    case "feed": ("list", "Feed")
    default: ("globe", "Page")
    }
  }

  /// The host of an address, without `www.`.
  static func host(_ url: String) -> String? {
    guard let host = url.split(separator: "/").dropFirst().first else { return nil }
    return String(host.hasPrefix("www.") ? host.dropFirst(4) : host)
  }

  /// The first letter of a link's host, or of the title.
  static func letter(_ item: ItemSnapshot) -> String {
    let text = (item["url"]?.string).flatMap(host) ?? item.title
    return text.first { $0.isLetter || $0.isNumber }?.uppercased() ?? "·"
  }

  static func hue(_ item: ItemSnapshot) -> Int {
    letter(item).unicodeScalars.reduce(0) { $0 + Int($1.value) } % 6 + 1
  }
}

extension ItemSnapshot {
  /// The title without bidirectional overrides, which can disguise `gpj.exe` as `exe.jpg`.
  var shownTitle: String {
    String(
      String.UnicodeScalarView(title.unicodeScalars.filter { !("\u{202A}"..."\u{202E}" ~= $0) }))
  }
}
