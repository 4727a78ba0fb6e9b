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

  /// The buttons in the head of an item, and a menu of all else that is done with it.
  ///
  /// - Parameter opensNext: Whether a deleted item gives way to the next one of the list at `back`.
  func buttons(_ item: ItemSnapshot, back: String, opensNext: Bool = false) -> HTML {
    let here = here(item)
    func button(_ name: String, _ label: String, _ icon: String, isOn: Bool) -> HTML {
      action(
        item, name, back: here,
        "<button class=\"ib\" aria-label=\"\(label)\" title=\"\(label)\" aria-pressed=\"\(isOn ? "true" : "false")\">\(HTML.icon(icon))</button>"
      )
    }
    let reading = item["reading"]?.string
    let isFavourite = item["favourite"] == true
    let done: HTML? =
      item.entity == "Task" ? button("toggle", "Done", "check", isOn: item["done"] == true) : nil
    let marks: HTML? =
      item.entity == "Link"
      ? """
      \(button("favourite", "Favourite", isFavourite ? "star-on" : "star", isOn: isFavourite))\
      \(button("read", "Read", "check", isOn: reading == "read"))\
      \(button("archive", "Archive", "archive", isOn: reading == "archived"))
      """ : nil
    let delete = form(
      "\(Self.path(item))/delete",
      with: opensNext ? ["back": back, "list": back] : ["back": back],
      """
      <button class="ib" aria-label="Delete" title="Delete">\(HTML.icon("trash"))</button>
      """)
    return """
      \(marks)\(done)<span class="grow"></span>\
      <a class="ib" href="\(self.here(item, "/edit"))" aria-label="Edit" title="Edit">\(HTML.icon("pencil"))</a>\
      \(delete)\(menu(item))
      """
  }

  /// The menu of an item.
  private func menu(_ item: ItemSnapshot) -> HTML {
    func button(_ label: String, _ icon: String, _ more: HTML = "") -> HTML {
      "<button\(more)>\(HTML.icon(icon, isSmall: true))\(label)</button>"
    }
    func copy(_ label: String, _ text: String) -> HTML {
      button(label, "copy", " type=\"button\" class=\"scripted\" data-copy-text=\"\(text)\"")
    }
    var entries: [HTML] = []
    if item.entity == "Link" {
      let url = item["url"]?.string ?? ""
      let isUnread = item["reading"] == "unread"
      entries = [
        action(
          item, "unread", back: here(item), button(isUnread ? "Not to read" : "To read", "read")),
        form(
          "/run/enrich", with: ["input": item.reference, "fresh": "true", "back": here(item)],
          button("Look again", "again")),
        copy("Copy address", url),
        """
        <form method="post" action="/run/share" data-copy>\(formToken)<input type="hidden" name="link" value="\(item.reference)">\
        \(button("Copy signed link", "link"))</form>
        """,
        button(
          "Share …", "share",
          " type=\"button\" class=\"scripted\" data-share=\"\(url)\" data-title=\"\(item.shownTitle)\""
        ),
      ]
    }
    if let pinned = item["pinned"], pinned != .null {
      entries.insert(
        action(
          item, "pin", back: here(item), button(pinned == true ? "Unpin" : "Pin", "tack")), at: 0)
    }
    let markdown = Self.markdown(of: item)
    return """
      <details class="drop end"><summary class="ib" aria-label="More" title="More">\(HTML.icon("more"))</summary>\
      <div class="menu acts">\(copy("Copy as Markdown", markdown))\(entries)\
      <noscript><label class="label">As Markdown<input class="in" readonly value="\(markdown)"></label></noscript></div></details>
      """
  }

  /// An item in Markdown: a link, a task as a box, the text of a note.
  private static func markdown(of item: ItemSnapshot) -> String {
    func escaped(_ text: String, _ signs: Set<Character>) -> String {
      text.reduce(into: "") { $0 += (signs.contains($1) ? "\\" : "") + String($1) }
    }
    let title = escaped(item.shownTitle, ["[", "]", "\\"])
    switch item.entity {
    case "Link": return "[\(title)](\(escaped(item["url"]?.string ?? "", ["(", ")", "\\"])))"
    case "Task": return "- [\(item["done"] == true ? "x" : " ")] \(item.shownTitle)"
    case "Note": return item["text"]?.string ?? title
    default: return "- \(item.shownTitle)"
    }
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
    return try self.change(of: run)
  }

  /// The number of the latest change of a run.
  func change(of run: RunHandle) throws -> Int64? {
    try reader.changes(limit: 50).first { $0["run"]?.string == run.id }?["number"]?.int
  }

  /// The property and the value that a button or the bar of selected rows sets.
  static var marks: [String: (property: String, value: JSONValue)] {
    [
      "favourite": ("favourite", true), "unfavourite": ("favourite", false),
      "pin": ("pinned", true), "unpin": ("pinned", false), "read": ("reading", "read"),
      "unread": ("reading", "unread"), "archive": ("reading", "archived"),
      "plain": ("reading", .null), "done": ("done", true), "undone": ("done", false),
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

  /// The picture of an item: the kept one of a link's page, else a tile drawn for its site.
  ///
  /// - Parameter kind: The class: `tile`, or `cover` for a large one.
  static func tile(of item: ItemSnapshot, _ kind: String = "tile") -> HTML {
    if let hash = item["page"]?["picture"]?.string {
      return
        "<img class=\"\(kind)\" src=\"/picture/\(hash.pathEncoded)\" alt=\"\" loading=\"lazy\" decoding=\"async\">"
    }
    let site = (item["url"]?.string).flatMap(host).map(siteName)
    let text = site ?? item.title
    let letters = text.filter { $0.isLetter || $0.isNumber }.prefix(site == nil ? 1 : 2)
    let hue =
      ((item["url"]?.string).flatMap(host) ?? text).unicodeScalars.reduce(5381) {
        ($0 &* 33 &+ Int($1.value)) & 0xFFFF
      } % 6 + 1
    let sign: HTML =
      letters.contains(where: \.isLetter)
      ? "\(letters.prefix(1).uppercased())\(letters.dropFirst())"
      : HTML.icon(site == nil ? "note" : "globe")
    return "<span class=\"\(kind) k\(hue)\" aria-hidden=\"true\">\(sign)</span>"
  }

  /// The name in a host: `example` of `news.example.co.uk`; an address in numbers as it is.
  private static func siteName(_ host: String) -> String {
    let parts = host.split(separator: ":").first?.split(separator: ".").map(String.init) ?? []
    guard parts.count > 1, parts.last?.contains(where: \.isLetter) ?? false else { return host }
    let isBelowCountry = parts.count > 2 && parts[parts.count - 2].count <= 3
    return parts[parts.count - (isBelowCountry ? 3 : 2)]
  }

  /// The class of a tag's colour.
  static func `class`(ofColour colour: String) -> String {
    "k\((TagColours.names.firstIndex(of: colour) ?? 0) + 1)"
  }
}

extension ItemSnapshot {
  /// The title without bidirectional overrides, which can disguise `gpj.exe` as `exe.jpg`, and that of
  /// a note without the sign of a heading in Markdown.
  var shownTitle: String {
    let text = String(
      String.UnicodeScalarView(title.unicodeScalars.filter { !("\u{202A}"..."\u{202E}" ~= $0) }))
    guard entity == "Note", text.hasPrefix("#") else { return text }
    let heading = text.drop { $0 == "#" }
    return heading.hasPrefix(" ") ? String(heading.drop { $0 == " " }) : text
  }
}
