import CEL
import Catalog
import Links
import Program

/// The HTTP request built from the arguments of an `http`.
struct HTTPMessage {
  private(set) var request: HTTPRequest
  /// The URL without possible secrets, for messages and values.
  let displayURL: String
  /// Whether the URL contains a secret.
  let hasSecretURL: Bool
  private let renderer: Renderer

  /// Whether the request is idempotent (RFC 9110 §9.2.2).
  var isIdempotent: Bool { Self.isIdempotent(request.method) }

  /// Whether requests with this method are idempotent.
  static func isIdempotent(_ method: String) -> Bool {
    !["POST", "PATCH", "CONNECT"].contains(method.uppercased())
  }

  /// - Throws: `invalid-value` for invalid arguments.
  init(_ arguments: VerbArguments) throws {
    renderer = arguments.runner.renderer
    let run = arguments.runner.run
    let given = try arguments.value(HTTPVerb.url) ?? .null
    let query = try arguments.value(HTTPVerb.query) ?? .null
    hasSecretURL = given.holdsSecret || query.holdsSecret
    var address = renderer.text(of: given.revealed)
    if renderer.form == .apple { address = ShortcutTexts.address(address) }
    let url = try Self.adding(query, to: address, renderer)
    displayURL = Self.withoutSecrets(hasSecretURL ? url : address, cut: hasSecretURL)
    try Self.expectAddress(url, shown: displayURL)
    request = HTTPRequest("GET", url)
    try takeHeaders(arguments)
    try takeBody(arguments)
    if let method = try arguments.text(HTTPVerb.method) {
      request.method = try Self.token(method.uppercased(), "method")
    }
    if let count = try arguments.int(HTTPVerb.redirects) { request.redirects = Int(count) }
    if let size = try arguments.value(HTTPVerb.maxSize) { request.maxSize = try Self.size(size) }
    request.localHosts = try Self.localHosts(arguments.value(HTTPVerb.local) ?? .null)
    request.outputPath = try arguments.text(HTTPVerb.save).map(run.path)
  }

  // MARK: The address

  /// Advice on `POST https://…`; nil for other texts.
  private static func methodLine(_ text: String) -> String? {
    let words = text.split(separator: " ")
    guard words.count == 2, words[0].allSatisfy({ $0.isASCII && $0.isUppercase }) else {
      return nil
    }
    return "write `http: {url: \(words[1]), method: \(words[0])}`"
  }

  /// - Throws: `invalid-value` for an invalid URL.
  static func expectAddress(_ text: String, shown: String) throws {
    do throws(WebURLError) {
      _ = try WebURL(text)
    } catch {
      let meant = suggestion(for: shown)
      guard error.reason == .notWeb, let meant, let scheme = meant.firstRange(of: "//") else {
        throw RunError(
          .invalidValue, "`url`: “\(shown.shortened)” is not a URL of the web: \(error)",
          help: methodLine(shown)
            ?? (shown.contains("?")
              ? "write what follows `?` as names and values below `query:`, which encodes them"
              : "write it in full, such as https://example.com/page"))
      }
      throw RunError(
        .invalidValue, "`url`: “\(shown.shortened)” lacks \(meant[..<scheme.upperBound])",
        help: "write `http: \(meant.shortened)`")
    }
  }

  /// A URL suggested for a text without a scheme.
  private static func suggestion(for text: String) -> String? {
    do throws(WebURLError) {
      _ = try WebURL(text)
      return nil
    } catch {
      return error.suggestion
    }
  }

  /// Appends query parameters to a URL; a list repeats its name.
  private static func adding(
    _ query: Value, to address: String, _ renderer: Renderer
  ) throws -> String {
    guard case .map(let map) = query, !map.isEmpty else { return address }
    let pairs = Self.pairs(of: map, renderer)
    guard !pairs.isEmpty else { return address }
    let fragment = address.firstIndex(of: "#") ?? address.endIndex
    let base = address[..<fragment]
    let separator =
      base.contains("?") ? (base.hasSuffix("?") || base.hasSuffix("&") ? "" : "&") : "?"
    return base + separator + pairs.joined(separator: "&") + address[fragment...]
  }

  /// Percent-encoded `name=value` pairs; null values are omitted.
  private static func pairs(of map: MapValue, _ renderer: Renderer) -> [String] {
    map.entries.flatMap { entry in
      entry.value.elements.filter { !$0.isNull }.map { value in
        WebURL.encode(entry.key.text) + "=" + WebURL.encode(renderer.text(of: value.revealed))
      }
    }
  }

