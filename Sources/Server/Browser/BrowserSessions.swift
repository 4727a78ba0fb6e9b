import ErrandKit
import Links
import POSIX
import Source

/// The browsers that are signed in, in a file with hashes of their cookies; read again after each
/// change of the file.
struct BrowserSessions {
  /// A signed-in browser.
  struct Session: Equatable, Sendable {
    /// The SHA-256 of the cookie for reading, in hexadecimal.
    let see: String
    /// The SHA-256 of the cookie for acting; browsers send it only from the page itself.
    let act: String
    /// Seconds since 1970.
    let expires: Int64
    /// The name of the device; nil for a browser of this machine.
    var device: String?

    /// Its name in the list of the signed-in browsers, which reveals neither cookie.
    var id: String { String(SHA256.hex(of: "id \(see)").prefix(16)) }

    /// The token in each form of the page, against cross-site request forgery.
    var form: String { SHA256.hex(of: "form \(act)") }

    /// Whether a text is the token of the page's forms.
    func isForm(_ text: String) -> Bool {
      Array(form.utf8).isSameInConstantTime(as: Array(text.utf8))
    }
  }

  private let file: PrivateFile
  private var sessions: [Session] = []
  /// The state of the file that was read.
  private var stamp = ""

  /// The time in seconds for which a browser stays signed in.
  static let validity: Int64 = 90 * 86_400
  /// The maximum number of browsers; the oldest is signed out.
  private static let limit = 50

  /// Reads the file; a damaged one signs all browsers out.
  init(path: String) {
    file = PrivateFile(path: path)
    renew()
  }

  /// Reads the file if it has changed.
  private mutating func renew() {
    let now = Errand.stamp(file.path)
    if now == stamp { return }
    stamp = now
    let bytes = (try? FileReader.bytes(of: file.path, limit: 1 << 20)) ?? []
    sessions = String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ", maxSplits: 3)
      guard words.count >= 3, let expires = Int64(words[2]) else { return nil }
      return Session(
        see: String(words[0]), act: String(words[1]), expires: expires,
        device: words.count > 3 ? String(words[3]) : nil)
    }
  }

  /// The browsers that are signed in, oldest first.
  mutating func all(at now: Int64) -> [Session] {
    renew()
    return sessions.filter { $0.expires > now }
  }

  /// Signs a browser in, and returns the values of its cookies.
  ///
  /// - Parameter device: The name of the device; nil for a browser of this machine.
  /// - Throws: A problem if the file cannot be written.
  mutating func begin(
    at now: Int64, device: String? = nil
  ) throws(Problem) -> (see: String, act: String) {
    let (see, act) = (SystemHost.randomBytes(32).base64URL, SystemHost.randomBytes(32).base64URL)
    let session = Session(
      see: SHA256.hex(of: see), act: SHA256.hex(of: act), expires: now + Self.validity,
      device: device)
    try change { sessions in
      sessions.removeAll { $0.expires <= now }
      sessions = (sessions + [session]).suffix(Self.limit)
    }
    return (see, act)
  }

  /// Signs a browser out by its ``Session/id``.
  mutating func end(_ id: String) throws(Problem) {
    try change { $0.removeAll { $0.id == id } }
  }

  private mutating func change(_ body: (inout [Session]) -> Void) throws(Problem) {
    let lock: FileLock
    do { lock = try FileLock.taken(beside: file.path) } catch {
      throw Problem(500, "io", error.message)
    }
    defer { lock.release() }
    renew()
    body(&sessions)
    let lines = sessions.map {
      "\($0.see) \($0.act) \($0.expires)\($0.device.map { " " + $0 } ?? "")\n"
    }
    defer { stamp = Errand.stamp(file.path) }
    guard file.replace(Array(lines.joined().utf8), isDurable: true) else {
      throw Problem(500, "io", "the list of signed-in browsers cannot be written")
    }
  }

  /// The session of a browser's cookies, and whether they allow acting; nil if it is not signed in.
  mutating func session(
    _ head: RequestHead, at now: Int64
  ) -> (session: Session, mayAct: Bool)? {
    renew()
    let cookies = Cookies(head)
    guard let see = cookies.value("errand-see") else { return nil }
    let hash = Array(SHA256.hex(of: see).utf8)
    var found: Session?
    for session in sessions where Array(session.see.utf8).isSameInConstantTime(as: hash) {
      found = session
    }
    guard let found, found.expires > now else { return nil }
    let act = cookies.value("errand-act").map { Array(SHA256.hex(of: $0).utf8) }
    let mayAct = act.map { Array(found.act.utf8).isSameInConstantTime(as: $0) } ?? false
    return (found, mayAct)
  }
}

/// The cookies of a request (RFC 6265 §5.4).
struct Cookies {
  private let pairs: [(name: Substring, value: Substring)]

  init(_ head: RequestHead) {
    pairs = head.all("cookie").flatMap { $0.split(separator: ";") }.map { pair in
      let sides = pair.drop { $0 == " " }.split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (sides[0], sides.count > 1 ? sides[1] : "")
    }
  }

  /// The value of a cookie; nil if it is missing, or there are several.
  func value(_ name: String) -> String? {
    let values = pairs.filter { $0.name == name }
    return values.count == 1 ? String(values[0].value) : nil
  }

  /// A header that sets a cookie, which no script can read.
  ///
  /// - Parameter isSecure: Whether it is sent by https only.
  static func set(
    _ name: String, _ value: String, site: String, age: Int64, isSecure: Bool = false
  ) -> (name: String, value: String) {
    (
      "Set-Cookie",
      "\(name)=\(value); Path=/; Max-Age=\(age); \(isSecure ? "Secure; " : "")HttpOnly; SameSite=\(site)"
    )
  }
}
