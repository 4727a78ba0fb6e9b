import ErrandKit

/// The page of a day or a week.
struct CalendarPage: Page {
  let context: PageContext

  func render() throws -> Reply {
    let view = context.path.first ?? ""
    // The field that jumps to a day works without scripts.
    if let day = context.parameter("day") { return .redirect("/\(view)/\(day.pathEncoded)") }
    guard let pane = CalendarPane(context: context, path: context.path) else {
      throw ErrandError.missingPage(context.path.last ?? "")
    }
    return try shell(
      title: pane.title, kind: "wide", current: CalendarPane.today,
      "<main class=\"pane list\" id=\"list\">\n\(try pane.html())</main>")
  }
}