  /// A URL without user and password, and with `cut` without query and fragment.
  static func withoutSecrets(_ url: String, cut: Bool) -> String {
    var text = url
    if cut, let end = text.firstIndex(where: { $0 == "?" || $0 == "#" }) {
      text = String(text[..<end])
    }
    guard text.utf8.contains(UInt8(ascii: "@")),
      let start = text.firstRange(of: "://")?.upperBound
    else { return text }
    let authority = text[start...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    guard let at = authority.lastIndex(of: "@") else { return text }
    return String(text[..<start] + text[text.index(after: at)...])
  }

  // MARK: The headers

  private mutating func takeHeaders(_ arguments: VerbArguments) throws {
    if case .map(let map)? = try arguments.value(HTTPVerb.headers) {
      for (name, value) in map.entries where !value.isNull {
        try add(Self.token(name.text, "headers"), value)
      }
    }
    guard case .map(let auth)? = try arguments.value(HTTPVerb.auth) else { return }
    guard auth.count == 1, let (kind, value) = auth.entries.first else {
      throw Self.authProblem
    }
    switch (kind.text, value) {
    case ("bearer", _):
      let text = "Bearer " + renderer.text(of: value.revealed)
      try add("Authorization", text, isSecret: true)
    case ("basic", .map(let names)):
      guard let user = names["user"], let password = names["password"], names.count == 2 else {
        throw Self.authProblem
      }
      let pair = [user, password].map { renderer.text(of: $0.revealed) }.joined(separator: ":")
      try add("Authorization", "Basic " + Base64.encode(Array(pair.utf8)), isSecret: true)
    default: throw Self.authProblem
    }
  }

  private static let authForm =
    "`auth` must be {bearer: TOKEN} or {basic: {user: NAME, password: WORD}}"

  private static var authProblem: RunError { RunError(.invalidValue, authForm) }

  /// The problem with the form of an `auth` argument, as far as known before the run.
  static func authProblem(_ auth: CompiledValue) -> LiteralProblem? {
    guard let kinds = auth.knownKeys else { return nil }
    if kinds == ["bearer"] || kinds == ["basic"] { return nil }
    let isToken =
      kinds.count == 1
      && ["token", "key", "apikey", "oauth", "secret"].contains(kinds[0].lowercased())
    return LiteralProblem(
      authForm, help: isToken ? "write `bearer` for `\(kinds[0])`: `auth: {bearer: …}`" : nil)
  }

  /// - Throws: `invalid-value` for an invalid header name, and for one derived from the body.
  static func expectHeader(_ name: String) throws {
    if ["content-length", "transfer-encoding"].contains(try token(name, "headers").lowercased()) {
      throw RunError(
        .invalidValue, "the header `\(name)` is set from the body and cannot be overridden",
        help: "remove it")
    }
  }

  private mutating func add(_ name: String, _ value: Value) throws {
    try add(name, renderer.text(of: value.revealed), isSecret: value.holdsSecret)
  }

  private mutating func add(_ name: String, _ text: String, isSecret: Bool) throws {
    try Self.expectHeader(name)
    // A line break would start another header.
    guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
      throw RunError(
        .invalidValue, "the header `\(name)` contains a line break or a control character")
    }
    request.headers.append(.init(name, text, isSecret: isSecret))
  }

