import Engine
import ErrandKit
import Glibc
import Network
import POSIX
import Platform
import Synchronization
import TestSupport
import Testing

/// Notifications by a push service of the test's own, with another implementation of its protocols.
@Suite struct WebPushTests {
  /// A home with a signed-in browser.
  private final class Home {
    let sandbox: Sandbox
    let places: Places
    var machine = Machine.system(environment: { _ in nil })
    private var service: TestProcess?
    private(set) var subscription = JSONValue.null

    init(_ settings: String = "pushHosts: localhost\n") throws {
      sandbox = try Sandbox([
        ".config/errand/settings.yaml": settings,
        ".local/state/errand/serve/browsers": "signed-in act \(Int64.max)\n",
      ])
      let home = sandbox.path
      places = try #require(
        Places(environment: { $0 == "HOME" ? home : nil }, workingFolder: home))
      machine.pushCipher = .openSSL
    }

    /// Starts the push service, whose certificate the client trusts.
    func serve() throws {
      let made = try sandbox.shell(
        """
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout k.pem \
          -out c.pem -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost
        """)
      #expect(made.status == 0, "\(made)")
      let script = #filePath.replacing("WebPushTests.swift", with: "push-service.py")
      service = try TestProcess(
        "python3", [script], environment: sandbox.environment, folder: sandbox.path,
        streams: [1: .file("/dev/null", O_WRONLY)])
      let end = Clock.seconds + TestProcess.patience
      while sandbox.read("subscription") == nil {
        guard service?.poll() == nil, Clock.seconds < end else {
          throw TestProcess.Failure(reason: "the push service did not start")
        }
        usleep(10_000)
      }
      subscription = try JSONValue(parsing: sandbox.read("subscription") ?? "")
      let certificate = sandbox.path + "/c.pem"
      let client = HTTPClient(userAgent: "test/1") { $0 == "CURL_CA_BUNDLE" ? certificate : nil }
      machine.http = client.access
    }

    func push(local: [String] = []) -> WebPush {
      let settings = Settings(path: places.settings, environment: { _ in nil }, note: { _ in })
      return WebPush(places, settings, machine, localHosts: local)
    }

    func subscribe(_ name: String, _ endpoint: String) throws {
      try push().subscribe(
        name, browser: "signed-in", endpoint: endpoint,
        key: subscription["p256dh"]?.string ?? Self.point,
        secret: subscription["auth"]?.string ?? Self.secret)
    }

    func subscribe(status: Int) throws {
      let port = subscription["port"]?.int ?? 0
      try subscribe("B\(status)", "https://localhost:\(port)/push/\(status)")
    }

    /// The requests that the service got.
    var received: [JSONValue] {
      (sandbox.read("received") ?? "").split(separator: "\n").compactMap {
        try? JSONValue(parsing: String($0))
      }
    }

