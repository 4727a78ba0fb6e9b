/// A request that passed the checks of its head.
package struct AdmittedRequest: Sendable {
  package let route: Route
  /// The token; nil where none is needed.
  let token: Token?
  /// The browser's session; nil for programs.
  var session: BrowserSessions.Session?
  /// The maximum size of the body in bytes.
  package let bodyLimit: Int
}
