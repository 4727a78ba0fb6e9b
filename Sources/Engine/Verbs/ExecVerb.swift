import CEL
import CLinux
import Inbox
import Items
import Program

/// `exec`: runs a program, in a shell only on request.
enum ExecVerb: Verb {
  static let word = "exec"
  static let command = Argument<[Value]>(
    "command", at: 0, .value(.list(.any)), role: .command, trial: expectProgram)
  static let shell = Argument<ArgumentText>("shell", at: 1, .literal)
  static let args = Argument<[Value]>("args", at: 2, .value(.list(.any)))
  static let stdin = Argument<Value>(
    "stdin", at: 3, .value(.any), takesSecrets: true, role: .sentText(structured: nil))
  static let env = Argument<Value>(
    "env", at: 4, .value(.map(.any)), takesSecrets: true, trial: ArgumentTrials.keys(expectName))
  static let dir = Argument<String>("dir", at: 5, .value(.file))
  static let parse = Argument<ArgumentName>("parse", at: 6, .choice(["text", "lines", "json"]))
  static let save = Argument<String>("save", at: 7, .value(.file))
  static let check = Argument<Bool>("check", at: 8, .value(.bool))
  static let tty = Argument<Bool>("tty", at: 9, .value(.bool))
  static let parents = Argument<Bool>("parents", at: 10, .value(.bool))

  static let signature = VerbSignature(
    word,
    [
      command, shell, args, stdin,
      env, dir, parse, save, check,
      tty, parents,
    ], effect: .outside, traits: [.setsIt, .takesForeignText], repeats: { _ in false },
    capabilities: ExecCapabilities.of,
    alternatives: .init(["command", "shell"], isExclusive: true), conflict: conflict,
    resultType: ResultType { call in
      guard call[save] == nil, let isChecked = call.flag(check, else: true) else { return nil }
      // Without the check the result is a map with status and output.
      if !isChecked { return .record(end) }
      return switch call.name(parse) {
      case nil, "text": .string
      case "lines": .list(.string)
      default: nil
      }
    })

  /// The exit and the output of a program.
  private static let end = RecordType(
    "the result of `exec`",
    [
      .init("status", .nullable(.int), isPresumed: true), .init("signal", .nullable(.string)),
      .init("stdout", .string), .init("stderr", .string),
    ])

