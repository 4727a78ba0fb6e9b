import Engine
import Glibc
import Source

/// A systemd user unit (systemd.unit(5)).
package struct UserUnit {
  private let name: String
  private let folder: String
  /// The path of the unit file.
  package var path: String { folder + "/" + name }

  /// Locates a unit in the person's systemd folder; nil without a home directory.
  ///
  /// - Parameter name: The file name, such as `errand-worker.service`.
  package init?(_ name: String, environment: (String) -> String?) {
    self.name = name
    if let config = environment("XDG_CONFIG_HOME"), config.hasPrefix("/") {
      folder = config + "/systemd/user"
    } else if let home = environment("HOME"), home.hasPrefix("/") {
      folder = home + "/.config/systemd/user"
    } else {
      return nil
    }
  }

  /// Returns the service of a worker (systemd.service(5)).
  ///
  /// - Parameters:
  ///   - program: The path of the program.
  ///   - store: The path of the store; nil for the default.
  package static func worker(program: String, store: String?) -> String {
    """
    [Unit]
    Description=Errand: runs queued jobs and automations
    Documentation=man:systemd.service(5)

    [Service]
    Type=exec
    ExecStart=\(command(program, "worker", store))
    Restart=on-failure
    RestartSec=10
    TimeoutStopSec=90
    KillMode=mixed
    Nice=5

    [Install]
    WantedBy=default.target

    """
  }

  /// Returns the service of a server, which its socket starts.
  ///
  /// - Parameters:
  ///   - program: The path of the program.
  ///   - store: The path of the store; nil for the default.
  package static func server(program: String, store: String?) -> String {
    """
    [Unit]
    Description=Errand: the HTTP API
    Documentation=man:systemd.service(5)

    [Service]
    Type=exec
    ExecStart=\(command(program, "serve", store))
    Restart=on-failure
    TimeoutStopSec=30
    KillMode=mixed

    """
  }

  /// Returns the socket of a server (systemd.socket(5)).
  ///
  /// - Parameter address: `127.0.0.1:7717`, or a path that only the person can open.
  package static func socket(at address: String) -> String {
    """
    [Unit]
    Description=Errand: the socket of the HTTP API

    [Socket]
    ListenStream=\(address.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%%"))
    SocketMode=0600

    [Install]
    WantedBy=sockets.target

    """
  }

  private static func command(_ program: String, _ verb: String, _ store: String?) -> String {
    ([program, verb] + (store.map { ["--store", $0] } ?? [])).map(quoted).joined(separator: " ")
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
