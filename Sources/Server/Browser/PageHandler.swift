import ErrandKit
import Links
import Web

/// The replies to browsers: static files, signing in, and pages.
struct PageHandler {
  private let codes: SignInCodes

  init(_ codes: SignInCodes) { self.codes = codes }

  /// The headers of all responses to browsers: resources and scripts come from this site only, and
  /// no other page may frame it.
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

  /// The headers of a page; a widget may be framed by the origins in the settings.
  private static func headers(
    for path: [String], _ context: WorkerContext
  ) throws -> [(name: String, value: String)] {
    guard path.count == 2, path[0] == "widgets" else { return headers }
    let errand = try context.errand()
    return errand.widgetNames.contains(path[1]) ? headers(framedBy: ancestors(errand)) : headers
  }

  /// The origins that may frame a widget, as a source list of a content security policy.
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
    // The scope of the service worker is the whole site.
    if name == "worker.js" { caching.append(("Service-Worker-Allowed", "/")) }
    if head.all("if-none-match").contains(tag) { return Response(304, caching) }
    return Response(200, [("Content-Type", asset.type)] + caching + headers, body: asset.bytes)
  }

  /// A stored picture of a page, in a format without scripts.
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

  /// The items of the library as a file to keep.
  static func export(_ head: RequestHead, _ context: WorkerContext) throws -> Response {
    let format = head.query.first { $0.name == "to" }?.value ?? "jsonl"
    let endings = ["netscape": "html", "markdown": "md", "ical": "ics"]
    do {
      let bytes = try context.reader().export(to: format)
      let name = "errand-\(try context.errand().today).\(endings[format] ?? format)"
      return Response(
        200,
        [
          ("Content-Type", "application/octet-stream"), ("X-Content-Type-Options", "nosniff"),
          ("Content-Disposition", "attachment; filename=\"\(name)\""),
          ("Cache-Control", "no-store"),
        ] + headers, body: bytes)
    } catch {
      return page(of: Problem(error))
    }
  }

  /// A problem as a page.
  static func page(of problem: Problem) -> Response {
    response(to: PageContext.problem(status: problem.status, problem.detail, help: problem.help))
  }

  static func response(
    to reply: PageContext.Reply, headers: [(name: String, value: String)] = headers
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
      let form = try body.form()
      guard let code = form.first(where: { $0.name == "code" })?.value, codes.take(code) else {
        throw Problem(
          403, "denied", "this code was used already, or is too old",
          help: "run `errand serve --open`")
      }
      let cookies = try browsers.begin(at: now)
      return Response(
        303,
        Self.headers + [
          ("Location", "/")
        ] + Self.signedIn(cookies))
    } catch {
      return Self.page(of: Problem(error))
    }
  }

  // MARK: Devices

  /// The seconds for which a device remembers that it waits.
  private static let waiting: Int64 = 180

  /// The page that a device's code leads to.
  static func devicePage(_ code: String, _ pairings: Pairings) -> Response {
    response(to: pairings.isOpen(code) ? DevicePage.open(code) : DevicePage.over)
  }

  /// Has a device wait for the person, once for each code.
  static func claim(_ body: Body, _ head: RequestHead, _ pairings: Pairings) -> Response {
    do {
      guard let code = try body.form().first(where: { $0.name == "code" })?.value,
        let secret = try pairings.claim(code, as: deviceName(head.header("user-agent") ?? ""))
      else { return response(to: DevicePage.over) }
      return Response(
        303,
        headers + [
          ("Location", "/pair"),
          Cookies.set("errand-pair", secret, site: "Strict", age: waiting, isSecure: true),
        ])
    } catch { return page(of: Problem(error)) }
  }

  /// Signs a device in once the person has confirmed it.
  static func pair(
    _ head: RequestHead, _ pairings: Pairings, _ browsers: inout BrowserSessions, at now: Int64
  ) -> Response {
    guard let secret = Cookies(head).value("errand-pair") else {
      return response(to: DevicePage.over)
    }
    switch pairings.state(secret) {
    case .over: return response(to: DevicePage.over)
    case .waiting(let number): return response(to: DevicePage.waiting(number))
    case .allowed(let name):
      do {
        let cookies = try browsers.begin(at: now, device: name)
        return Response(303, headers + [("Location", "/")] + signedIn(cookies, isSecure: true))
      } catch { return page(of: error) }
    }
  }

  /// The cookies of a signed-in browser.
  private static func signedIn(
    _ cookies: (see: String, act: String), isSecure: Bool = false
  ) -> [(name: String, value: String)] {
    let age = BrowserSessions.validity
    return [
      Cookies.set("errand-see", cookies.see, site: "Lax", age: age, isSecure: isSecure),
      Cookies.set("errand-act", cookies.act, site: "Strict", age: age, isSecure: isSecure),
    ]
  }

  /// A name such as `Safari on iPhone`, from what a browser says of itself.
  static func deviceName(_ agent: String) -> String {
    func first(_ words: [String]) -> String? { words.first { agent.contains($0) } }
    // Chromium's relatives also name Chrome, and all name Safari.
    let browser = first(["Firefox", "Edg", "OPR", "Chrome", "Safari"])
    let names = ["Edg": "Edge", "OPR": "Opera"]
    let system = first(["iPhone", "iPad", "Android", "Windows", "Mac", "Linux"])
    return "\(browser.map { names[$0] ?? $0 } ?? "A browser") on \(system ?? "a device")"
  }

  /// Answers a request for a page; called by a worker.
  static func page(for request: BrowserRequest, in context: WorkerContext) -> Response {
    do {
      return response(
        to: try request.context(in: context).answer(),
        headers: try headers(for: request.head.path, context))
    } catch {
      return page(of: Problem(error))
    }
  }
}
