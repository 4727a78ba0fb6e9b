package import ErrandKit

/// The page: HTML made from the library, for one request.
///
/// The target owns what a person sees in a browser; who may see it is the server's matter. All works
/// without scripts: what changes something is a form, whose answer is a redirect.
package struct Website {
  /// A request of a signed-in browser.
  package struct Request {
    /// The decoded segments of the path.
    package var path: [String]
    /// The parameters of the query.
    package var query: [(name: String, value: String)]
    /// The fields of a sent form; nil for a page.
    package var form: [(name: String, value: String)]?
    /// The token that forms must have.
    package var token: String
    /// Today's date, such as `2026-11-23`.
    package var today: String

    package init(
      path: [String], query: [(name: String, value: String)],
      form: [(name: String, value: String)]?, token: String, today: String
    ) {
      self.path = path
      self.query = query
      self.form = form
      self.token = token
      self.today = today
    }

    /// The first value of a parameter; nil if it is missing or empty.
    func parameter(_ name: String) -> String? {
      query.first { $0.name == name }.flatMap { $0.value.isEmpty ? nil : $0.value }
    }

    /// The first value of a form's field; nil if it is missing.
    func field(_ name: String) -> String? { form?.first { $0.name == name }?.value }
  }

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
  let request: Request
  let memory: Memory
  let tokenAccess: TokenAccess

  /// Creates the page for a request.
  ///
  /// - Parameter writer: Returns the writer for changes.
  package init(
    _ errand: Errand, _ reader: Reader, writer: @escaping () throws -> Writer, _ memory: Memory,
    _ tokenAccess: TokenAccess, _ request: Request
  ) {
    self.memory = memory
    self.tokenAccess = tokenAccess
    self.errand = errand
    self.reader = reader
    self.writer = writer
    self.request = request
  }

  /// Answers the request; mistakes are told on a page, too.
  package func answer() -> Reply {
    do {
      return try request.form == nil ? page() : change()
    } catch {
      return Self.problem(
        status: Self.isMissing(error) ? 404 : 422, "\(Self.message(error))", help: Self.help(error))
    }
  }

  private func page() throws -> Reply {
    let path = request.path.filter { !$0.isEmpty }
    switch (path.first, path.count) {
    case (nil, _): return try list(.toRead)
    case ("list", 2)
    where path[1] == "Task" && request.parameter("q") == nil
      && request.parameter("where") == nil && request.parameter("select") == nil:
      return try tasks()
    case ("list", 2):
      guard let list = ItemList(path: path[1], in: errand) else { throw Self.missing(path[1]) }
      return try self.list(list)
    case ("tag", 2): return try list(.tag(path[1]))
    case ("item", 3): return try show(item(path[1], path[2]))
    case ("item", 4) where path[3] == "edit": return try editing(item(path[1], path[2]))
    case ("read", 2): return try read(item("Link", path[1]))
    case ("new", 2): return try new(path[1])
    case ("gallery", 1): return try gallery()
    case ("run", 2): return try runForm(path[1])
    case ("do", 1): return try spoken()
    case ("tags", 1): return try tags()
    case ("tag-names", 1): return try tagNames()
    case ("activity", 1): return try activity()
    case ("activity", 2): return try recorded(path[1])
    case ("inbox", 1): return try inbox()
    case ("settings", 1): return try settings()
    // The addresses of answers to forms, when they are loaded anew.
    case ("settings", 2): return .redirect("/settings")
    case ("test", 2): return .redirect("/run/\(path[1].pathEncoded)")
    case ("understood", 1): return understood()
    case ("references", 1): return try references()
    case ("widgets", 1): return try widgets()
    case ("widgets", 2): return try widget(path[1])
    case ("gallery", 2) where path[1] == "add": return try adding()
    case ("source", 2): return try source(path[1], saved: request.parameter("saved") != nil)
    default: throw Self.missing("/" + path.joined(separator: "/"))
    }
  }

  static func missing(_ name: String) -> ErrandError {
    ErrandError(code: "not-found", message: "there is no page “\(name)”")
  }

  private static func isMissing(_ error: any Error) -> Bool {
    (error as? ErrandError)?.code == "not-found"
  }

  private static func message(_ error: any Error) -> String {
    (error as? ErrandError)?.message ?? "\(error)"
  }

  private static func help(_ error: any Error) -> String? { (error as? ErrandError)?.help }

  /// A page that tells of a problem.
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
