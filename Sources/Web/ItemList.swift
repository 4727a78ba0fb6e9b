import ErrandKit
import Links

/// A list of the sidebar: items of an entity, perhaps with a condition.
struct ItemList {
  /// The title.
  let title: String
  /// The icon's name.
  let icon: String
  /// The path of its page.
  let path: String
  var entity = "Link"
  /// A condition over `self`; nil for all.
  var condition: String?
  /// The condition of the items that its number counts.
  var counted: String? { entity == "Task" ? "!self.done" : condition }
  /// The tag whose links it has.
  var tag: String?
  /// The sentence shown if it is empty.
  let empty: String
  /// The properties to sort by.
  var order: [String] { entity == "Task" ? ["done", "due", "-createdAt"] : [ListView.newest] }

  /// The one next step of the list while it is empty; nil if there is none.
  var nextStep: HTML? {
    func link(_ path: String, _ title: String) -> HTML {
      "<a class=\"b\" href=\"\(path)\">\(title)</a>"
    }
    return switch path {
    case "/", "/list/favourites", "/list/archive", "/list/ready":
      link("/list/links", "Look at all links")
    case "/list/links": link("/import", "Import bookmarks")
    case "/list/processing", "/list/failed": link("/list/ready", "Look at those that are ready")
    case "/list/shared": link("/settings#devices", "See who may reach you")
    case _ where path.hasPrefix("/tag/"): link("/tags", "Look at all tags")
    default: link("/new/\(entity)", "Add one")
    }
  }

  static let toRead = ItemList(
    title: "To read", icon: "read", path: "/", condition: "self.reading == 'unread'",
    empty: "Nothing is left to read.")

  /// The lists of links.
  static let library = [
    toRead,
    ItemList(
      title: "Favourites", icon: "star", path: "/list/favourites", condition: "self.favourite",
      empty: "No link is a favourite."),
    ItemList(title: "All links", icon: "link", path: "/list/links", empty: "No link is saved yet."),
    ItemList(
      title: "Archive", icon: "archive", path: "/list/archive",
      condition: "self.reading == 'archived'", empty: "Nothing is archived."),
  ]

  /// The links that others shared.
  static let shared = ItemList(
    title: "Shared with you", icon: "people", path: "/list/shared", entity: "Shared",
    condition: "self.state == 'new'", empty: "Nobody has shared anything yet.")

  /// The lists of links by the state of their page.
  static let pages = [
    ItemList(
      title: "In progress", icon: "clock", path: "/list/processing",
      condition: "self.status == 'queued' || self.status == 'processing'",
      empty: "No page is being fetched."),
    ItemList(
      title: "Ready", icon: "task", path: "/list/ready", condition: "self.status == 'ready'",
      empty: "No page is ready yet."),
    ItemList(
      title: "Failed", icon: "alert", path: "/list/failed",
      condition:
        "self.pageState == 'gone' || self.pageState == 'refused' || self.pageState == 'unreachable'",
      empty: "Every page was reached."),
  ]

  /// The lists of tasks, notes and the person’s own entities.
  static func entities(in errand: Errand) -> [ItemList] {
    errand.definitions.filter {
      $0.kind == "entity" && !["Link", "File", "Counter", "Shared"].contains($0.name)
    }
    .filter { ["built in", "your own"].contains($0.origin) }
    .map { entity in
      let icon = ["Task": "task", "Note": "note"][entity.name] ?? "table"
      return ItemList(
        title: plural(entity.name), icon: icon, path: "/list/\(entity.name)", entity: entity.name,
        empty: "There is no \(entity.name.lowercased()) yet.")
    }
  }

  private static func plural(_ name: String) -> String {
    name.hasSuffix("s") || name.hasSuffix("x") ? name + "es" : name + "s"
  }

  /// The links with a tag, or with one below it.
  static func tag(_ tag: String) -> ItemList {
    let text = tag.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
    return ItemList(
      title: "#" + tag, icon: "number", path: "/tag/" + tag.pathEncoded,
      condition: "'\(text)' in self.tags || self.tags.exists(t, t.startsWith('\(text)/'))",
      tag: tag, empty: "No link has this tag.")
  }
}

extension ItemList {
  /// The list with the last part of a path; nil if there is none.
  init?(path name: String, in errand: Errand) {
    let lists = [Self.shared] + Self.library + Self.pages + Self.entities(in: errand)
    guard let list = lists.first(where: { $0.path == "/list/" + name }) else { return nil }
    self = list
  }
}

extension String {
  /// The text as a segment of a path or a value of a query, percent-encoded.
  var pathEncoded: String { PercentEncoding.encode(self) }
}
