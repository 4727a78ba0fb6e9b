import ErrandKit

/// The page of a list.
struct ListPage: Page {
  let context: PageContext

  /// The list of the path.
  private var list: ItemList {
    get throws {
      if let tag = context["tag"] { return .tag(tag) }
      guard let name = context["list"] else { return .toRead }
      guard let list = ItemList(path: name, in: errand) else {
        throw ErrandError.missingPage(name)
      }
      return list
    }
  }

  func render() throws -> Reply {
    if context["list"] == "Task",
      ["q", "where", "select"].allSatisfy({ context.parameter($0) == nil })
    {
      return try TaskPage(context: context).render()
    }
    let list = try list
    if list.entity == "Link", context.query.isEmpty, Welcome(context: context).isNeeded {
      return try WelcomePage(context: context).render(at: list.path)
    }
    let view = ListView(list, context.parameter)
    let beside: HTML = """
      <section class="pane detail second" aria-label="Detail" id="detail">\
      \(Self.empty("Choose one.", icon: list.icon))</section>
      """
    return try shell(
      title: list.title, kind: "three", current: view.path(),
      "<main class=\"pane list\" id=\"list\">\n\(try ListPane(context: context, view: view).html())</main>\n\(beside)"
    )
  }
}
