import ErrandKit
import FoundationEssentials
import Server
import Testing

/// The table of endpoints: tokens are held to it, and the documentation has it.
@Suite struct EndpointTests {
  /// The path of an endpoint below `/api/v1`, with values for its parameters.
  private static func target(_ endpoint: Endpoint) -> String {
    let values = ["entity": "Link", "id": "1", "action": "nothing", "run": "x", "name": "nothing"]
    return "/" + values.reduce(endpoint.path) { $0.replacing("{\($1.key)}", with: $1.value) }
  }

  @Test(arguments: Token.Scope.allCases)
  func holdsEveryEndpointToItsScope(_ scope: Token.Scope) throws {
    let api = try API()
    let token = try api.token(scope, only: ["save"])
    // The secrets of webhooks and calendars are in their paths.
    for endpoint in Endpoint.api where ![.hook, .calendar].contains(endpoint.scope) {
      let body = endpoint.method == .get ? nil : "{}"
      let (method, target) = (endpoint.method.rawValue, Self.target(endpoint))
      let response = try api.request(method, target, body, token: token)
      let isRefused = response.text.contains("a token with the scope `\(scope.rawValue)`")
      let isAllowed = endpoint.scope.map(scope.includes) ?? true
      #expect(isRefused != isAllowed, "\(method) \(target)")
      let anyone = try api.request(method, target, body, token: "").status
      #expect((anyone == 401) == (endpoint.scope != nil), "\(method) \(target)")
    }
  }

  @Test func everyPathNamesItsMethods() throws {
    let api = try API()
    for endpoint in Endpoint.api {
      let allowed = try api.request("PUT", Self.target(endpoint))["Allow"] ?? ""
      #expect(allowed.split(separator: ", ").contains(Substring(endpoint.method.rawValue)))
      #expect(allowed.contains("GET") == allowed.contains("HEAD"))
    }
  }

  @Test func theDocumentationHasTheTable() throws {
    let rows = Endpoint.api.map { endpoint in
      let scopes = Token.Scope.allCases.filter { endpoint.scope.map($0.includes) ?? false }
        .map { "`\($0.rawValue)`" }
      let limit =
        switch endpoint.limits {
        case .none: ""
        case .small: "1 MiB"
        case .form: "1 MiB, a form 100 MiB"
        case .large: "100 MiB, JSON 1 MiB"
        }
      return """
        | `\(endpoint.method.rawValue) \(endpoint.path)` | \(endpoint.summary) | \
        \(scopes.isEmpty ? "no token" : scopes.joined(separator: " ")) | \(limit) |

        """
    }
    let table = "| request | | scopes | body at most |\n|---|---|---|---|\n" + rows.joined()
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let file = root.appending(path: "docs/api.md")
    let page = try String(decoding: Data(contentsOf: file), as: UTF8.self)
    let start = try #require(page.firstRange(of: "## All requests\n\n")).upperBound
    if ProcessInfo.processInfo.environment["RECORD"] == "1" {
      try Data((page[..<start] + table).utf8).write(to: file)
    }
    #expect(page[start...] == table, "RECORD=1 writes docs/api.md")
  }
}
