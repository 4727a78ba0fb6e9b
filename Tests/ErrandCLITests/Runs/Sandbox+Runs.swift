import ErrandKit
import Glibc
import TestSupport

/// Helpers for runs that others observe, stop and take over while they run.
extension Sandbox {
  /// Waits at a pipe until it is written to, unless a file `go` exists.
  static let stops = """
    shortcut: stops
    durable: true
    steps:
      - create: {entity: Task, set: {title: first}}
      - exec: {shell: 'echo x >> reached; test -e go || cat hold'}
        onResume: retry
      - create: {entity: Task, set: {title: second}}
      - value: done

    """

  /// Creates a sandbox with a shortcut in `stops.yaml` and the pipe it waits at.
  static func stopping(_ yaml: String = stops) throws -> Sandbox {
    let sandbox = try Sandbox(["stops.yaml": yaml])
    mkfifo(sandbox.path + "/hold", 0o600)
    return sandbox
  }

  /// Starts a command in the background; its messages go to the file `err`.
  func start(_ arguments: String..., err: String = "err") throws -> TestProcess {
    try start(arguments, err: err)
  }

  /// Starts a command, given as a list of arguments, in the background.
  func start(_ arguments: [String], err: String = "err") throws -> TestProcess {
    try TestProcess(
      Self.products + "/errand", arguments, environment: environment, folder: path,
      streams: [
        0: .file("/dev/null", O_RDONLY), 1: .file("/dev/null", O_WRONLY),
        2: .file("\(path)/\(err)", O_WRONLY | O_CREAT | O_TRUNC),
      ])
  }

  /// Starts the run and waits until a number of branches have reached the pipe.
  func startStopping(reached count: Int = 1) throws -> TestProcess {
    let child = try start("run", "stops.yaml")
    try until("run") {
      if let status = child.poll() {
        throw TestProcess.Failure(reason: "it ended with \(status): \(read("err") ?? "")")
      }
      return (read("reached") ?? "").count(where: \.isNewline) >= count
    }
    return child
  }

  /// Waits for a condition, up to the test's timeout.
  func until(_ what: String, _ isThere: () throws -> Bool) throws {
    let deadline = Clock.seconds + TestProcess.patience
    while try !isThere() {
      guard Clock.seconds < deadline else { throw TestProcess.Failure(reason: "no \(what)") }
      usleep(500)
    }
  }

  /// Titles of the tasks by number.
  func taskTitles() throws -> [String] {
    try run("find", "tasks", "--sort", "id", "--quiet", "--format", "{{ self.title }}").out
      .split(separator: "\n").map(String.init)
  }

  /// A line `NUMBER STATE` per run, newest first.
  func runStates() throws -> String {
    try run("runs", "--quiet", "--format", "{{ self.run }} {{ self.state }}").out
  }
}
