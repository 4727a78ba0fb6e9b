package import ErrandKit
import Glibc
import Links
import POSIX

/// The invitation of a device: a code that is used once, within two minutes, and confirmed by the
/// person at the browser that made it.
///
/// It is a file named after the hash of the code, then after that of the device's secret. The
/// serving thread and workers share them, so each step removes the file of the step before: only
/// one of two requests succeeds.
package struct Pairings: Sendable {
  /// A device that wants to sign in.
  package struct Claim: Equatable {
    /// The name of its file.
    package let id: String
    package let name: String
    /// The number that the device shows, too.
    package let number: String
  }

  /// The state of a device's request.
  enum State {
    case waiting(number: String)
    /// The device with this name may sign in now; it is told so once.
    case allowed(name: String)
    case over
  }

  private let folder: String

  /// The seconds within which a device has to be confirmed.
  package static let validity = 120
  /// The size of a code in bytes.
  private static let codeSize = 16

  package init(folder: String) { self.folder = folder }

  /// Makes a code; earlier ones are void.
  ///
  /// - Throws: `unwritable`.
  package func invite() throws(ErrandError) -> String {
    for name in Folder.names(in: folder) ?? [] { unlink("\(folder)/\(name)") }
    let code = SystemHost.randomBytes(Self.codeSize).base64URL
    try write("\(Int64(time(nil)))", to: SHA256.hex(of: code) + ".open")
    return code
  }

  /// Whether a code can be used.
  func isOpen(_ code: String) -> Bool { lines(of: SHA256.hex(of: code) + ".open") != nil }

  /// Uses a code up for a device; returns its secret, nil if the code is unknown, used or too old.
  func claim(_ code: String, as name: String) throws(ErrandError) -> String? {
    let file = SHA256.hex(of: code) + ".open"
    guard let began = lines(of: file)?.first, unlink("\(folder)/\(file)") == 0 else { return nil }
    let secret = SystemHost.randomBytes(Self.codeSize).base64URL
    let number = SystemHost.randomBytes(4).reduce(0) { ($0 << 8 | Int($1)) % 9_000 } + 1_000
    let shown = String(
      name.unicodeScalars.filter { $0.value > 0x1F && $0.value != 0x7F }.prefix(60))
    try write("\(began)\n\(number)\n\(shown)", to: SHA256.hex(of: secret) + ".claimed")
    return secret
  }

  /// The device that waits for the person; nil if none does.
  package var claim: Claim? {
    (Folder.names(in: folder) ?? []).lazy.compactMap { file in
      guard file.hasSuffix(".claimed"), let lines = lines(of: file), lines.count == 3 else {
        return nil
      }
      return Claim(id: String(file.prefix { $0 != "." }), name: lines[2], number: lines[1])
    }.first
  }

  /// Allows or refuses a device.
  ///
  /// - Throws: `conflict` if it does not wait any more.
  package func settle(_ id: String, allowed: Bool) throws(ErrandError) {
    let file = "\(folder)/\(id.filter(\.isHexDigit)).claimed"
    guard lines(of: "\(id.filter(\.isHexDigit)).claimed") != nil,
      allowed
        ? rename(file, String(file.dropLast("claimed".count)) + "allowed") == 0 : unlink(file) == 0
    else {
      throw ErrandError(
        code: "conflict", message: "the device does not wait any more",
        help: "begin again with a new code")
    }
  }

  /// The state of the request of the device with a secret.
  func state(_ secret: String) -> State {
    let hash = SHA256.hex(of: secret)
    if let lines = lines(of: hash + ".claimed"), lines.count == 3 {
      return .waiting(number: lines[1])
    }
    guard let lines = lines(of: hash + ".allowed"), lines.count == 3,
      unlink("\(folder)/\(hash).allowed") == 0
    else { return .over }
    return .allowed(name: lines[2])
  }

  /// The lines of a file, unless it is too old.
  private func lines(of file: String) -> [String]? {
    guard let bytes = try? FileReader.bytes(of: "\(folder)/\(file)", limit: 1_024) else {
      return nil
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    guard let began = lines.first.flatMap({ Int($0) }),
      (0..<Self.validity).contains(time(nil) - began)
    else { return nil }
    return lines
  }

  private func write(_ text: String, to name: String) throws(ErrandError) {
    guard PrivateFile(path: "\(folder)/\(name)").write(text) else {
      throw ErrandError(code: "unwritable", message: "\(folder) cannot be written")
    }
  }
}
