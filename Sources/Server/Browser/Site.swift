package import ErrandKit
import POSIX

/// The name of the page in browsers, chosen at random for each installation: cookies belong to it
/// alone, not to other servers on this machine.
package struct Site: Sendable {
  /// The host name, under `localhost`, which browsers resolve to this machine themselves.
  package let host: String

  private static let length = 8
  private static let letters = Array("abcdefghijkmnpqrstuvwxyz23456789")

  /// Reads the name from a file, or makes one.
  ///
  /// - Throws: `unwritable`.
  package init(file path: String) throws(ErrandError) {
    let bytes = (try? FileReader.bytes(of: path, limit: 64)) ?? []
    var name = String(decoding: bytes, as: UTF8.self)
    if name.count != Self.length || !name.allSatisfy(Self.letters.contains) {
      name = String((0..<Self.length).compactMap { _ in Self.letters.randomElement() })
      guard PrivateFile(path: path).replace(Array(name.utf8), isDurable: true) else {
        throw ErrandError(code: "unwritable", message: "\(path) cannot be written")
      }
    }
    host = "errand-\(name).localhost"
  }
}
