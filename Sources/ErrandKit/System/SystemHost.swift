package import CEL
package import Engine
import Glibc
import Items
import JSON
package import Program
package import Source
import System

/// The world of a real process: its clock, its environment, its desktop.
package enum SystemHost {
  /// The host of a run.
  ///
  /// - Parameters:
  ///   - board: Shows other programs what goes on; nil for nobody.
  ///   - doesJobsNow: Whether jobs are done at once, so that none that came with the program is
  ///     left out.
  ///   - note: Tells the person what could not be done.
  package static func make(
    places: Places?, settings: Settings, secrets: KnownSecrets, interrupt: Interrupt,
    environment: @escaping @Sendable (String) -> String? = ProcessEnvironment.value,
    http: HTTPAccess?, board: ActivityBoard? = nil, doesJobsNow: Bool = false,
    note: @escaping @Sendable (TerminalText) -> Void
  ) -> Host {
    // Nothing is looked for before a step wants it: most runs need neither zone nor clipboard.
    var host = Host(
      now: now, randomBytes: randomBytes, environment: environment,
      clock: LocalClock { .system() },
      readClipboard: { Clipboard(note: note).read() },
      writeClipboard: { Clipboard(note: note).write($0) },
      open: { URLOpener().open($0) }, linkBase: settings.value(of: .linkBase),
      keyPath: environment("ERRAND_KEY") ?? places?.key,
      log: { log($0, secrets, note) },
      machine: .system(environment: environment, http: http))
    host.secrets = secrets
    let source = SecretSource(places, host.machine, interrupt: interrupt)
    host.readSecret = { (name: String) throws(EvaluationError) -> String in
      try source.text(name)
    }
    // The sender has the machine as it is now, whose `notify` is the desktop's.
    let sender = NotificationSender(host.machine, settings, host.secrets) {
      (name: String) throws(EvaluationError) -> String in try source.text(name)
    }
    host.machine.notify = { try sender.send($0, $1) }
    if let places {
      let log = NotificationLog(in: places.state)
      host.keepNotification = { log.keep($0, $1, at: now()) }
    }
    host.home = { Coordinates(settings.value(of: .location)) }
    host.allowsJob = { name in
      name != "enrich" || doesJobsNow || settings.value(of: .enrich) != "off"
    }
    board?.follow(&host)
    return host
  }

  /// How large the log may grow before it is put aside, in bytes.
  private static let logLimit = 1 << 20

  /// Keeps a line in the person's log; where there is no place for it, it goes to standard error.
  private static func log(
    _ text: String, _ secrets: KnownSecrets, _ note: (TerminalText) -> Void
  ) {
    let line = "\(now().jsonText) \(secrets.masked(text).harmless())\n"
    if let places = Places(environment: ProcessEnvironment.value, workingFolder: "/"),
      PrivateFile(path: places.state + "/errand.log").append(line, limit: logLimit)
    {
      return
    }
    note("errand: log: \(String(line.dropLast()))\n")
  }

  /// The time now.
  @Sendable
  package static func now() -> Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
  }

  /// Random bytes of the system.
  @Sendable
  package static func randomBytes(_ count: Int) -> [UInt8] {
    Array(unsafeUninitializedCapacity: count) { buffer, filled in
      if let start = buffer.baseAddress { arc4random_buf(start, count) }
      filled = count
    }
  }
}
