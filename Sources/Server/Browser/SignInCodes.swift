package import ErrandKit
import Glibc
import Links
import POSIX

/// Sign-in codes for browsers: each works once, within a minute. The server and the command that
/// opens the page share them as empty files named by their hash.
package struct SignInCodes: Sendable {
  private let folder: String

  /// The time in seconds for which a code is valid.
  private static let validity = 60

  package init(folder: String) { self.folder = folder }

  /// Makes a code.
  ///
  /// - Throws: `unwritable`.
  package func create() throws(ErrandError) -> String {
    for name in Folder.names(in: folder) ?? [] where !isValid(name) { unlink("\(folder)/\(name)") }
    let code = SystemHost.randomBytes(32).base64URL
    guard PrivateFile(path: "\(folder)/\(SHA256.hex(of: code))").write("") else {
      throw ErrandError(code: "unwritable", message: "\(folder) cannot be written")
    }
    return code
  }

  /// Redeems a code; false if it is unknown, used or too old.
  func take(_ code: String) -> Bool {
    let name = SHA256.hex(of: code)
    let isValid = isValid(name)
    // Only one of two requests removes the file.
    return unlink("\(folder)/\(name)") == 0 && isValid
  }

  private func isValid(_ name: String) -> Bool {
    stat.at("\(folder)/\(name)").map { time(nil) - $0.st_mtim.tv_sec < Self.validity } ?? false
  }
}
