import ErrandKit

/// The forms that save a list under a title, rename, move and remove a saved one, and choose how a list
/// looks.
struct SmartListForm: Page {
  let context: PageContext

  func submit() throws -> Reply {
    var lists = SmartLists(errand)
    let title = context.field("title") ?? ""
    let path = lists.entries.first { $0.title == title }?.path ?? "/"
    switch context["action"] {
    case nil:
      guard !title.isEmpty, let path = context.field("path"), Self.isOurs(path)
      else { throw Self.nameless }
      try lists.add(title, path: path)
      return .redirect(path)
    case "rename":
      guard let new = context.field("to"), !new.isEmpty else { throw Self.nameless }
      try lists.rename(title, to: new)
    case "move": try lists.move(title, by: context.field("by").flatMap { Int($0) } ?? 0)
    case "look":
      var looks = ListLooks(errand)
      try looks.set(ListLooks.Look(rawValue: context.field("look") ?? "") ?? .rows, of: title)
      return .redirect(back ?? "/")
    default:
      try lists.remove(title)
      // The same list can be saved again.
      return .redirect(path + (path.contains("?") ? "&" : "?") + "was=\(title.pathEncoded)")
    }
    return .redirect(path)
  }

  private static let nameless = ErrandError(
    code: "invalid-value", message: "the list needs a name")
}