  /// Maximum output kept in an error, in bytes.
  private static let maxErrorOutput = 64 << 10

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let run = arguments.run
    let task = arguments.runner.task
    let request = try request(arguments)
    let starter = arguments[shell] == nil ? "`\(request.command.first ?? "")`" : "a `shell` line"
    try arguments.runner.permit(.exec, ExecCapabilities.target(of: request), by: starter)
    if let path = request.outputPath {
      try arguments.runner.permit(.write, path)
      if try arguments.flag(parents) { try run.makeParents(of: path) }
    }
    let bounds = run.bounds(of: task)
    let end = try run.outside { try run.host.machine.exec(request, bounds) }
    let program = request.command.first ?? ""
    if end.reason == .interrupted {
      try task.check(run.host.machine.monotonic)
      throw RunError(.exec, "`\(program)` was killed")
    }
    let isChecked = try arguments[check] == nil || arguments.flag(check)
    guard isChecked || end.reason == .tooMuchOutput else { return details(of: end, whole: true) }
    if let message = failure(end, program) {
      throw RunError(.exec, message).with(\.data, details(of: end, whole: false))
        .with(\.mayRepeat, false)
    }
    if let path = request.outputPath { return .string(path) }
    return try value(of: end.output, arguments, program)
  }

  /// With `tty`, no output is captured.
  private static func conflict(_ call: VerbCall) -> ArgumentConflict? {
    guard case .value(let value, _, _)? = call[tty], value.known == .bool(true) else { return nil }
    let name = call[save] != nil ? save.name : call[parse] != nil ? parse.name : nil
    return name.map {
      ArgumentConflict(
        $0, "with `tty: true` the program writes to the terminal, and `\($0)` would be empty",
        help: "remove `\($0)` or `tty`")
    }
  }

  private static func expectProgram(_ command: CompiledValue) -> LiteralProblem? {
    let first: CompiledValue?
    switch command {
    case .constant(.list(let words)): first = words.first.map { .constant($0) }
    case .list(let words): first = words.first
    default: return nil
    }
    if let first, first.known.map({ $0 != .string("") && !$0.isNull }) ?? true { return nil }
    return LiteralProblem("`exec` has no program to run", help: programHelp)
  }

  private static let programHelp = "write exec: [program, argument]"

  /// Checks the name of an environment variable (POSIX.1-2017 §8.1).
  private static func expectName(_ name: String) throws {
    if name.isEmpty || name.contains("=") || name.utf8.contains(0) {
      throw RunError(
        .invalidValue, "`env`: “\(name.shortened)” is not a variable name",
        help: "write NAME: value")
    }
  }

  private static func request(_ arguments: VerbArguments) throws -> ProcessRequest {
    let renderer = arguments.renderer
    let run = arguments.run
    var attachments: [(word: Int, file: ProcessRequest.Attachment)] = []
    func texts(_ key: Argument<[Value]>, after count: Int = 0) throws -> [String] {
      // `~` is expanded only if written in the document, never in a computed value.
      let isHome = arguments.call.beginsInHome(key)
      return (try arguments.list(key) ?? []).enumerated().map { index, value in
        if case .bytes(let bytes) = value {
          let type = MediaType.fileExtension(of: ContentSignature.mediaType(ofFile: bytes))
          let file = ProcessRequest.Attachment(bytes, name: "file.\(type)")
          attachments.append((count + index, file))
        }
        let word = renderer.text(of: value)
        return isHome.indices.contains(index) && isHome[index] ? run.expanded(word) : word
      }
    }
    var words = try texts(command)
    if case .literal(let text) = arguments[shell] {
      // Values are passed as `"$1"` and so on, so the shell never parses them.
      words = ["/bin/sh", "-c", text, "sh"]
    }
    words += try texts(args, after: words.count)
    for (word, file) in attachments { words[word] = file.name }
    guard let program = words.first, !program.isEmpty else {
      throw RunError(.invalidValue, "`exec` has no program to run", help: programHelp)
    }
    if let word = words.first(where: { $0.utf8.contains(0) }) {
      throw RunError(.invalidValue, "an argument contains a NUL byte: “\(word.shortened)”")
    }
    var request = ProcessRequest(words)
    request.attachments = attachments
    if let input = try arguments.value(stdin) {
      request.input = bytes(of: input.revealed, renderer)
    }
    request.environment = try (arguments.value(env)?.asMap?.entries ?? []).map { key, value in
      try expectName(key.text)
      return (key.text, renderer.text(of: value.revealed))
    }
    request.folder = try arguments.text(dir).map(run.path)
    request.outputPath = try arguments.text(save).map(run.path)
    request.hasTerminal = try arguments.flag(tty)
    return request
  }

  private static func bytes(of input: Value, _ renderer: Renderer) -> [UInt8] {
    switch input {
    case .bytes(let bytes): bytes
    case .list(let values): Array(values.map { renderer.text(of: $0) + "\n" }.joined().utf8)
    default: Array(renderer.text(of: input).utf8)
    }
  }

  /// The error message for the end of a program; nil for success.
  private static func failure(_ end: ProcessEnd, _ program: String) -> String? {
    let said = TextForms.lines(String(decoding: end.errors, as: UTF8.self))
      .last { !$0.trimmingSpaces.isEmpty }
    let words = said.map { ": \($0.trimmingSpaces.shortened)" } ?? ""
    switch end.reason {
    case .exited(0), .interrupted: return nil
    case .exited(let status): return "`\(program)` exited with status \(status)\(words)"
    case .signalled(let signal):
      return "`\(program)` was killed by signal \(signal) (\(SignalName.text(of: signal)))\(words)"
    case .tooMuchOutput:
      return "`\(program)` wrote too much output; set `save:` to a file for it"
    }
  }

  private static func details(of end: ProcessEnd, whole: Bool) -> Value {
    var status = Value.null
    var signal = Value.null
    switch end.reason {
    case .exited(let code): status = .int(Int64(code))
    case .signalled(let number): signal = .string(SignalName.text(of: number))
    case .interrupted, .tooMuchOutput: break
    }
    let output = whole ? end.output[...] : end.output.prefix(maxErrorOutput)
    return .record([
      ("status", status), ("signal", signal), ("stdout", .string(text(output))),
      ("stderr", .string(text(end.errors[...]))),
    ])
  }

  /// The output of a program without its last line break.
  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    var bytes = bytes
    if bytes.last == 0x0A { bytes = bytes.dropLast() }
    if bytes.last == 0x0D { bytes = bytes.dropLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func value(
    of output: [UInt8], _ arguments: VerbArguments, _ program: String
  ) throws -> Value {
    let text = text(output[...])
    switch arguments.name(parse) {
    case "lines": return .list(DataFormat.lines(text))
    case "json":
      do throws(DataFormat.Failure) {
        return try DataFormat.json(text)
      } catch {
        throw RunError(.invalidValue, "the output of `\(program)` is not JSON: \(error.message)")
      }
    default: return .string(text)
    }
  }
}

