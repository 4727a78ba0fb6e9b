import ErrandKit
import Glibc
import POSIX
import Server
import TestSupport
import Testing

/// The API of a person in this process, without sockets.
final class API {
  let sandbox: Sandbox
  let tokens: TokenFile
  private(set) var service: APIService
  let options: APIService.Options
  /// The secret of a token that may do everything.
  let secret: String

  /// The time of all requests, in seconds since 1970.
  static let now: Int64 = 1_800_000_000

  /// A reply did not come.
  struct NoReply: Error {}

  /// - Parameters:
  ///   - definitions: The person's own definitions.
  ///   - proxy: The address at which a proxy serves it.
  ///   - webPush: Sends notifications to browsers.
  init(
    _ definitions: String = "", patience: Duration = .seconds(600), proxy: String? = nil,
    webPush: @escaping @Sendable (Errand) -> WebPush? = { _ in nil }
  ) throws {
    sandbox = try Sandbox([".config/errand/mine.yaml": definitions])
    if definitions.isEmpty { unlink(sandbox.path + "/.config/errand/mine.yaml") }
    var errand = Errand.Options()
    errand.folder = sandbox.path
    errand.program = Sandbox.products + "/errand"
    errand.environment = [
      "HOME": sandbox.path, "TZ": "UTC", "ERRAND_ENRICH": "off", "XDG_CONFIG_HOME": "",
      "XDG_DATA_HOME": "", "XDG_STATE_HOME": "", "ERRAND_STORE": "",
    ]
    let home = sandbox.path
    guard let places = Places(environment: { $0 == "HOME" ? home : nil }, workingFolder: home)
    else { throw NoReply() }
    tokens = TokenFile(places)
    secret = try tokens.create("all", .all, only: [], at: Self.now, expires: nil)
    var options = APIService.Options(places: places, errand: errand) { Self.now }
    options.port = 7717
    options.proxy = proxy
    options.patience = patience
    options.webPush = webPush
    self.options = options
    service = try APIService(options)
  }

  /// Ends the service as SIGTERM does, and starts another.
  func restart() throws {
    service.end()
    try turn { service.isIdle }
    service = try APIService(options)
  }

  /// Creates a token and returns its secret.
  func token(
    _ scope: Token.Scope, only: [String] = [], expires: Int64? = nil
  ) throws -> String {
    try tokens.create(
      "t\(UInt32.random(in: .min ... .max))", scope, only: only, at: Self.now, expires: expires)
  }

  /// Lets the service work until a condition holds.
  func turn(until isDone: () -> Bool) throws {
    let end = MonotonicClock.nanoseconds + 60_000_000_000
    while !isDone() {
      guard MonotonicClock.nanoseconds < end else { throw NoReply() }
      var polled = service.descriptors.map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      MonotonicClock.wait(
        &polled, until: min(service.due ?? .max, MonotonicClock.nanoseconds + 100_000_000))
      service.work()
    }
  }

  /// Makes a request; a reply that is a stream is read to its end.
  ///
  /// A path that begins with `//` is not below `/api/v1`.
  /// - Parameter token: The secret; nil for that of ``secret``, empty for none.
  func request(
    _ method: String, _ path: String, _ body: String? = nil, token: String? = nil,
    headers: [(name: String, value: String)] = []
  ) throws -> Response {
    var reply: Reply?
    let (request, content) = try admitted(method, path, body, token, headers) {
      reply = .response($0)
    }
    if let request { service.answer(request, content) { reply = $0 } }
    try turn { reply != nil }
    switch reply {
    case .response(let response): return response
    case .stream(let stream):
      var bytes: [UInt8] = []
      try turn {
        guard let more = stream.take(.max) else { return true }
        bytes += more
        return false
      }
      return Response(200, body: bytes)
    case nil: throw NoReply()
    }
  }

  /// Begins a request; the result returns the response, nil as long as there is none.
  func begin(
    _ method: String, _ path: String, _ body: String,
    headers: [(name: String, value: String)] = []
  ) throws -> () -> Response? {
    final class Box { var response: Response? }
    let box = Box()
    let (request, content) = try admitted(method, path, body, nil, headers) { box.response = $0 }
    if let request {
      service.answer(request, content) {
        if case .response(let response) = $0 { box.response = response }
      }
    }
    return { box.response }
  }

  /// Admits a request; `refuse` receives the response if it is refused.
  private func admitted(
    _ method: String, _ path: String, _ body: String?, _ token: String?,
    _ headers: [(name: String, value: String)], refuse: (Response) -> Void
  ) throws -> (AdmittedRequest?, Body) {
    var all = headers
    func add(_ name: String, _ value: String?) {
      if let value, !headers.contains(where: { $0.name == name }) { all.append((name, value)) }
    }
    add("Host", "127.0.0.1:7717")
    if token != "" { add("Authorization", "Bearer \(token ?? secret)") }
    if let body {
      add("Content-Type", "application/json")
      add("Content-Length", "\(body.utf8.count)")
    }
    let target = path.hasPrefix("//") ? String(path.dropFirst()) : "/api/v1" + path
    let head = RequestHead(method: method, target: target, headers: all)
    let content = Body(spooledIn: service.spoolFolder)
    Array((body ?? "").utf8).withUnsafeBytes { _ = content.append($0) }
    do throws(Problem) { return (try service.admit(head), content) } catch {
      refuse(service.response(to: error, of: head))
      return (nil, content)
    }
  }
}

extension Response {
  /// The body as text.
  var text: String { String(decoding: body, as: UTF8.self) }

  /// The body as JSON; null if it is not JSON.
  var json: JSONValue { (try? JSONValue(parsing: text)) ?? .null }

  /// A header.
  subscript(name: String) -> String? { headers.first { $0.name == name }?.value }
}
