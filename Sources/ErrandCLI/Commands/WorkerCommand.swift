import CEL
import Engine
import ErrandKit
import Glibc
import POSIX
import Program
import Source
import Store
import Worker

/// `errand worker`: runs queued jobs and automations.
enum WorkerCommand {
  private static let defaultGrace: Int64 = 20

  static let command: Command = .init(
    "worker", "run queued jobs and automations", usage: "[install | remove]",
    discussion: """
      Runs until stopped and logs one line per event, with --json as JSON; any number of workers \
      may run. `install` sets it up as a systemd user service.
      """,
    flags: [
      Flag("once", .toggle, "run what is due now, then exit"),
      Flag("status", .toggle, "show the jobs, the workers and the last failures"),
      Flag(
        "grace", .value("TIME"),
        "how long a running job may take to finish on shutdown [default \(defaultGrace)s]"),
      Flag.allow,
    ], serves: [.json]
  ) { invocation, arguments in
    switch arguments.words.first {
    case nil: break
    case "install": return try install(invocation)
    case "remove": return try remove(invocation)
    case _?: throw command.misuse(arguments.words)
    }
    if arguments.isOn("status") { return try QueueText(invocation).write() }
    let grace = try givenGrace(arguments)
    try Reexec.goOnWithRecordedRun(invocation)
    // Started by a server, it ends with it.
    guard KeptProcess.endWithParent() else { return }
    var options = JobWorker.Options()
    options.isOnce = arguments.isOn("once")
    let summary = try invocation.work(options, grace: grace)
    if summary.failed > 0, options.isOnce { invocation.status = ExitStatus.failed }
  }

  private static func givenGrace(_ arguments: Arguments) throws -> Duration {
    guard let text = arguments.last("grace") else { return .seconds(defaultGrace) }
    guard let length = DurationReader.duration(text), length.seconds >= 0 else {
      throw UsageError("--grace must be a duration such as 20s, not “\(text)”")
    }
    return .seconds(length.seconds)
  }

  // MARK: systemd

  private static func unit() throws -> UserUnit { try unit("errand-worker.service") }

  /// Locates a unit in the person's systemd folder.
  static func unit(_ name: String) throws -> UserUnit {
    guard let unit = UserUnit(name, environment: ProcessEnvironment.value) else {
      throw RunError(.io, "cannot install a systemd unit: HOME is not set")
    }
    return unit
  }

  /// The path of this program, and that of the store if it is not the default.
  static func installed(_ invocation: Invocation) throws -> (program: String, store: String?) {
    guard let program = Folder.resolved("/proc/self/exe") else {
      throw RunError(.io, "cannot find the path of errand")
    }
    let store = invocation.arguments.last("store") ?? ProcessEnvironment.value("ERRAND_STORE")
    return (program, store.map(invocation.absolute))
  }

  private static func install(_ invocation: Invocation) throws {
    let unit = try unit()
    let (program, store) = try installed(invocation)
    try unit.install(UserUnit.worker(program: program, store: store))
    invocation.say("Wrote \(unit.path).")
    guard UserUnit.hasManager(environment: ProcessEnvironment.value) else {
      invocation.say(
        "systemd is not running for you, so nothing was started; `errand worker` runs in a terminal."
      )
      return
    }
    invocation.say(
      "Start it with: systemctl --user daemon-reload && systemctl --user enable --now errand-worker"
    )
  }

  private static func remove(_ invocation: Invocation) throws {
    let unit = try unit()
    if UserUnit.hasManager(environment: ProcessEnvironment.value), unit.isInstalled {
      invocation.say("Stop it with: systemctl --user disable --now errand-worker")
    }
    invocation.say(try unit.remove() ? "Removed \(unit.path)." : "No worker was installed.")
  }
}

extension Invocation {
  /// A path that does not depend on the working folder.
  func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : (places?.workingFolder ?? "") + "/" + path
  }
}