  /// An HTTP token (RFC 9110 §5.6.2).
  static func token(_ text: String, _ argument: String) throws -> String {
    let isToken = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
      }
    }
    guard isToken, !text.isEmpty else {
      throw RunError(
        .invalidValue, "`\(argument)`: “\(text.shortened)” is not an HTTP token",
        help: "a token has letters, digits and dashes, as in Content-Type")
    }
    return text
  }

  // MARK: The body

  /// The error message for several bodies.
  static let tooManyBodies =
    "`http` takes only one of `json`, `form`, `multipart`, `body` and `file`"

  private mutating func takeBody(_ arguments: VerbArguments) throws {
    let json = try arguments.value(HTTPVerb.json)
    let form = try arguments.value(HTTPVerb.form)
    let multipart = try arguments.value(HTTPVerb.multipart)
    let body = try arguments.value(HTTPVerb.body)
    let file = try arguments.text(HTTPVerb.file)
    let given = [json, form, multipart, body].compactMap { $0 }
    let count = given.count + (file == nil ? 0 : 1)
    guard count > 0 else { return }
    guard count == 1 else {
      throw RunError(
        .invalidValue, Self.tooManyBodies)
    }
    request.method = "POST"
    request.hasSecretBody = given.contains(where: \.holdsSecret)
    if let json {
      do throws(DataFormat.Failure) {
        request.body = .bytes(Array(try DataFormat.jsonText(json.revealed).utf8))
      } catch {
        throw RunError(.invalidValue, "`json`: \(error.message)")
      }
      setType("application/json")
    } else if case .map(let map)? = form {
      request.body = .bytes(Array(Self.pairs(of: map, renderer).joined(separator: "&").utf8))
      setType("application/x-www-form-urlencoded")
    } else if case .map(let map)? = multipart {
      request.body = .parts(try parts(of: map, arguments.runner.run))
    } else if let file {
      let path = try arguments.runner.run.path(file)
      request.body = .file(path)
      setType(MediaType.name(ofPath: path))
    } else if let body {
      if case .bytes(let bytes) = body {
        request.body = .bytes(bytes)
        setType("application/octet-stream")
      } else {
        request.body = .bytes(Array(renderer.text(of: body.revealed).utf8))
        setType("text/plain; charset=utf-8")
      }
    }
  }

  private mutating func setType(_ type: String) {
    guard !request.headers.contains(where: { $0.name.lowercased() == "content-type" }) else {
      return
    }
    request.headers.append(.init("Content-Type", type))
  }

  /// The parts of a form: a text, `{file: PATH, name: NAME, type: TYPE}`, or a list of them.
  private func parts(of map: MapValue, _ run: Run) throws -> [HTTPRequest.Part] {
    try map.entries.flatMap { entry in
      try entry.value.elements.filter { !$0.isNull }.map { try part(entry.key.text, $0, run) }
    }
  }

  private func part(_ name: String, _ value: Value, _ run: Run) throws -> HTTPRequest.Part {
    guard case .map(let map) = value else {
      return HTTPRequest.Part(
        name, .bytes(Array(renderer.text(of: value.revealed).utf8)))
    }
    guard let file = map["file"] else { throw Self.noFile(name) }
    let path = try run.path(renderer.text(of: file))
    var part = HTTPRequest.Part(name, .file(path))
    part.fileName = map["name"].map { renderer.text(of: $0) } ?? FilePathText.name(of: path)
    part.mediaType = map["type"].map { renderer.text(of: $0) } ?? MediaType.name(ofPath: path)
    return part
  }

  private static func noFile(_ name: String) -> RunError {
    RunError(
      .invalidValue, "`multipart`: `\(name)` needs `file`",
      help: "write \(name): {file: PATH}, or a text")
  }

  /// - Throws: `invalid-value` for a part that is neither text nor file.
  static func expectParts(_ value: Value) throws {
    guard case .map(let map) = value else { return }
    for entry in map.entries {
      for case .map(let part) in entry.value.elements where part["file"] == nil {
        throw noFile(entry.key.text)
      }
    }
  }

  /// Read access to the files of a form.
  static func capabilities(ofParts argument: CompiledArgument) -> [Capability] {
    guard case .value(let value, _, _) = argument else { return [] }
    let made = Capability(any: .read, because: "a path is made when the step runs")
    guard case .constant(.map(let map)) = value else {
      // Texts read no files; any other template might.
      if case .map(let entries) = value, entries.allSatisfy({ $0.1.isText }) { return [] }
      return [made]
    }
    return map.entries.flatMap(\.value.elements).compactMap { value in
      guard case .map(let part) = value, let file = part["file"] else { return nil }
      return Capability(.read, file.text)
    }
  }

  /// The hosts that may have local addresses; nil for all.
  ///
  /// - Throws: `invalid-value` for anything but hosts.
  static func localHosts(_ value: Value) throws -> [String]? {
    switch value {
    case .null, .bool(true): return nil
    case .bool(false): return []
    case .string(let host): return [host.lowercased()]
    case .list(let hosts):
      return try hosts.map { host in
        guard case .string(let name) = host else { throw localProblem }
        return name.lowercased()
      }
    default: throw localProblem
    }
  }

  private static var localProblem: RunError {
    RunError(
      .invalidValue, "`local` must be true, false or a list of local hosts")
  }

  /// A number of bytes, optionally with a unit.
  ///
  /// - Throws: `invalid-value` for anything else.
  static func size(_ value: Value) throws -> Int {
    switch value {
    case .int(let number) where number > 0: return Int(number)
    case .string(let text):
      if let size = ByteCount.parse(text), size > 0 { return size }
    default: break
    }
    throw RunError(
      .invalidValue, "`maxSize`: \(value.text.shortened) is not a number of bytes",
      help: "write it as 500 KiB or 32 MiB")
  }
}

extension CompiledValue {
  /// Whether its value is certainly a text.
  fileprivate var isText: Bool {
    switch self {
    case .constant(.string): true
    case .template(let template): template.lone == nil
    default: false
    }
  }
}
