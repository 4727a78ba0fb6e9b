import Foundation

/// A PostgreSQL server of a test's own, on a socket in a temporary folder.
package final class PostgreSQLServer {
  /// The folder of the programs of the newest installed version; nil without one.
  package static let programs: String? = {
    let versions =
      (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
    return versions.compactMap(Int.init).max().map { "/usr/lib/postgresql/\($0)/bin" }
  }()

  private let sandbox: Sandbox
  /// The folder of the socket.
  package var socket: String { sandbox.path + "/sock" }

  /// Starts a server with the database `hub`, whose owner is `owner`.
  package init() throws {
    sandbox = try Sandbox()
    let run = try sandbox.shell(
      """
      set -e
      mkdir data sock
      if [ "$(id -u)" = 0 ]; then chmod 711 .; chown postgres data sock; fi
      \(command("initdb", "-D data -A trust -U owner --no-sync")) >out
      \(begin)
      \(Self.programs ?? "")/createdb -h "$PWD/sock" -U owner hub
      """)
    guard run.status == 0 else { throw Failure(text: run.err) }
  }

  deinit { _ = try? sandbox.shell(command("pg_ctl", "-D data -m immediate stop") + " >out 2>&1") }

  /// The reason why a server cannot be started.
  package struct Failure: Error {
    package let text: String
  }

  private var begin: String {
    command(
      "pg_ctl",
      "-D data -o \"-c listen_addresses='' -c unix_socket_directories=$PWD/sock\" -l data/log "
        + "-w start") + " >out </dev/null"
  }

  /// A command of the server, which refuses to run as root.
  private func command(_ program: String, _ words: String) -> String {
    let path = "\(Self.programs ?? "")/\(program)"
    return "if [ \"$(id -u)\" = 0 ]; then /usr/sbin/runuser -u postgres -- \(path) \(words); "
      + "else \(path) \(words); fi"
  }

  /// Kills the server and starts it again, as after a crash.
  package func crash() throws {
    let stop = command("pg_ctl", "-D data -m immediate stop") + " >out 2>&1"
    let run = try sandbox.shell(stop + "\n" + begin)
    guard run.status == 0 else { throw Failure(text: run.err) }
  }

  /// Runs SQL as a login and returns its rows as text.
  package func query(_ sql: String, as login: String = "owner") throws -> ProgramRun {
    try sandbox.shell(
      "\(Self.programs ?? "")/psql -h \"$PWD/sock\" -U \(login) -d hub -qAtX -v ON_ERROR_STOP=1",
      input: sql)
  }

  /// A separate machine, with a login that is a member of the hub.
  package func machine(_ name: String, _ files: [String: String] = [:]) throws -> Sandbox {
    let machine = try Sandbox(files)
    machine.environment["PGHOST"] = socket
    machine.environment["PGDATABASE"] = "hub"
    machine.environment["PGUSER"] = name
    return machine
  }
}