    /// Keys of RFC 8291 §5.
    private static let point =
      "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    private static let secret = "BTBZMqHH6r4Tts7J_aSIgg"
  }

  /// The time of a service, and the statuses that it answers with.
  private final class BusyService: Sendable {
    let state: Mutex<(now: Int64, pauses: [Int64], statuses: [Int])>

    init(_ statuses: [Int]) { state = Mutex((0, [], statuses)) }
  }

  private static let hasPython: Bool = {
    let run = try? Sandbox().shell("python3 -c 'import cryptography'")
    return run?.status == 0
  }()

  private let bounds = WaitBounds(deadline: nil, descriptors: [])

  private func notification(
    _ text: String, _ urgency: DesktopNotification.Urgency = .normal
  ) -> DesktopNotification {
    DesktopNotification(title: "Reminder", text: text, urgency: urgency, actions: ["Done"])
  }

  @Test(.enabled(if: hasPython, "python3-cryptography is not installed"))
  func aPushServiceDecryptsTheNotification() throws {
    let home = try Home("pushHosts: localhost\nmailTo: ada@example.com\n")
    try home.serve()
    for status in [201, 410, 429] { try home.subscribe(status: status) }
    // Pauses before further attempts are over at once.
    home.machine.pause = { _, _ in }
    let push = home.push(local: ["localhost"])
    let outcome = try push.send(notification("Call Äda", .critical), bounds)
    #expect(outcome.sent == 1)
    #expect(
      outcome.problems == [
        "B410 takes no notifications any more, and was removed",
        "B429: its push service answered with status 429",
      ])
    #expect(home.received.count == 5)
    let first = try #require(home.received.first)
    #expect(first["TTL"] == "86400" && first["Urgency"] == "high")
    #expect(first["Content-Encoding"] == "aes128gcm")
    #expect(
      first["message"] == ["title": "Reminder", "text": "Call Äda", "url": "/activity"])
    let claims = try #require(first["claims"])
    let port = home.subscription["port"]?.int ?? 0
    #expect(claims["aud"] == .string("https://localhost:\(port)"))
    #expect(claims["sub"] == "mailto:ada@example.com")
    #expect(claims["k"] == .string(try push.publicKey()))
    let left = (claims["exp"]?.int ?? 0) - Int64(time(nil))
    #expect((1...86_400).contains(left))
    // A browser that is gone is not asked again.
    #expect(push.devices.map(\.name) == ["B201", "B429"])
    let again = try push.send(
      notification(String(repeating: "Ω\"", count: 9_000)), to: push.devices[0].id, bounds)
    #expect(again.sent == 1 && again.problems.isEmpty)
    let text = try #require(home.received.last?["message"]?["text"]?.string)
    #expect(text.hasPrefix("Ω\"Ω\"") && text.hasSuffix("…"))
  }

  @Test(.enabled(if: hasPython, "python3-cryptography is not installed"))
  func aLocalAddressIsNeverReached() throws {
    let home = try Home()
    try home.serve()
    try home.subscribe(status: 201)
    let outcome = try home.push().send(notification("x"), bounds)
    #expect(outcome.sent == 0)
    #expect(outcome.problems == ["B201: its push service has a local address"])
    #expect(home.received.isEmpty)
  }

  /// Statuses of a service, its `Retry-After`, the pauses in seconds, and whether it is sent.
  private static let busy: [([Int], String?, [Int64], Bool)] = [
    ([429, 201], nil, [1], true), ([503, 503, 201], nil, [1, 3], true),
    ([500, 502, 503, 201], nil, [1, 3], false), ([429, 201], "7", [7], true),
    ([429, 201], "60", [], false), ([503, 201], "Fri, 31 Dec 2027 23:59:59 GMT", [], false),
    ([400, 201], nil, [], false), ([413, 201], nil, [], false),
  ]

  @Test(arguments: busy)
  func aBusyServiceIsAskedAgain(
    statuses: [Int], wanted: String?, pauses: [Int64], isSent: Bool
  ) throws {
    let home = try Home()
    let service = BusyService(statuses)
    home.machine.monotonic = { service.state.withLock { $0.now } }
    home.machine.pause = { end, _ in
      service.state.withLock {
        let pause = (end ?? 0) - $0.now
        $0.pauses.append(pause / 1_000_000_000)
        $0.now += pause
      }
    }
    home.machine.http = { request, _ in
      .reply(
        HTTPReply(
          status: service.state.withLock { $0.statuses.removeFirst() },
          headers: wanted.map { [("retry-after", $0)] } ?? [], url: request.url, body: [],
          isSaved: false))
    }
    try home.subscribe("A", "https://localhost/x")
    let outcome = try home.push().send(
      notification("x"), WaitBounds(deadline: 15_000_000_000, descriptors: []))
    #expect(outcome.sent == (isSent ? 1 : 0))
    #expect(outcome.problems.isEmpty == isSent, "\(outcome.problems)")
    #expect(service.state.withLock { $0.pauses } == pauses)
    #expect(home.push().devices.count == 1)
  }

  @Test(arguments: [
    ("https://fcm.googleapis.com/fcm/send/a:b", true),
    ("https://updates.push.services.mozilla.com/wpush/v2/x", true),
    ("https://web.push.apple.com/x", true), ("https://db5p.notify.windows.com/w/?token=x", true),
    ("https://push.example.com:8443/x", true), ("https://a.relay.example/x", true),
    ("http://fcm.googleapis.com/x", false), ("https://fcm.googleapis.com.evil.example/x", false),
    ("https://evilpush.apple.com/x", false), ("https://relay.example/x", false),
    ("https://push.services.mozilla.com/x", false), ("https://127.0.0.1/x", false),
    ("https://fcm.googleapis.com@evil.example/x", false), ("https://[::1]/x", false),
    ("https://a@fcm.googleapis.com/x", false), ("", false),
  ])
  func onlyKnownServicesAreAccepted(endpoint: String, isKnown: Bool) throws {
    let home = try Home("pushHosts: push.example.com *.relay.example\n")
    do {
      try home.subscribe("A", endpoint)
      #expect(isKnown)
    } catch let error as ErrandError {
      #expect(!isKnown && error.code == "invalid-value", "\(error)")
    }
    #expect(home.push().devices.count == (isKnown ? 1 : 0))
  }

  @Test func theHostIsCheckedAgainWhenANotificationIsSent() throws {
    let home = try Home("pushHosts: push.example.com\n")
    home.machine.http = { _, _ in
      Issue.record("a request is made")
      return .interrupted
    }
    try home.subscribe("A", "https://push.example.com/x")
    try home.sandbox.write("", to: ".config/errand/settings.yaml")
    let outcome = try home.push().send(notification("x"), bounds)
    #expect(outcome.problems == ["A: the push service push.example.com is not known"])
  }

  @Test func aBrowserEndsWithItsSignIn() throws {
    let home = try Home()
    try home.subscribe("A", "https://localhost/x")
    #expect(home.push().devices.count == 1)
    try home.sandbox.write("other act 1\n", to: ".local/state/errand/serve/browsers")
    #expect(home.push().devices.isEmpty)
  }
}
