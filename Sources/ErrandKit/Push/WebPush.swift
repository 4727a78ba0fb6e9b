import CEL
package import Engine
import Glibc
import Items
import Links
import POSIX

/// Notifications in browsers, by the push services of their makers (RFC 8030).
package struct WebPush: Sendable {
  private let places: Places
  private let settings: Settings
  private let machine: Machine
  private let localHosts: [String]

  /// The push services of browsers; the setting `pushHosts` adds others.
  private static let hosts = [
    "fcm.googleapis.com", "*.push.services.mozilla.com", "*.push.apple.com", "*.notify.windows.com",
  ]
  /// The time in seconds for which a service keeps a message for a browser that is away.
  private static let lifetime = 86_400
  /// The time in seconds for which a signature is valid, at most a day (RFC 8292 §2).
  private static let signatureLifetime: Int64 = 43_200
  /// The maximum size of a message in bytes, so that it has 4096 when encrypted (RFC 8291 §4).
  private static let limit = 3_993
  private static let longestEndpoint = 2_048
  /// The pauses before a service that is busy is asked again, and the longest that it may ask for.
  private static let pauses: [Duration] = [.seconds(1), .seconds(3)]
  private static let longestPause = Duration.seconds(10)

  /// - Parameters:
  ///   - machine: Makes requests and encrypts.
  ///   - localHosts: The hosts that may have local addresses.
  package init(
    _ places: Places, _ settings: Settings, _ machine: Machine, localHosts: [String] = []
  ) {
    self.places = places
    self.settings = settings
    self.machine = machine
    self.localHosts = localHosts
  }

  private var folder: String { places.state + "/serve" }
  private var now: Int64 { Int64(time(nil)) }
  private var file: PushDevices { PushDevices(in: folder) }

  // MARK: Browsers

  /// The browsers that show notifications, the oldest first.
  package var devices: [PushDevices.Device] { file.all(at: now) }

  /// The public key that browsers subscribe with.
  ///
  /// - Throws: `failed`, `unwritable`.
  package func publicKey() throws -> String { try keys().point.base64URL }

  /// Adds a browser, or replaces it.
  ///
  /// - Parameters:
  ///   - browser: The hash of the cookie that it is signed in with.
  ///   - key: The key `p256dh` of the subscription, in URL-safe base64.
  ///   - secret: The secret `auth`, likewise.
  /// - Throws: `invalid-value` for another host or key, `unwritable`.
  package func subscribe(
    _ name: String, browser: String, endpoint: String, key: String, secret: String
  ) throws {
    _ = try url(of: endpoint)
    guard let point = [UInt8](base64URL: key.prefix { $0 != "=" }), point.count == 65,
      let secret = [UInt8](base64URL: secret.prefix { $0 != "=" }), secret.count == 16
    else {
      throw ErrandError(
        code: "invalid-value", message: "the keys of the subscription are not valid")
    }
    try file.add(
      PushDevices.Device(
        name: name.isEmpty ? "A browser" : String(name.prefix(60)), browser: browser,
        endpoint: endpoint, receiver: PushCipher.Receiver(point: point, secret: secret),
        created: now))
  }

  /// Removes a browser.
  ///
  /// - Throws: `unwritable`.
  package func remove(_ id: String) throws { try file.remove(id) }

  /// The address of a push service.
  ///
  /// - Throws: `invalid-value` if its host is not in the list.
  private func url(of endpoint: String) throws -> WebURL {
    guard endpoint.utf8.count <= Self.longestEndpoint, let url = try? WebURL(endpoint),
      url.scheme == "https", url.userinfo == nil
    else {
      throw ErrandError(
        code: "invalid-value", message: "the address of the push service is not an https URL")
    }
    let known = Self.hosts + Setting.words(settings.value(of: .pushHosts))
    let isKnown = known.contains { pattern in
      pattern.hasPrefix("*.")
        ? url.host.hasSuffix(pattern.dropFirst()) : url.host == pattern.lowercased()
    }
    guard isKnown else {
      throw ErrandError(
        code: "invalid-value", message: "the push service \(url.host) is not known",
        help: "add it to the setting `pushHosts`")
    }
    return url
  }

  /// The key pair that signs requests, made once (RFC 8292).
  private func keys() throws -> PushCipher.KeyPair {
    guard let cipher = machine.pushCipher else { throw Self.withoutNetwork }
    let path = folder + "/push-key"
    let lock = try FileLock.taken(beside: path)
    defer { lock.release() }
    if let bytes = try? FileReader.bytes(of: path, limit: 97), bytes.count == 97 {
      return PushCipher.KeyPair(secret: Array(bytes[..<32]), point: Array(bytes[32...]))
    }
    let keys = try cipher.makeKeys()
    guard PrivateFile(path: path).replace(keys.secret + keys.point, isDurable: true) else {
      throw ErrandError(code: "unwritable", message: "\(path) cannot be written")
    }
    return keys
  }

  private static let withoutNetwork = ErrandError(
    code: "network", message: "this program is without the network",
    help: "install errand-net beside errand")

  // MARK: Sending

  /// The outcome of a notification.
  package struct Outcome: Sendable {
    /// The number of browsers whose push service took it.
    package var sent = 0
    /// The failures, one for each browser.
    package var problems: [String] = []
    package var isInterrupted = false
    /// The code of its ticket; nil if there is nothing to choose later.
    var ticket: String?
  }

  /// Sends a notification to all browsers, or to one.
  ///
  /// - Throws: `network` without the network, `failed`, `unwritable`.
  package func send(
    _ notification: DesktopNotification, to id: String? = nil, _ bounds: WaitBounds
  ) throws -> Outcome {
    guard let http = machine.http, let cipher = machine.pushCipher else {
      throw Self.withoutNetwork
    }
    var outcome = Outcome()
    let keys = try keys()
    outcome.ticket = try PushTickets(places)
      .create(for: notification, code: SystemHost.randomBytes(32).base64URL)
    let message = try Self.message(notification, ticket: outcome.ticket)
    // A service that is busy is asked again after the others.
    var open = devices.filter { id == nil || $0.id == id }.map { ($0, 0, Int64.min) }
    while !open.isEmpty {
      let (device, attempt, from) = open.removeFirst()
      if machine.monotonic() < from { machine.pause(from, bounds.descriptors) }
      do {
        let request = try request(message, notification.urgency, to: device, keys, cipher)
        guard case .reply(let reply) = try http(request, bounds) else {
          outcome.isInterrupted = machine.monotonic() < bounds.deadline ?? .max
          outcome.problems.append("\(device.name): its push service did not answer in time")
          break
        }
        switch reply.status {
        case 200...299: outcome.sent += 1
        case 404, 410:
          try file.remove(device.id)
          outcome.problems.append("\(device.name) takes no notifications any more, and was removed")
        case let status:
          if HTTPRequest.mayPass(Int64(status)), attempt < Self.pauses.count,
            let next = nextAttempt(after: Self.pauses[attempt], reply, bounds)
          {
            open.append((device, attempt + 1, next))
          } else {
            outcome.problems.append(
              "\(device.name): its push service answered with status \(status)")
          }
        }
      } catch let error as RunError where error.code == .notAllowed {
        outcome.problems.append("\(device.name): its push service has a local address")
      } catch {
        outcome.problems.append("\(device.name): \(ErrandError(error).message)")
      }
    }
    if outcome.sent == 0, let ticket = outcome.ticket {
      try? PushTickets(places).take(ticket) { _ in }
    }
    return outcome
  }

  /// The instant at which a busy service is asked again, at the earliest when it wants to be; nil if
  /// that is too late.
  private func nextAttempt(
    after pause: Duration, _ reply: HTTPReply, _ bounds: WaitBounds
  ) -> Int64? {
    // A moment instead of seconds is later than a service that is only busy asks for.
    let wanted = reply.header("retry-after").map { Int64($0) ?? .max } ?? 0
    guard wanted <= Self.longestPause.components.seconds else { return nil }
    let next = machine.monotonic() &+ max(pause, .seconds(wanted)).nanoseconds
    return next < bounds.deadline ?? .max ? next : nil
  }

  /// Sends a test to a browser.
  ///
  /// - Parameter end: The latest end by the monotonic clock, in nanoseconds.
  /// - Throws: As ``send(_:to:_:)``.
  package func test(_ id: String, until end: Int64) throws -> Outcome {
    let test = DesktopNotification(
      title: "Errand", text: "Notifications appear here.", urgency: .normal, actions: [])
    return try send(test, to: id, WaitBounds(deadline: end, descriptors: []))
  }

  /// The encrypted and signed request for a browser.
  private func request(
    _ message: [UInt8], _ urgency: DesktopNotification.Urgency, to device: PushDevices.Device,
    _ keys: PushCipher.KeyPair, _ cipher: PushCipher
  ) throws -> HTTPRequest {
    let url = try url(of: device.endpoint)
    var claims: [String: JSONValue] = [
      "aud": .string("https://\(url.host)\(url.port.map { ":\($0)" } ?? "")"),
      "exp": .int(now + Self.signatureLifetime),
    ]
    let address = settings.value(of: .mailTo)
    if address.contains("@") { claims["sub"] = .string("mailto:" + address) }
    let parts = [#"{"typ":"JWT","alg":"ES256"}"#, try JSONValue.object(claims).text()]
    let signed = parts.map { Array($0.utf8).base64URL }.joined(separator: ".")
    let signature = try cipher.sign(Array(signed.utf8), keys).base64URL
    var request = HTTPRequest("POST", device.endpoint)
    request.headers = [
      .init("Content-Type", "application/octet-stream"), .init("Content-Encoding", "aes128gcm"),
      .init("TTL", "\(Self.lifetime)"),
      .init("Urgency", urgency == .critical ? "high" : urgency.rawValue),
      .init(
        "Authorization", "vapid t=\(signed).\(signature), k=\(keys.point.base64URL)", isSecret: true
      ),
    ]
    request.body = .bytes(
      try cipher.seal(
        message, device.receiver, cipher.makeKeys(), SystemHost.randomBytes(16)))
    request.redirects = 0
    request.localHosts = localHosts
    return request
  }

  /// The message for the page's service worker; a long text is cut.
  private static func message(
    _ notification: DesktopNotification, ticket: String?
  ) throws -> [UInt8] {
    let page = notification.item?.page
    var members: [String: JSONValue] = [
      "title": .string(String(notification.title.prefix(200))),
      "url": .string(ticket.map { "/notification/\($0)" } ?? page ?? "/activity"),
    ]
    // The next notification about an item replaces the one before.
    members["tag"] = page.map(JSONValue.string)
    if ticket != nil {
      members["actions"] = .array(
        notification.actions.prefix(8).map { .string(String($0.prefix(40))) })
    }
    var text = String(notification.text.prefix(limit))
    while true {
      members["text"] = .string(text)
      let bytes = Array(try JSONValue.object(members).text().utf8)
      if bytes.count <= limit || text.isEmpty { return bytes }
      text = text.count > 8 ? text.prefix(text.count * 3 / 4) + "…" : ""
    }
  }
}

extension ItemReference {
  /// The path of its page.
  var page: String { "/item/\(entity)/\(id)" }
}

extension Errand {
  /// Notifications in browsers, with the current settings; nil without a home directory.
  ///
  /// - Parameter machine: Makes requests and encrypts.
  package func webPush(_ machine: Machine) -> WebPush? {
    places.map { WebPush($0, knownSettings, machine) }
  }
}
