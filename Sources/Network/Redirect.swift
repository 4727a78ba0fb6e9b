import CEL
import Engine

/// The request that follows a redirect (RFC 9110 §15.4).
enum Redirect {
  /// Whether a header is also sent to another origin: it describes the content wanted, not the client.
  private static func isHarmless(_ name: String) -> Bool {
    ["accept", "range", "if-none-match", "if-modified-since", "content-type"].contains(name)
      || name.hasPrefix("accept-")
  }

  /// Returns the next request.
  ///
  /// - Throws: `http` if the target is unencrypted after https or not http(s), or a secret would go to another origin.
  static func next(
    after reply: HTTPReply, to location: String, _ request: HTTPRequest, _ url: CurlURL
  ) throws -> (HTTPRequest, CurlURL) {
    let target: CurlURL
    do {
      target = try CurlURL(location, relativeTo: url)
    } catch {
      throw failure(
        "\(url.host) redirects to “\(location.prefix(80))”, which is not an http(s) URL", reply)
    }
    guard target.scheme == url.scheme || target.scheme == "https" else {
      throw failure("\(url.host) redirects to an unencrypted address, \(target.host)", reply)
    }
    var next = request
    next.url = target.text
    // As all clients do and RFC 9110 allows.
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

  /// Returns the error of a redirect that is not followed.
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
