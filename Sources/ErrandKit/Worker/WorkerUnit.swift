import Engine
import Glibc
import Source

/// The systemd user unit of the worker (systemd.service(5)).
package struct WorkerUnit {
  /// The name of the unit.
  package static let name = "errand-worker.service"

  private let folder: String
  /// The path of the unit file.
  package var path: String { folder + "/" + Self.name }

  /// Locates the unit in the person's systemd folder; nil without a home directory.
  package init?(environment: (String) -> String?) {
    if let config = environment("XDG_CONFIG_HOME"), config.hasPrefix("/") {
      folder = config + "/systemd/user"
    } else if let home = environment("HOME"), home.hasPrefix("/") {
      folder = home + "/.config/systemd/user"
    } else {
      return nil
    }
  }

  /// Returns the contents of the unit file.
  ///
  /// - Parameters:
  ///   - program: The path of the program.
  ///   - store: The path of the store; nil for the default.
  package static func text(program: String, store: String?) -> String {
    let words = [program, "worker"] + (store.map { ["--store", $0] } ?? [])
    return """
      [Unit]
      Description=Errand: runs queued jobs and automations
      Documentation=man:systemd.service(5)

      [Service]
      Type=exec
      ExecStart=\(words.map(quoted).joined(separator: " "))
      Restart=on-failure
      RestartSec=10
      TimeoutStopSec=90
      KillMode=mixed
      Nice=5

      [Install]
      WantedBy=default.target

      """
  }

  /// A quoted argument, with systemd's specifiers `%` and `$` escaped.
  private static func quoted(_ word: String) -> String {
    var text = ""
    for scalar in word.unicodeScalars {
      switch scalar {
      case "\\": text += "\\\\"
      case "\"": text += "\\\""
      case "%": text += "%%"
      case "$": text += "$$"
      case "\n": text += "\\n"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return "\"\(text)\""
  }

  /// Whether the unit file exists.
  package var isInstalled: Bool { access(path, F_OK) == 0 }

  /// Writes the unit file, and creates its folder.
  package func install(_ text: String) throws {
    var made = ""
    for part in folder.split(separator: "/") {
      made += "/" + part
      mkdir(made, 0o755)
    }
    guard PrivateFile(path: path).replace(Array(text.utf8), isDurable: true) else {
      throw RunError(.io, "\(path) cannot be written: \(String(cString: strerror(errno)))")
    }
  }

  /// Removes the unit file; false if there was none.
  package func remove() throws -> Bool {
    if unlink(path) == 0 { return true }
    guard errno == ENOENT else {
      throw RunError(.io, "\(path) cannot be removed: \(String(cString: strerror(errno)))")
    }
    return false
  }

  /// Whether a systemd user manager is running (sd_booted(3)).
  package static func hasManager(environment: (String) -> String?) -> Bool {
    guard access("/run/systemd/system", F_OK) == 0 else { return false }
    let runtime = environment("XDG_RUNTIME_DIR") ?? "/run/user/\(getuid())"
    return access(runtime + "/systemd", F_OK) == 0
  }
}
