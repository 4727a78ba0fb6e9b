import CEL
import Engine

/// Where a redirect leads, and what goes along (RFC 9110 §15.4).
enum Redirect {
  /// The headers that go to another server, too: they tell what is wanted, not who wants it.
  private static func isHarmless(_ name: String) -> Bool {
    ["accept", "range", "if-none-match", "if-modified-since", "content-type"].contains(name)
      || name.hasPrefix("accept-")
  }

  /// The next request.
  ///
  /// - Throws: `http` when it would lead to an unencrypted connection or to something that is not
  ///   of the web, or a secret would go to another server.
  static func next(
    after reply: HTTPReply, to location: String, _ request: HTTPRequest, _ url: CurlURL
  ) throws -> (HTTPRequest, CurlURL) {
    let target: CurlURL
    do {
      target = try CurlURL(location, relativeTo: url)
    } catch {
      throw failure(
        "\(url.host) redirects to “\(location.prefix(80))”, which is not of the web", reply)
    }
    guard target.scheme == url.scheme || target.scheme == "https" else {
      throw failure("\(url.host) redirects to an unencrypted address, \(target.host)", reply)
    }
    var next = request
    next.url = target.text
    // What browsers and all clients do, which the specification allows.
    let becomesGet =
      reply.status == 303 && request.method != "HEAD"
      || [301, 302].contains(reply.status) && request.method == "POST"
    if becomesGet {
      next.method = "GET"
      next.body = .none
      next.hasSecretBody = false
      next.headers.removeAll { $0.name.lowercased().hasPrefix("content-") }
    }
    if !target.isSameOrigin(as: url) {
      if next.hasSecretBody {
        throw failure("\(url.host) redirects a request with a secret to \(target.host)", reply)
      }
      next.headers.removeAll { $0.isSecret || !isHarmless($0.name.lowercased()) }
    }
    return (next, target)
  }

  /// A redirect that is not followed.
  static func failure(_ message: String, _ reply: HTTPReply) -> RunError {
    var error = RunError(.http, message)
    error.data = .map(
      MapValue([
        ("status", .int(Int64(reply.status))),
        ("headers", .map(MapValue(reply.headers.map { ($0.name, .string($0.value)) }))),
        ("url", .string(reply.url)), ("body", .string("")),
      ]))
    error.mayRepeat = false
    return error
  }
}
