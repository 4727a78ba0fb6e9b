package import Engine
import Links
import POSIX

/// The browsers that show notifications, in a file that only the person can read.
package struct PushDevices: Sendable {
  /// A browser's subscription.
  package struct Device: Sendable {
    /// The beginning of the SHA-256 of its address, in hexadecimal.
    package var id: String { String(SHA256.hex(of: endpoint).prefix(16)) }
    /// Its name, such as `Firefox on Android`.
    package let name: String
    /// The sign-in it belongs to, by the hash of its cookie; it ends with it.
    package let browser: String
    /// The address of its push service.
    package let endpoint: String
    package let receiver: PushCipher.Receiver
    /// Seconds since 1970.
    package let created: Int64
  }

  private let path: String
  /// The file of the signed-in browsers.
  private let browsers: String

  /// The maximum number of browsers; the oldest goes first.
  private static let limit = 20

  /// - Parameter folder: The folder of the server's files.
  init(in folder: String) {
    path = folder + "/devices"
    browsers = folder + "/browsers"
  }

  /// The browsers that are signed in now, the oldest first.
  package func all(at now: Int64) -> [Device] {
    let devices = read()
    guard !devices.isEmpty else { return [] }
    let bytes = (try? FileReader.bytes(of: browsers, limit: 1 << 20)) ?? []
    let signedIn = String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap {
      let words = $0.split(separator: " ")
      return words.count == 3 && Int64(words[2]) ?? 0 > now ? String(words[0]) : nil
    }
    return devices.filter { signedIn.contains($0.browser) }
  }

  /// Adds a browser, or replaces it.
  ///
  /// - Throws: `unwritable`.
  func add(_ device: Device) throws {
    try change { devices in
      devices = devices.filter { $0.id != device.id }.suffix(Self.limit - 1) + [device]
    }
  }

  /// Removes a browser.
  ///
  /// - Throws: `unwritable`.
  package func remove(_ id: String) throws { try change { $0.removeAll { $0.id == id } } }

  private func read() -> [Device] {
    let bytes = (try? FileReader.bytes(of: path, limit: 1 << 20)) ?? []
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap {
      (try? JSONValue(parsing: String($0))).flatMap { Device(json: $0) }
    }
  }

  private func change(_ body: (inout [Device]) -> Void) throws {
    let lock = try FileLock.taken(beside: path)
    defer { lock.release() }
    var devices = read()
    body(&devices)
    let lines = try devices.map { try $0.json.text() + "\n" }
    guard PrivateFile(path: path).replace(Array(lines.joined().utf8), isDurable: true) else {
      throw ErrandError(code: "unwritable", message: "\(path) cannot be written")
    }
  }
}

extension PushDevices.Device {
  fileprivate var json: JSONValue {
    .object([
      "name": .string(name), "browser": .string(browser), "endpoint": .string(endpoint),
      "p256dh": .string(receiver.point.base64URL), "auth": .string(receiver.secret.base64URL),
      "created": .int(created),
    ])
  }

  fileprivate init?(json: JSONValue) {
    guard let name = json["name"]?.string, let browser = json["browser"]?.string,
      let endpoint = json["endpoint"]?.string, let created = json["created"]?.int,
      let point = json["p256dh"]?.string.flatMap({ [UInt8](base64URL: $0) }),
      let secret = json["auth"]?.string.flatMap({ [UInt8](base64URL: $0) })
    else { return nil }
    self.init(
      name: name, browser: browser, endpoint: endpoint,
      receiver: PushCipher.Receiver(point: point, secret: secret), created: created)
  }
}
