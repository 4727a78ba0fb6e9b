import CEL
import CLinux
import Engine
import Glibc
import JSON
import POSIX
import System

/// A run that was started, as a process of its own that tells of itself and can be answered.
///
/// Events are pulled with `next()` or `result(_:)` by one thread; `answer`, `leave` and `cancel` may
/// be called by another. When the handle goes away, or the process that has it, the run is ended.
public final class RunHandle {
  /// The number of the process.
  public let process: Int32
  /// Our end of a socket; a pipe whose reader is gone would end us by SIGPIPE.
  private let input: Int32
  private let output: Pipe
  private var lines: JSONLinesReader
  private var status: Int32?

  /// Starts a program with words that stand in no list of processes.
  init(_ program: String, words: [String], folder: String?, environment: [String: String]) throws {
    output = try Pipe()
    var ends: [Int32] = [0, 0]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw RunError(.io, "cannot start a run: \(String(cString: strerror(errno)))")
    }
    input = ends[0]
    defer { close(ends[1]) }
    let text = try JSONWriter().text(of: .list(words.map { .string($0) }))
    let bytes = Array(text.utf8)
    let handed = bytes.withUnsafeBytes { errand_sealed_file($0.baseAddress, $0.count) }
    guard handed >= 0 else {
      throw RunError(.io, "cannot start a run: \(String(cString: strerror(errno)))")
    }
    defer { close(handed) }
    var request = ProcessRequest([program])
    request.folder = folder
    request.environment =
      environment.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
      + [(HandedWords.variable, "\(HandedWords.descriptor)")]
    process = try ChildLaunch(request).start(
      input: ends[1], output: output.writing, handed: handed)
    output.closeWriting()
    let descriptor = output.reading
    lines = JSONLinesReader(maxLineBytes: 64 << 20) { buffer in
      while true {
        let count = read(descriptor, buffer.baseAddress, buffer.count)
        if count >= 0 { return count }
        if errno != EINTR { return 0 }
      }
    }
  }

  deinit {
    close(input)
    output.closeReading()
    if status == nil {
      kill(process, SIGTERM)
      _ = reap()
    }
  }

  /// The next event; waits for it, and gives nil once the run is over.
  ///
  /// - Throws: `internal` for a line that is no event.
  public func next() throws(ErrandError) -> RunEvent? {
    try ErrandError.translating { () -> RunEvent? in
      guard let line = try lines.next() else {
        _ = reap()
        return nil
      }
      let fields = JSONValue(try line.value.get())
      guard let name = fields["event"]?.string else {
        throw ErrandError(code: "internal", message: "the run wrote a line that is no event")
      }
      return RunEvent(name: name, fields: fields)
    }
  }

  /// Waits for the end; hands on each event, and gives what the run came to.
  ///
  /// - Throws: the error with which the run ended: its code, message and help.
  public func result(_ hear: (RunEvent) throws -> Void = { _ in }) throws -> JSONValue {
    var result: JSONValue?
    while let event = try next() {
      try hear(event)
      switch event.name {
      case "result": result = event.fields["value"] ?? .null
      case "error":
        let error = event.fields["error"]
        throw ErrandError(
          code: error?["code"]?.string ?? "failed", message: error?["message"]?.string ?? "",
          help: error?["help"]?.string)
      default: break
      }
    }
    guard let result else {
      throw ErrandError(code: "internal", message: "the run ended with status \(reap()) unasked")
    }
    return result
  }

  /// Answers the question that was asked last: a text or number for `ask`, a number, a title or a
  /// reference for `choose`, a Boolean for `confirm`.
  ///
  /// - Parameter number: The question's `number`; an answer to another one is passed over.
  public func answer(_ value: JSONValue, to number: Int64? = nil) {
    var members: [String: JSONValue] = ["answer": value]
    if let number { members["number"] = .int(number) }
    send(.object(members))
  }

  /// Leaves the question that was asked last without an answer, which ends the run as `cancelled`.
  public func leave() { send(.object(["cancel": true])) }

  /// Asks the run to end: its `finally` steps run, and a durable one is suspended.
  public func cancel() {
    guard status == nil else { return }
    kill(process, SIGTERM)
    // One that waits for an answer hears of it only so.
    leave()
  }

  private func send(_ value: JSONValue) {
    guard let text = try? JSONWriter().text(of: value.value) else { return }
    var bytes = Array((text + "\n").utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes {
        Glibc.send(input, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      bytes = bytes.dropFirst(count)
    }
  }

  /// Waits for the process to be gone; the status that a shell would tell.
  private func reap() -> Int32 {
    if let status { return status }
    var code: Int32 = 0
    while waitpid(process, &code, 0) < 0, errno == EINTR {}
    let signal = code & 0x7F
    let status = signal == 0 ? (code >> 8) & 0xFF : 128 + signal
    self.status = status
    return status
  }
}

/// Something that a run tells while it goes on (docs/events.md).
public struct RunEvent: Hashable, Sendable {
  /// The kind, such as `say`, `ask`, `progress`, `result` or `error`.
  public let name: String
  /// All of its fields.
  public let fields: JSONValue

  /// The value of a field; nil where there is none of that name.
  public subscript(name: String) -> JSONValue? { fields[name] }
}

extension Errand {
  /// What is said ahead of a run.
  public struct RunOptions: Sendable {
    /// The text for a shortcut's input; nil for none.
    public var input: String?
    /// Answers by the key of their question, in the order in which they are asked.
    public var answers: [(key: String, value: String)] = []
    /// Whether confirmations that are not marked as dangerous are accepted.
    public var accepts = false
    /// What a definition from elsewhere may touch, such as `http:api.example.com`.
    public var allow: [String] = []
    /// Whether nothing is changed, and what would be is told.
    public var isDryRun = false

    /// Nothing said ahead.
    public init() {}
  }

  /// Starts an intent or a shortcut as a process of its own.
  ///
  /// - Parameters:
  ///   - name: The intent's or shortcut's name.
  ///   - parameters: The values of its parameters by name, read as on a command line: an array gives
  ///     a list, and a comma in an element of texts parts it.
  /// - Throws: `exec` where `errand` can't be started. What is wrong with the call itself comes as the
  ///   run's event `error`.
  public func start(
    _ name: String, _ parameters: [String: JSONValue] = [:], options call: RunOptions = RunOptions()
  ) throws(ErrandError) -> RunHandle {
    var words = ["call", name, "--events"]
    if let store = options.store { words += ["--store", store] }
    if let catalog = options.catalog { words += ["--catalog", catalog] }
    for (key, value) in parameters.sorted(by: { $0.key < $1.key }) {
      let values = value.array ?? (value == .null ? [] : [value])
      words += values.flatMap { ["--param", "\(key)=\($0.word)"] }
    }
    for (key, value) in call.answers { words += ["--answer", "\(key)=\(value)"] }
    if call.accepts { words.append("--yes") }
    if call.isDryRun { words.append("--dry-run") }
    for grant in call.allow { words += ["--allow", grant] }
    if let input = call.input { words += ["--", input] }
    return try ErrandError.translating { [words] in
      try RunHandle(
        program(), words: words, folder: options.folder, environment: options.environment)
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

extension JSONValue {
  /// The value as a word of the command line.
  var word: String {
    switch self {
    case .null: ""
    case .bool(let bool): bool ? "true" : "false"
    case .int(let int): "\(int)"
    case .double(let double): "\(double)"
    case .string(let text): text
    case .array, .object: (try? JSONWriter().text(of: value)) ?? ""
    }
  }
}