/// The program that an `exec` may start.
enum ExecCapabilities {
  /// The capabilities that a call needs.
  static func of(_ call: VerbCall) -> [Capability] {
    program(of: call) + call.capabilities(.write, path: ExecVerb.save)
  }

  private static func program(of call: VerbCall) -> [Capability] {
    func any(_ reason: String) -> [Capability] { [Capability(any: .exec, because: reason)] }
    if call[ExecVerb.shell] != nil { return any("a shell command") }
    let command = call.knownList(ExecVerb.command) ?? []
    let args = call[ExecVerb.args] == nil ? [] : call.knownList(ExecVerb.args)
    guard case .whole(let program)? = (command + (args ?? [])).first else {
      return any("a program is named when the step runs")
    }
    guard let variables = call.knownKeys(ExecVerb.env) else {
      return any("its variables are named when the step runs")
    }
    if let variable = variables.first(where: decidesPrograms) {
      return any("\(program) with the variable \(variable)")
    }
    let words = args.map { command.dropFirst() + $0 }
    if startsOthers(program, words.map(Array.init)) {
      let files = (words ?? []).compactMap { word -> String? in
        if case .whole(let text) = word { text } else { nil }
      }
      return [Capability(any: .exec, because: "\(program) can start others", files: files)]
    }
    // A relative path is resolved in the folder where the program runs.
    guard program.contains("/"), !program.hasPrefix("/"), !program.hasPrefix("~/"),
      call[ExecVerb.dir] != nil
    else { return [Capability(.exec, program)] }
    guard case .whole(let folder)? = call.known(ExecVerb.dir) else {
      return any("\(program) in a folder that is named when the step runs")
    }
    return [Capability(.exec, folder + "/" + program)]
  }

  /// The program that a request starts; nil if it may start others.
  static func target(of request: ProcessRequest) -> String? {
    guard let program = request.command.first else { return nil }
    let words = request.command.dropFirst().map(KnownText.whole)
    let isOpen = request.environment.contains { decidesPrograms($0.name) }
    if isOpen || startsOthers(program, words) { return nil }
    guard program.contains("/"), !program.hasPrefix("/"), let folder = request.folder else {
      return program
    }
    return folder + "/" + program
  }

  /// Whether an environment variable affects which programs run.
  static func decidesPrograms(_ name: String) -> Bool {
    name == "PATH" || name.hasPrefix("LD_") || name == "BASH_ENV" || name == "ENV"
  }

  /// Whether a program runs commands from its arguments or input: a shell, an interpreter or a
  /// launcher.
  ///
  /// - Parameter words: its arguments; nil when unknown before the run.
  static func startsOthers(_ program: String, _ words: [KnownText]?) -> Bool {
    let name = FilePathText.name(of: program)
    if name == "find" {
      guard let words else { return true }
      return words.contains { word in
        switch word {
        case .whole(let text): ["-exec", "-execdir", "-ok", "-okdir"].contains(text)
        case .beginning(let text): text.isEmpty || "-exec".hasPrefix(text) || text.hasPrefix("-")
        }
      }
    }
    // `python3.12`, `perl5.36`: ignore the version.
    let stem = String(name.prefix { !$0.isNumber && $0 != "." })
    return isInterpreter(stem) || isInterpreter(name)
  }

  private static func isInterpreter(_ name: String) -> Bool {
    switch name {
    case "sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "fish", "csh", "tcsh", "rbash",
      "busybox", "pwsh", "nu", "elvish",
      "python", "pypy", "perl", "ruby", "node", "nodejs", "deno", "bun", "php", "lua", "luajit",
      "tclsh", "wish", "expect", "guile", "racket", "sbcl", "R", "Rscript", "julia", "java",
      "swift", "go", "awk", "gawk", "mawk", "nawk", "sed", "ed", "ex", "vi", "vim", "nvim", "emacs",
      "env", "xargs", "sudo", "doas", "su", "runuser", "pkexec", "nice", "ionice", "nohup",
      "setsid", "timeout", "stdbuf", "time", "watch", "parallel", "flock", "script", "unshare",
      "nsenter", "chroot", "systemd-run", "strace", "ltrace", "gdb", "make", "gmake", "just",
      "npx", "npm", "cargo", "at", "batch", "crontab", "eval", "exec", "command", "errand",
      "errand-net", "ssh", "docker", "podman", "ld", "ld-linux-x86-", "socat", "tmux", "screen":
      true
    default: false
    }
  }
}

/// Names of signals, as listed by `kill -l`.
enum SignalName {
  /// The name with the prefix `SIG`; the number if it has none.
  static func text(of signal: Int32) -> String {
    errand_signal_name(signal).map { "SIG" + String(cString: $0) } ?? "signal \(signal)"
  }
}
