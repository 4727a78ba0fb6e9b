import ErrandKit

/// The form that saves a list under a title, or removes a saved one.
struct SmartListForm: Page {
  let context: PageContext

  func submit() throws -> Reply {
    var lists = SmartLists(errand)
    let title = context.field("title") ?? ""
    if context["action"] == nil {
      guard !title.isEmpty, let path = context.field("path"), Self.isOurs(path)
      else { throw ErrandError(code: "invalid-value", message: "the list needs a name") }
      try lists.add(title, path: path)
      return .redirect(path)
    }
    let path = lists.entries.first { $0.title == title }?.path
    try lists.remove(title)
    return .redirect(path ?? "/")
  }
}
