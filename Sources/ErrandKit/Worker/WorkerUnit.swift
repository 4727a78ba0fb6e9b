import Engine
import Glibc
import Source

/// The unit of the person's systemd that keeps a worker (systemd.service(5)).
package struct WorkerUnit {
  /// What it is called.
  package static let name = "errand-worker.service"

  private let folder: String
  /// The path of its file.
  package var path: String { folder + "/" + Self.name }

  /// The unit in the folder where a person's units are; nil where not even the home folder is known.
  package init?(environment: (String) -> String?) {
    if let config = environment("XDG_CONFIG_HOME"), config.hasPrefix("/") {
      folder = config + "/systemd/user"
    } else if let home = environment("HOME"), home.hasPrefix("/") {
      folder = home + "/.config/systemd/user"
    } else {
      return nil
    }
  }

  /// The text of the file.
  ///
  /// - Parameters:
  ///   - program: the program that works.
  ///   - store: its store, where that is not the usual one.
  package static func text(program: String, store: String?) -> String {
    let words = [program, "worker"] + (store.map { ["--store", $0] } ?? [])
    return """
      [Unit]
      Description=Errand: does jobs of the queue and looks after automations
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

  /// A word of a command line as systemd reads it: `%` and `$` would stand for something else.
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

  /// Whether the file is there.
  package var isInstalled: Bool { access(path, F_OK) == 0 }

  /// Writes the file, and its folder.
  package func install(_ text: String) throws {
    var made = ""
    for part in folder.split(separator: "/") {
      made += "/" + part
      mkdir(made, 0o755)
    }
    guard PrivateFile(path: path).replace(Array(text.utf8), isDurable: true) else {
      throw RunError(.io, "\(path) can't be written: \(String(cString: strerror(errno)))")
    }
  }

  /// Removes the file; false where there was none.
  package func remove() throws -> Bool {
    if unlink(path) == 0 { return true }
    guard errno == ENOENT else {
      throw RunError(.io, "\(path) can't be removed: \(String(cString: strerror(errno)))")
    }
    return false
  }

  /// Whether a systemd of the person's own runs here (sd_booted(3)).
  package static func hasManager(environment: (String) -> String?) -> Bool {
    guard access("/run/systemd/system", F_OK) == 0 else { return false }
    let runtime = environment("XDG_RUNTIME_DIR") ?? "/run/user/\(getuid())"
    return access(runtime + "/systemd", F_OK) == 0
  }
}
