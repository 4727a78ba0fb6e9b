package import ErrandKit

/// A request for a page, and the library that its HTML is made from.
///
/// The target renders everything shown in a browser; access control is the server's concern. Pages
/// work without scripts: each change is a form, answered with a redirect.
package struct PageContext {
  /// The answer to a request.
  package enum Reply {
    case page(status: Int, String)
    /// Another page to load (303).
    case redirect(String)
    /// Data for the page's scripts.
    case json(JSONValue)
  }

  let errand: Errand
  let reader: Reader
  let writer: () throws -> Writer
  let memory: SidebarMemory
  let tokenAccess: TokenAccess
  let devices: DeviceAccess
  /// Notifications in browsers; nil where the server has no network.
  let push: WebPush?
  /// The hash of the cookie that the browser is signed in with.
  let browser: String
  /// The decoded segments of the path.
  let path: [String]
  /// The parameters of the query.
  let query: [(name: String, value: String)]
  /// The fields of a sent form; nil for a page.
  let form: [(name: String, value: String)]?
  /// The uploaded files of a sent form, by the names of their fields.
  let uploads: [(name: String, path: String)]
  /// The token that forms must have.
  let token: String
  /// Today's date, such as `2026-11-23`.
  let today: String
  /// The values of the path's parameters.
  private var values: [String: String] = [:]

  /// Creates the context for a request of a signed-in browser.
  ///
  /// - Parameter writer: Returns the writer for changes.
  package init(
    _ errand: Errand, _ reader: Reader, writer: @escaping () throws -> Writer,
    memory: SidebarMemory, tokenAccess: TokenAccess, devices: DeviceAccess, push: WebPush?,
    browser: String,
    path: [String], query: [(name: String, value: String)],
    form: [(name: String, value: String)]?,
    uploads: [(name: String, path: String)] = [], token: String
  ) {
    (self.errand, self.reader, self.writer) = (errand, reader, writer)
    (self.memory, self.tokenAccess, self.token) = (memory, tokenAccess, token)
    (self.push, self.browser, self.devices) = (push, browser, devices)
    (self.path, self.query, self.form, self.uploads) = (path, query, form, uploads)
    today = errand.today
  }

  /// The first value of a parameter; nil if it is missing or empty.
  func parameter(_ name: String) -> String? {
    query.first { $0.name == name }.flatMap { $0.value.isEmpty ? nil : $0.value }
  }

  /// The first value of a form's field; nil if it is missing.
  func field(_ name: String) -> String? { form?.first { $0.name == name }?.value }

  /// The text of a form's field, with LF line endings; empty if it is missing.
  func text(_ name: String) -> String { (field(name) ?? "").replacing("\r\n", with: "\n") }

  /// The value of a parameter of the path.
  subscript(name: String) -> String? { values[name] }

  /// Answers the request; errors become pages, too.
  package func answer() -> Reply {
    do {
      let path = path.filter { !$0.isEmpty }
      for route in PageRoute.all {
        guard let values = route.values(of: path, isForm: form != nil) else { continue }
        var context = self
        context.values = values
        let page = route.page.init(context: context)
        return try form == nil ? page.render() : page.submit()
      }
      throw ErrandError.missingPage("/" + path.joined(separator: "/"))
    } catch {
      let known = error as? ErrandError
      return Self.problem(
        status: known?.code == "not-found" ? 404 : 422, known?.message ?? "\(error)",
        help: known?.help)
    }
  }

  /// The page of a problem.
  package static func problem(status: Int, _ message: String, help: String?) -> Reply {
    let sentence = message.prefix(1).uppercased() + message.dropFirst()
    let body: HTML = """
      <body class="app"><main class="pane"><div class="empty">\(HTML.icon("alert"))\
      <h1>\(sentence).</h1>\(help.map { "<p>\($0)</p>" as HTML })\
      <a class="b" href="/">Back to the library</a></div></main></body>
      """
    return .page(status: status, document(title: sentence, body))
  }

  /// A whole document.
  static func document(title: String, theme: String = "", _ body: HTML) -> String {
    let html: HTML = """
      <!doctype html>
      <html lang="en"\(theme.isEmpty ? "" : " data-theme=\"\(theme)\"" as HTML)>
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
      <meta name="theme-color" media="(prefers-color-scheme: light)" content="#ffffff">
      <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#161b1b">
      <title>\(title) · Errand</title>
      <link rel="stylesheet" href="/assets/style.css">
      <link rel="icon" href="/assets/icon.svg">
      <link rel="manifest" href="/assets/app.webmanifest">
      <script type="module" src="/assets/page.js"></script>
      </head>
      \(body)
      </html>

      """
    return html.markup
  }
}

extension ErrandError {
  /// The error for a path without a page.
  static func missingPage(_ name: String) -> ErrandError {
    ErrandError(code: "not-found", message: "there is no page “\(name)”")
  }
}
