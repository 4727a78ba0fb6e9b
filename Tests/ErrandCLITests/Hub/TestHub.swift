import Foundation
import TestSupport
import Testing

/// A hub of a test's own, and the machines that join it.
struct TestHub {
  let server: PostgreSQLServer

  init() throws {
    server = try PostgreSQLServer()
    let owner = try server.machine("owner")
    let made = try owner.run("hub", "init")
    try #require(made.status == 0, "\(made)")
  }

  func join(_ name: String, _ files: [String: String] = [:]) throws -> Sandbox {
    let created = try server.query("CREATE ROLE \(name) LOGIN IN ROLE errand_member")
    try #require(created.status == 0, "\(created)")
    let machine = try server.machine(name, files)
    let joined = try machine.run("hub", "join", name, "--yes")
    try #require(joined.status == 0, "\(joined)")
    return machine
  }
}

extension Sandbox {
  /// A worker that runs until it is ended.
  func worker(_ words: [String] = []) throws -> WorkerProcess {
    let process = try TestProcess(
      Sandbox.products + "/errand", ["worker"] + words, environment: environment, folder: path,
      streams: [
        0: .file("/dev/null", O_RDONLY),
        1: .file(path + "/worker.log", O_WRONLY | O_CREAT | O_APPEND),
        2: .file(path + "/worker.log", O_WRONLY | O_CREAT | O_APPEND),
      ])
    return WorkerProcess(process: process)
  }
}

/// A worker that a test started.
struct WorkerProcess {
  let process: TestProcess

  func end(_ signal: Int32 = SIGTERM) {
    kill(process.id, signal)
    _ = try? process.wait()
  }
}
