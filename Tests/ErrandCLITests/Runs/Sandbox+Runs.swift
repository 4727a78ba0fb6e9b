import ErrandKit
import Glibc

/// Runs that others look at, stop and take over while they go on.
extension Sandbox {
  /// Waits at a pipe until somebody writes to it, unless there is a file `go`.
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

  /// A sandbox with a shortcut in `stops.yaml`, and the pipe that it waits at.
  static func stopping(_ yaml: String = stops) throws -> Sandbox {
    let sandbox = try Sandbox(["stops.yaml": yaml])
    mkfifo(sandbox.path + "/hold", 0o600)
    return sandbox
  }

  /// A command that goes on beside the test; what it says goes to the file `err`.
  func start(_ arguments: String..., err: String = "err") throws -> ChildProcess {
    try start(arguments, err: err)
  }

  /// The same for a list of words.
  func start(_ arguments: [String], err: String = "err") throws -> ChildProcess {
    try ChildProcess(
      Self.products + "/errand", arguments, environment: environment, folder: path,
      streams: [
        0: .file("/dev/null", O_RDONLY), 1: .file("/dev/null", O_WRONLY),
        2: .file("\(path)/\(err)", O_WRONLY | O_CREAT | O_TRUNC),
      ])
  }

  /// Starts the run, and waits until so many have come to the pipe.
  func startStopping(reached count: Int = 1) throws -> ChildProcess {
    let child = try start("run", "stops.yaml")
    try until("run") {
      if let status = child.poll() {
        throw ChildProcess.Failure(reason: "it ended with \(status): \(read("err") ?? "")")
      }
      return (read("reached") ?? "").count(where: \.isNewline) >= count
    }
    return child
  }

  /// Waits until something is there, for as long as a test has patience.
  func until(_ what: String, _ isThere: () throws -> Bool) throws {
    let deadline = Clock.seconds + ChildProcess.patience
    while try !isThere() {
      guard Clock.seconds < deadline else { throw ChildProcess.Failure(reason: "no \(what)") }
      usleep(500)
    }
  }

  /// The titles of the tasks, in the order of their numbers.
  func taskTitles() throws -> [String] {
    try run("find", "tasks", "--sort", "id", "--quiet", "--format", "{{ self.title }}").out
      .split(separator: "\n").map(String.init)
  }

  /// A line `NUMBER STATE` for each run, the newest first.
  func runStates() throws -> String {
    try run("runs", "--quiet", "--format", "{{ self.run }} {{ self.state }}").out
  }
}
