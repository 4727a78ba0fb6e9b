/// A resource of the API or the page, from the path of a request.
package enum Route: Hashable, Sendable {
  /// A path of the page, on its own host only.
  case page([String])
  /// A file of the page, the same for everybody.
  case asset(String)
  /// A picture of a page, by the hash of its bytes.
  case picture(String)
  case signIn
  /// The stream that tells an open page of changes.
  case live
  case health
  case items(entity: String)
  case item(entity: String, id: Int64)
  case actions
  case action(String)
  /// Sentences to be understood, and done.
  case spoken
  case runs
  case run(String)
  case events(run: String)
  case answers(run: String)
  case shares
  case activities
  case widget(String)
  case jobs
  case metrics
  case openAPI
  /// The Model Context Protocol.
  case mcp

  /// Finds the resource of a path; nil if there is none.
  ///
  /// - Parameter isSite: Whether the request is for the host of the page.
  package init?(_ path: [String], isSite: Bool = false) {
    if isSite, path.first != "api" {
      switch (path.first, path.count) {
      case ("sign-in", 1): self = .signIn
      case ("live", 1): self = .live
      case ("assets", 2): self = .asset(path[1])
      case ("picture", 2): self = .picture(path[1])
      default: self = .page(path)
      }
      return
    }
    if path == ["mcp"] {
      self = .mcp
      return
    }
    guard path.count >= 3, path[0] == "api", path[1] == "v1" else { return nil }
    let rest = path.dropFirst(2)
    guard !rest.contains("") else { return nil }
    let words = Array(rest)
    switch (words[0], words.count) {
    case ("health", 1): self = .health
    case ("items", 2): self = .items(entity: words[1])
    case ("items", 3):
      guard words[2].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let id = Int64(words[2]),
        id > 0, "\(id)" == words[2]
      else { return nil }
      self = .item(entity: words[1], id: id)
    case ("actions", 1): self = .actions
    case ("actions", 2): self = .action(words[1])
    case ("do", 1): self = .spoken
    case ("runs", 1): self = .runs
    case ("runs", 2): self = .run(words[1])
    case ("runs", 3) where words[2] == "events": self = .events(run: words[1])
    case ("runs", 3) where words[2] == "answers": self = .answers(run: words[1])
    case ("shares", 1): self = .shares
    case ("activities", 1): self = .activities
    case ("widgets", 2): self = .widget(words[1])
    case ("jobs", 1): self = .jobs
    case ("metrics", 1): self = .metrics
    case ("openapi.json", 1): self = .openAPI
    default: return nil
    }
  }

  /// The methods other than HEAD, which is GET without the body.
  package var methods: [String] {
    switch self {
    case .items, .action: ["GET", "POST"]
    case .item: ["GET", "PATCH", "DELETE"]
    case .run: ["GET", "DELETE"]
    case .answers, .shares, .signIn, .spoken: ["POST"]
    case .mcp: ["POST", "DELETE"]
    case .page: ["GET", "POST"]
    default: ["GET"]
    }
  }

  /// Whether no token and no cookie is needed.
  var isPublic: Bool {
    switch self {
    case .health, .asset, .signIn: true
    default: false
    }
  }

  /// Whether it is a path of the page.
  var isPage: Bool {
    if case .page = self { true } else { false }
  }

  /// Whether a token may use a method of the resource; calls are checked by their definition.
  func isAllowed(_ scope: Token.Scope, method: String) -> Bool {
    switch (self, scope) {
    case (_, .all): true
    case (.shares, _): scope == .share
    case (_, .share): false
    // Runs belong to their token.
    case (.mcp, _): true
    case (.spoken, _), (.actions, _), (.action, _), (.runs, _), (.run, _), (.events, _),
      (.answers, _):
      true
    case (_, .run): false
    case (_, .read): method == "GET"
    }
  }

  /// The maximum size of a body in bytes.
  ///
  /// - Parameter isForm: Whether it is a form, which may have files.
  func bodyLimit(isForm: Bool, isJSON: Bool) -> Int {
    switch self {
    case .shares where !isJSON: 100 << 20
    case .action where isForm: 100 << 20
    default: 1 << 20
    }
  }
}
