/// A request that passed the checks of its head.
package struct AdmittedRequest: Sendable {
  let endpoint: Endpoint
  let head: RequestHead
  /// The token; nil where none is needed.
  var token: Token?
  /// The browser's session; nil for programs.
  var session: BrowserSessions.Session?
  /// The maximum size of the body in bytes.
  package var bodyLimit: Int { endpoint.limits.bytes(of: head.mediaType) }

  /// The value of a parameter of the path.
  subscript(name: String) -> String { endpoint.values(of: head.path)?[name] ?? "" }
}
