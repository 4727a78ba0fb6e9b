import CEL
import Engine
import Glibc
import POSIX

extension Errand {
  /// Options of a run.
  public struct RunOptions: Sendable {
    /// Preset answers by question key; answers with the same key are used in order.
    public var answers: [(key: String, value: String)] = []
    /// Whether confirmations that are not marked as dangerous are accepted.
    public var accepts = false
    /// Capabilities granted to a foreign definition, such as `http:api.example.com`.
    public var allow: [String] = []
    /// Whether the run reports the changes it would make, without making them.
    public var isDryRun = false
    /// The language of texts and dates, such as `de`; nil to use the environment's.
    public var language: String?
    /// The time zone, such as `Europe/Berlin`; nil to use the environment's.
    public var zone: String?
    /// The base of relative paths; nil for ``Errand/Options/folder``.
    public var folder: String?

    /// The cause recorded in the change log, such as the front's name; nil for the name of the
    /// intent or shortcut.
    public var cause: String?

    /// Creates options with all defaults.
    public init() {}
  }

  /// Starts an intent or a shortcut in a new process and returns at once.
  ///
  /// Values keep their types: an array becomes a list, and a string is parsed as the parameter's
  /// type requires, such as `tomorrow 9:00` for a timestamp. An item is given by reference, title
  /// or identity.
  ///
  /// - Parameters:
  ///   - name: The name of the intent or shortcut, or the path of a file that holds one.
  ///   - parameters: Values by parameter name; a missing one takes its default or is prompted for.
  ///   - input: The value of a shortcut's input or of an intent's primary parameter.
  ///   - options: Options of the run.
  /// - Throws: `exec` if `errand` cannot be started, `io` if the process cannot be created.
  ///   Mistakes in the call are reported by the run's `error` event.
  public func start(
    _ name: String, _ parameters: [String: JSONValue] = [:], input: JSONValue? = nil,
    options: RunOptions = RunOptions()
  ) throws(ErrandError) -> RunHandle {
    var words = ["run", name]
    for (key, value) in options.answers { words += ["--answer", "\(key)=\(value)"] }
    if options.accepts { words.append("--yes") }
    if options.isDryRun { words.append("--dry-run") }
    return try launch(words, parameters, input, run: options)
  }

  /// Continues a run that was suspended or whose process died, from the end of its journal.
  ///
  /// - Parameter run: The run number.
  /// - Throws: As ``start(_:_:input:options:)``; a run that cannot continue reports it by its
  ///   `error` event.
  public func resume(
    _ run: Int64, options: RunOptions = RunOptions()
  ) throws(ErrandError) -> RunHandle {
    try launch(["resume", "\(run)"], [:], nil, run: options)
  }

  /// Continues a durable run at the failed step, or starts it over.
  ///
  /// - Parameters:
  ///   - run: The run number.
  ///   - fromStart: Whether to begin a new run with the same values and the current definitions.
  /// - Throws: As ``start(_:_:input:options:)``; a run that cannot continue reports it by its
  ///   `error` event.
  public func retry(
    _ run: Int64, fromStart: Bool = false, options: RunOptions = RunOptions()
  ) throws(ErrandError) -> RunHandle {
    try launch(["retry", "\(run)"] + (fromStart ? ["--from-start"] : []), [:], nil, run: options)
  }

  func launch(
    _ words: [String], _ parameters: [String: JSONValue], _ input: JSONValue?,
    run: RunOptions
  ) throws(ErrandError) -> RunHandle {
    var words = words + ["--events"]
    if let store = options.store { words += ["--store", store] }
    if let catalog = options.catalog { words += ["--catalog", catalog] }
    var call = HandedCall(words: words)
    call.cause = run.cause
    call.allow = run.allow
    call.input = input?.normalized.value ?? .null
    call.parameters = parameters.sorted { $0.key < $1.key }.map {
      ($0.key, $0.value.normalized.value)
    }
    var environment = options.environment
    if let language = run.language {
      environment["LC_ALL"] = language
      environment["LANGUAGE"] = ""
    }
    if let zone = run.zone { environment["TZ"] = zone }
    return try ErrandError.translating { [call, environment] in
      try RunHandle(program(), call, folder: run.folder ?? options.folder, environment: environment)
    }
  }

  /// A command of the program that is kept running on the same library.
  package static func keptCommand(_ words: [String], _ options: Options) -> KeptProcess {
    var words = [program(options)] + words
    if let store = options.store { words += ["--store", store] }
    if let catalog = options.catalog { words += ["--catalog", catalog] }
    return KeptProcess(words, environment: options.environment)
  }

  private func program() -> String { Self.program(options) }

  /// The path of the `errand` program.
  private static func program(_ options: Options) -> String {
    if let program = options.program { return program }
    if let path = Folder.resolved("/proc/self/exe") {
      let beside = Folder.parent(of: path) + "/errand"
      if access(beside, X_OK) == 0 { return beside }
    }
    return "errand"
  }
}

extension Errand {
  /// Runs a command of the program, such as `doctor --json`, on the same library, and returns its
  /// result, or its error, as JSON; null if it printed none.
  ///
  /// - Parameter input: Its standard input.
  /// - Throws: `exec` if it takes longer than a time limit; `io`.
  package func result(
    of command: [String], input: String = "", within limit: Duration
  ) throws -> JSONValue {
    var words = [program()] + command
    if let store = options.store { words += ["--store", store] }
    if let catalog = options.catalog { words += ["--catalog", catalog] }
    var request = ProcessRequest(words)
    request.input = Array(input.utf8)
    request.folder = options.folder
    request.environment = options.environment.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    let machine = makeHost().machine
    let deadline = machine.monotonic() + limit.nanoseconds
    let end = try machine.exec(request, WaitBounds(deadline: deadline, descriptors: []))
    let printed = [end.output, end.errors].lazy.compactMap {
      try? JSONValue(parsing: String(decoding: $0, as: UTF8.self))
    }
    return printed.first ?? .null
  }
}
