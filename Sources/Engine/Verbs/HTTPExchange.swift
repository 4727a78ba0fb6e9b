import CEL
import ForeignText
import Links
import Program

/// Converts the reply of a server to a value or an error.
struct HTTPExchange {
  private let message: HTTPMessage
  private let arguments: VerbArguments
  /// The accepted statuses; nil for all.
  private let wellStatuses: Set<Int>?
  /// Whether the result includes status and headers.
  private let isFull: Bool
  /// Whether the body is returned unparsed.
  private let keepsBody: Bool

  /// Maximum size of a body kept in an error, in bytes.
  private static let maxErrorBody = 64 << 10

  init(_ message: HTTPMessage, _ arguments: VerbArguments) throws {
    self.message = message
    self.arguments = arguments
    let check = try arguments.value(HTTPVerb.check) ?? .null
    wellStatuses = try Self.wellStatuses(check)
    isFull =
      try arguments[HTTPVerb.full] == nil ? check == .bool(false) : arguments.flag(HTTPVerb.full)
    keepsBody = try arguments.flag(HTTPVerb.keep)
  }

  /// The default statuses; built once rather than for each request.
  private static let defaultStatuses = Set(200...299)

  /// The statuses accepted by a `check`; nil for all.
  ///
  /// - Throws: `invalid-value` for other values.
  static func wellStatuses(_ check: Value) throws -> Set<Int>? {
    switch check {
    case .bool(true), .null: return defaultStatuses
    case .bool(false): return nil
    case .list(let values):
      var statuses = defaultStatuses
      for case .int(let status) in values { statuses.insert(Int(clamping: status)) }
      return statuses
    case .int(let status): return defaultStatuses.union([Int(clamping: status)])
    case let other:
      throw RunError(
        .invalidValue, "`check`: \(other.text.shortened) is not true, false or a list of statuses",
        help: "write check: false, or check: [404]")
    }
  }

  /// Whether a status counts as success.
  var accepts: @Sendable (Int) -> Bool {
    let statuses = wellStatuses
    return { statuses?.contains($0) ?? true }
  }

  /// The result of the step.
  ///
  /// - Throws: `http` for an unaccepted status, and for a transient one if the step has a `retry`.
  func value(of reply: HTTPReply, _ step: CompiledStep) throws -> Value {
    guard accepts(reply.status) else { throw failure(reply) }
    let value = try value(of: reply)
    // A retry applies to transient statuses even if `check` accepts them.
    if step.persistence?.retry != nil, HTTPRequest.mayPass(Int64(reply.status)) {
      var failure = failure(reply)
      failure.settled = value
      throw failure
    }
    return value
  }

  private func value(of reply: HTTPReply) throws -> Value {
    let path = message.request.outputPath
    let body: Value =
      reply.isSaved
      ? path.map(Value.string) ?? .null : keepsBody ? .bytes(reply.body) : try body(of: reply)
    guard isFull else { return body }
    return .map(
      MapValue([
        ("status", .int(Int64(reply.status))), ("headers", headers(of: reply)),
        ("links", links(of: reply)), ("url", .string(url(of: reply))), ("body", body),
      ]))
  }

  // MARK: Parts of the value

  private func url(of reply: HTTPReply) -> String {
    HTTPMessage.withoutSecrets(reply.url, cut: message.hasSecretURL)
  }

  private func headers(of reply: HTTPReply) -> Value {
    var map = MapValue()
    for (name, _) in reply.headers where map[name] == nil {
      map[.string(name)] = .string(reply.header(name) ?? "")
    }
    return .map(map)
  }

  /// The targets of the `Link` header by relation (RFC 8288 §3).
  private func links(of reply: HTTPReply) -> Value {
    guard let text = reply.header("link") else { return .map(MapValue()) }
    return .map(MapValue(LinkHeader.links(in: text, base: reply.url).map { ($0, .string($1)) }))
  }

  private func body(of reply: HTTPReply) throws -> Value {
    let type = ContentType(reply.header("content-type") ?? "")
    switch arguments.name(HTTPVerb.parse) {
    case "text": return .string(type.text(of: reply.body))
    case "lines": return .list(DataFormat.lines(type.text(of: reply.body)))
    case "json": return try json(reply)
    default: break
    }
    if type.isJSON { return reply.body.isEmpty ? .null : try json(reply) }
    if type.isText { return .string(type.text(of: reply.body)) }
    // Without a content type, valid UTF-8 is text.
    if type.name.isEmpty, let text = String(validating: reply.body, as: UTF8.self) {
      return .string(text)
    }
    return .bytes(reply.body)
  }

