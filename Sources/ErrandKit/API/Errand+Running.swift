import CEL
import Engine
import Glibc
import POSIX

extension Errand {
  /// The circumstances of a run.
  public struct RunOptions: Sendable {
    /// Answers by the key of their question, in the order in which they are asked.
    public var answers: [(key: String, value: String)] = []
    /// Whether confirmations that are not marked as dangerous are accepted.
    public var accepts = false
    /// Permissions for a definition from elsewhere, such as `http:api.example.com`.
    public var allow: [String] = []
    /// Whether nothing is changed, and what would be is told.
    public var isDryRun = false
    /// The language of texts and dates, such as `de`; nil for that of the environment.
    public var language: String?
    /// The time zone, such as `Europe/Berlin`; nil for that of the environment.
    public var zone: String?
    /// The folder of relative paths; nil for that of ``Errand/Options/folder``.
    public var folder: String?

    /// Nothing but the defaults.
    public init() {}
  }

  /// Starts an intent or a shortcut in a process of its own.
  ///
  /// A value keeps its type on the way: an array gives a list, element by element, and a text is
  /// read as the parameter's type wants it, such as `tomorrow 9:00` for a timestamp. An item is given
  /// by its reference, its title or its identity.
  ///
  /// - Parameters:
  ///   - name: The intent's or shortcut's name, or the path of a file with one.
  ///   - parameters: Values by the names of parameters; what is left out takes its default, or is
  ///     asked for.
  ///   - input: The value of a shortcut's input, or of an intent's first parameter.
  ///   - options: The circumstances of the run.
  /// - Throws: `exec` when `errand` can't be started, `io` when the system refuses another process.
  ///   What is wrong with the call itself is told by the run's event `error`.
  public func start(
    _ name: String, _ parameters: [String: JSONValue] = [:], input: JSONValue? = nil,
    options: RunOptions = RunOptions()
  ) throws(ErrandError) -> RunHandle {
    var words = ["call", name]
    for (key, value) in options.answers { words += ["--answer", "\(key)=\(value)"] }
    if options.accepts { words.append("--yes") }
    if options.isDryRun { words.append("--dry-run") }
    return try launch(words, parameters, input, options)
  }

  /// Continues a run that was suspended, or whose process died, where its journal ends.
  ///
  /// - Parameter run: The number of the run.
  /// - Throws: As ``start(_:_:input:options:)``; a run that can't go on tells so by its event `error`.
  public func resume(
    _ run: Int64, options: RunOptions = RunOptions()
  ) throws(ErrandError) -> RunHandle {
    try launch(["resume", "\(run)"], [:], nil, options)
  }

  /// Continues a durable run with the step that failed, or runs it again.
  ///
  /// - Parameters:
  ///   - run: The number of the run.
  ///   - fromStart: Whether a new run begins, with the same values and the definitions of today.
  /// - Throws: As ``start(_:_:input:options:)``; a run that can't go on tells so by its event `error`.
  public func retry(
    _ run: Int64, fromStart: Bool = false, options: RunOptions = RunOptions()
  ) throws(ErrandError) -> RunHandle {
    try launch(["retry", "\(run)"] + (fromStart ? ["--from-start"] : []), [:], nil, options)
  }

  private func launch(
    _ words: [String], _ parameters: [String: JSONValue], _ input: JSONValue?,
    _ run: RunOptions
  ) throws(ErrandError) -> RunHandle {
    var words = words + ["--events"]
    if let store = options.store { words += ["--store", store] }
    if let catalog = options.catalog { words += ["--catalog", catalog] }
    for grant in run.allow { words += ["--allow", grant] }
    var call = HandedCall(words: words)
    call.input = input?.value ?? .null
    call.parameters = parameters.sorted { $0.key < $1.key }.map { ($0.key, $0.value.value) }
    var environment = options.environment
    if let language = run.language { environment["LC_ALL"] = language }
    if let zone = run.zone { environment["TZ"] = zone }
    return try ErrandError.translating { [call, environment] in
      try RunHandle(
        program(), call, folder: run.folder ?? options.folder, environment: environment)
    }
  }

  /// The path of `errand`.
  private func program() -> String {
    if let program = options.program { return program }
    if let path = realpath("/proc/self/exe", nil) {
      defer { free(path) }
      let beside = Folder.parent(of: String(cString: path)) + "/errand"
      if access(beside, X_OK) == 0 { return beside }
    }
    return "errand"
  }
}
