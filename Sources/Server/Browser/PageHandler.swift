import ErrandKit
import Links
import Web

/// The replies to browsers: files of the page, signing in, and the page.
struct PageHandler {
  private let codes: SignInCodes

  init(_ codes: SignInCodes) { self.codes = codes }

  /// Headers of everything that a browser gets: nothing is loaded from elsewhere, nothing runs that
  /// is not a file of ours, and no other page may frame it.
  private static let headers = headers(framedBy: "'none'")

  private static func headers(framedBy ancestors: String) -> [(name: String, value: String)] {
    [
      (
        "Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
          + "connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; "
          + "frame-ancestors \(ancestors)"
      ),
      // With `no-referrer`, browsers give forms the origin `null`.
      ("Referrer-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin"),
    ]
  }

  /// The headers of a page; the page of a widget may stand in pages of the origins in settings.
  private static func headers(
    for path: [String], _ context: WorkerContext
  ) throws -> [(name: String, value: String)] {
    guard path.count == 2, path[0] == "widgets" else { return headers }
    let errand = try context.errand()
    return errand.widgetNames.contains(path[1]) ? headers(framedBy: ancestors(errand)) : headers
  }

  /// The origins whose pages may frame a widget, for a policy.
  static func ancestors(_ errand: Errand) -> String {
    let origins = errand.value(of: .embedOrigins)
    return origins.isEmpty ? "'none'" : origins
  }

  /// A file of the page.
  static func asset(_ name: String, _ head: RequestHead) -> Response {
    guard let asset = Asset(name) else {
      return Problem(404, "not-found", "there is no file “\(name)”").response
    }
    let tag = "\"\(Array(SHA256.hash(asset.bytes).prefix(16)).base64URL)\""
    var caching = [("ETag", tag), ("Cache-Control", "no-cache")]
    // The worker of the page is in charge of all of it.
    if name == "worker.js" { caching.append(("Service-Worker-Allowed", "/")) }
    if head.all("if-none-match").contains(tag) { return Response(304, caching) }
    return Response(200, [("Content-Type", asset.type)] + caching + headers, body: asset.bytes)
  }

  /// A picture of a page that the library keeps; only a format that runs nothing.
  static func picture(_ hash: String, _ head: RequestHead, _ context: WorkerContext) -> Response {
    guard let picture = try? context.reader().picture(hash) else {
      return Problem(404, "not-found", "there is no such picture").response
    }
    // Bytes with this hash never change.
    let caching = [
      ("ETag", "\"\(hash)\""), ("Cache-Control", "private, max-age=31536000, immutable"),
    ]
    if head.all("if-none-match").contains("\"\(hash)\"") { return Response(304, caching) }
    return Response(
      200,
      [("Content-Type", picture.type), ("X-Content-Type-Options", "nosniff")] + caching + headers,
      body: picture.bytes)
  }

  /// A problem as a page.
  static func page(of problem: Problem) -> Response {
    response(to: Website.problem(status: problem.status, problem.detail, help: problem.help))
  }

  static func response(
    to reply: Website.Reply, headers: [(name: String, value: String)] = headers
  ) -> Response {
    switch reply {
    case .page(let status, let text):
      Response(
        status, [("Content-Type", "text/html; charset=utf-8")] + headers, body: Array(text.utf8))
    case .redirect(let path): Response(303, [("Location", path)] + headers)
    case .json(let value): Response(json: value, headers: headers)
    }
  }

  /// Signs a browser in with a code.
  func signIn(_ body: Body, _ browsers: inout BrowserSessions, at now: Int64) -> Response {
    do {
      let form = try Self.form(body)
      guard let code = form.first(where: { $0.name == "code" })?.value, codes.take(code) else {
        throw Problem(
          403, "denied", "this code was used already, or is too old",
          help: "run `errand serve --open`")
      }
      let cookies = try browsers.begin(at: now)
      return Response(
        303,
        Self.headers + [
          ("Location", "/"),
          Cookies.set("errand-see", cookies.see, site: "Lax", age: BrowserSessions.validity),
          Cookies.set("errand-act", cookies.act, site: "Strict", age: BrowserSessions.validity),
        ])
    } catch {
      return Self.page(of: Problem(error))
    }
  }

  /// Answers a request for the page; called by a worker.
  static func page(
    _ path: [String], _ head: RequestHead, _ body: Body, _ session: BrowserSessions.Session,
    _ token: Token, _ context: WorkerContext
  ) -> Response {
    do {
      return response(
        to: try website(path, head, body, session, token, context).answer(),
        headers: try headers(for: path, context))
    } catch {
      return page(of: Problem(error))
    }
  }

  /// The page for a request; a form must have the token of the page's forms.
  ///
  /// - Parameter isForm: Whether a sent form is read; otherwise the page is made for a `GET`.
  static func website(
    _ path: [String], _ head: RequestHead, _ body: Body, _ session: BrowserSessions.Session,
    _ token: Token, _ context: WorkerContext, isForm: Bool = true
  ) throws -> Website {
    var fields: [(name: String, value: String)]?
    if isForm, head.method == "POST" {
      guard head.mediaType == "application/x-www-form-urlencoded" else {
        throw Problem(415, "invalid-value", "the form has another type")
      }
      let form = try form(body)
      guard let sent = form.first(where: { $0.name == "form" })?.value, session.isForm(sent) else {
        throw Problem(403, "denied", "the form is not of this page", help: "load the page again")
      }
      fields = form
    }
    let request = Website.Request(
      path: path, query: head.query, form: fields, token: session.form,
      today: try context.errand().today)
    return Website(
      try context.errand(), try context.reader(), writer: { try context.writer(for: token) },
      context.memory,
      try context.tokenAccess(), request)
  }

  /// The fields of a sent form.
  private static func form(_ body: Body) throws -> [(name: String, value: String)] {
    guard let form = RequestHead.parameters(try body.text()) else {
      throw Problem(400, "invalid-value", "the form is not valid")
    }
    return form
  }
}