  private func json(_ reply: HTTPReply) throws -> Value {
    guard let text = DecodedText.exact(reply.body, .utf8) else {
      throw RunError(.invalidValue, "the reply of \(message.displayURL) is not UTF-8")
    }
    do throws(DataFormat.Failure) {
      return try DataFormat.json(text)
    } catch {
      throw RunError(
        .invalidValue, "the reply of \(message.displayURL) is not JSON: \(error.message)")
    }
  }

  // MARK: Errors

  private func failure(_ reply: HTTPReply) -> RunError {
    let method = message.request.method == "GET" ? "" : "\(message.request.method) "
    let shown = HTTPMessage.withoutSecrets(message.displayURL, cut: true)
    var error = RunError(
      .http, "\(method)\(shown.shortened) returned \(HTTPStatus.text(reply.status))")
    let type = ContentType(reply.header("content-type") ?? "")
    var data = MapValue([
      ("status", .int(Int64(reply.status))), ("headers", headers(of: reply)),
      ("url", .string(url(of: reply))),
      ("body", .string(type.text(of: Array(reply.body.prefix(Self.maxErrorBody))))),
    ])
    if let wait = retryAfter(reply) { data["retryAfter"] = .duration(wait) }
    error.data = .map(data)
    return error
  }

  /// The delay that the server requests (RFC 9110 §10.2.3).
  private func retryAfter(_ reply: HTTPReply) -> DurationValue? {
    guard let text = reply.header("retry-after")?.trimmingSpaces, !text.isEmpty else { return nil }
    if let seconds = Int64(text) { return seconds >= 0 ? DurationValue(seconds: seconds) : nil }
    let host = arguments.runner.run.host
    let now = host.now()
    guard let moment = DateReader(now: now, clock: host.clock).timestamp(text),
      let length = moment.since(now)
    else { return nil }
    return max(length.inSeconds, 0) == 0 ? DurationValue(seconds: 0) : length
  }
}

/// Reason phrases of HTTP statuses (RFC 9110 §15).
enum HTTPStatus {
  /// The status with its phrase, such as `404 Not Found`.
  static func text(_ status: Int) -> String {
    words(status).map { "\(status) \($0)" } ?? String(status)
  }

  private static func words(_ status: Int) -> String? {
    switch status {
    case 300: "Multiple Choices"
    case 301: "Moved Permanently"
    case 302: "Found"
    case 303: "See Other"
    case 304: "Not Modified"
    case 307: "Temporary Redirect"
    case 308: "Permanent Redirect"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 402: "Payment Required"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 406: "Not Acceptable"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 410: "Gone"
    case 411: "Length Required"
    case 412: "Precondition Failed"
    case 413: "Content Too Large"
    case 415: "Unsupported Media Type"
    case 418: "I'm a teapot"
    case 422: "Unprocessable Content"
    case 425: "Too Early"
    case 428: "Precondition Required"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 451: "Unavailable For Legal Reasons"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 502: "Bad Gateway"
    case 503: "Service Unavailable"
    case 504: "Gateway Timeout"
    case 507: "Insufficient Storage"
    default: nil
    }
  }
}

/// The `Link` header of a reply (RFC 8288 §3).
enum LinkHeader {
  /// The targets by relation in order, resolved against a base URL.
  static func links(in text: String, base: String) -> [(relation: String, url: String)] {
    var found: [(relation: String, url: String)] = []
    let base = try? WebURL(base)
    var rest = text[...]
    while let start = rest.firstIndex(of: "<") {
      rest = rest[rest.index(after: start)...]
      guard let end = rest.firstIndex(of: ">") else { break }
      let target = String(rest[..<end])
      rest = rest[rest.index(after: end)...]
      let parameters = takeParameters(&rest)
      let url = base.flatMap { try? $0.resolve(target).text } ?? target
      for relation in parameters.split(separator: " ") {
        let name = relation.lowercased()
        if !found.contains(where: { $0.relation == name }) { found.append((name, url)) }
      }
    }
    return found
  }

  /// The relations of a link; consumes its parameters.
  private static func takeParameters(_ rest: inout Substring) -> Substring {
    var relations = Substring()
    while let character = rest.first, character != "," {
      guard character == ";" else {
        rest.removeFirst()
        continue
      }
      rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
      let name = rest.prefix { $0 != "=" && $0 != ";" && $0 != "," }
      rest = rest.dropFirst(name.count)
      guard rest.first == "=" else { continue }
      rest = rest.dropFirst()
      let value: Substring
      if rest.first == "\"" {
        value = rest.dropFirst().prefix { $0 != "\"" }
        rest = rest.dropFirst(value.count + 2)
      } else {
        value = rest.prefix { $0 != ";" && $0 != "," && $0 != " " }
        rest = rest.dropFirst(value.count)
      }
      if name.lowercased() == "rel", relations.isEmpty { relations = value }
    }
    return relations
  }
}
