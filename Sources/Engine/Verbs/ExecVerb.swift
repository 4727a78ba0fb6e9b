import CEL
import Glibc
import Items
import Program

/// `exec`: runs a program, without a shell unless one is asked for.
enum ExecVerb: PlainVerb {
  static let word = "exec"
  static let command = Argument<[Value]>(
    "command", at: 0, .value(.list(.any)), role: .command, trial: expectProgram)
  static let shell = Argument<ArgumentText>("shell", at: 1, .literal)
  static let args = Argument<[Value]>("args", at: 2, .value(.list(.any)))
  static let stdin = Argument<Value>("stdin", at: 3, .value(.any), takesSecrets: true)
  static let env = Argument<Value>(
    "env", at: 4, .value(.map(.any)), takesSecrets: true, trial: ArgumentTrials.keys(expectName))
  static let dir = Argument<String>("dir", at: 5, .value(.file))
  static let parse = Argument<ArgumentName>("parse", at: 6, .choice(["text", "lines", "json"]))
  static let save = Argument<String>("save", at: 7, .value(.file))
  static let check = Argument<Bool>("check", at: 8, .value(.bool))
  static let tty = Argument<Bool>("tty", at: 9, .value(.bool))

  static let signature = VerbSignature(
    word,
    [
      command.declaration, shell.declaration, args.declaration, stdin.declaration,
      env.declaration, dir.declaration, parse.declaration, save.declaration, check.declaration,
      tty.declaration,
    ], effect: .outside, traits: [.setsIt, .takesForeignText], repeats: { _ in false },
    touches: ExecTouches.of,
    alternatives: .init(["command", "shell"], isExclusive: true), conflict: conflict,
    resultType: ResultType { call in
      guard call[save] == nil else { return nil }
      if case .value(let isChecked, _, _) = call[check] {
        // Without the check it is a map of how the program ended.
        guard case .constant(.bool(let isChecked)) = isChecked else { return nil }
        if !isChecked { return .record(end) }
      }
      return switch call.name(parse) {
      case nil, "text": .string
      case "lines": .list(.string)
      default: nil
      }
    })

  /// How a program ended, and what it wrote.
  private static let end = RecordType(
    "what `exec` gives",
    [
      .init("status", .nullable(.int), isPresumed: true), .init("signal", .nullable(.string)),
      .init("stdout", .string), .init("stderr", .string),
    ])

  /// How much of what a program wrote an error keeps, in bytes.
  private static let keptOutput = 64 << 10

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let run = arguments.runner.run
    let strand = arguments.runner.strand
    let request = try request(arguments)
    let starter = arguments[shell] == nil ? "`\(request.command.first ?? "")`" : "a `shell` line"
    try arguments.runner.permit(.exec, ExecTouches.target(of: request), by: starter)
    if let path = request.outputPath { try arguments.runner.permit(.write, path) }
    let bounds = run.bounds(of: strand)
    let end = try run.outside { try run.host.machine.exec(request, bounds) }
    let program = request.command.first ?? ""
    if end.reason == .interrupted {
      try strand.check(run.host.machine.monotonic)
      throw RunError(.exec, "`\(program)` was ended")
    }
    let isChecked = try arguments[check] == nil || arguments.flag(check)
    guard isChecked || end.reason == .tooMuchOutput else {
      return .map(details(of: end, whole: true))
    }
    if let message = failure(end, program) {
      var error = RunError(.exec, message).with(.map(details(of: end, whole: false)))
      error.mayRepeat = false
      throw error
    }
    if let path = request.outputPath { return .string(path) }
    return try value(of: end.output, arguments, program)
  }

  /// What the terminal gets is not there to be kept.
  private static func conflict(_ call: VerbCall) -> ArgumentConflict? {
    guard case .value(let value, _, _)? = call[tty], value.known == .bool(true) else { return nil }
    let name = call[save] != nil ? save.name : call[parse] != nil ? parse.name : nil
    return name.map {
      ArgumentConflict(
        $0, "with `tty: true` the program writes to the terminal, and `\($0)` gets nothing",
        help: "take `\($0)` out, or `tty`")
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

  /// Expects a name that a variable of the environment can have (POSIX.1-2017 §8.1).
  private static func expectName(_ name: String) throws {
    if name.isEmpty || name.contains("=") || name.utf8.contains(0) {
      throw RunError(
        .invalidValue, "`env`: a variable can't be called “\(name.shortened)”",
        help: "write NAME: value")
    }
  }

  private static func request(_ arguments: VerbArguments) throws -> ProcessRequest {
    let renderer = arguments.runner.renderer
    let run = arguments.runner.run
    func texts(_ key: Argument<[Value]>) throws -> [String] {
      let words = (try arguments.list(key) ?? []).map { renderer.text(of: $0) }
      // A home is what the document says it is, never what a value brings along.
      let isHome = arguments.call.beginsInHome(key)
      return words.enumerated().map { index, word in
        isHome.indices.contains(index) && isHome[index] ? run.expanded(word) : word
      }
    }
    var words = try texts(command)
    let given = try texts(args)
    if case .literal(let text) = arguments[shell] {
      // The line is the program's; values come as `"$1"` and so on, and are never parsed.
      words = ["/bin/sh", "-c", text, "sh"] + given
    } else {
      words += given
    }
    guard let program = words.first, !program.isEmpty else {
      throw RunError(
        .invalidValue, "`exec` has no program to run", help: programHelp)
    }
    if let word = words.first(where: { $0.utf8.contains(0) }) {
      throw RunError(.invalidValue, "an argument holds a zero byte: “\(word.shortened)”")
    }
    var request = ProcessRequest(words)
    if let input = try arguments.value(stdin) {
      request.input = bytes(of: input.revealed, renderer)
    }
    if case .map(let map)? = try arguments.value(env) {
      for (key, _) in map.entries { try expectName(key.text) }
      request.environment = map.entries.map { ($0.key.text, renderer.text(of: $0.value.revealed)) }
    }
    request.folder = try arguments.text(dir).map(arguments.runner.run.path)
    request.outputPath = try arguments.text(save).map(arguments.runner.run.path)
    request.hasTerminal = try arguments.flag(tty)
    return request
  }

  private static func bytes(of input: Value, _ renderer: Renderer) -> [UInt8] {
    switch input {
    case .bytes(let bytes): bytes
    case .list(let values):
      Array(values.map { renderer.text(of: $0) + "\n" }.joined().utf8)
    default: Array(renderer.text(of: input).utf8)
    }
  }

  /// Why the end counts as a failure; nil when it does not.
  private static func failure(_ end: ProcessEnd, _ program: String) -> String? {
    let said = TextForms.lines(String(decoding: end.errors, as: UTF8.self))
      .last { !$0.trimmingSpaces.isEmpty }
    let words = said.map { ": \($0.trimmingSpaces.shortened)" } ?? ""
    switch end.reason {
    case .exited(0), .interrupted: return nil
    case .exited(let status): return "`\(program)` ended with status \(status)\(words)"
    case .signalled(let signal):
      return "`\(program)` was ended by signal \(signal) (\(SignalName.text(of: signal)))\(words)"
    case .tooMuchOutput:
      return "`\(program)` wrote more than can be kept; give `save:` a path for it"
    }
  }

  private static func details(of end: ProcessEnd, whole: Bool) -> MapValue {
    var status = Value.null
    var signal = Value.null
    switch end.reason {
    case .exited(let code): status = .int(Int64(code))
    case .signalled(let number): signal = .string(SignalName.text(of: number))
    case .interrupted, .tooMuchOutput: break
    }
    let output = whole ? end.output[...] : end.output.prefix(keptOutput)
    return MapValue([
      ("status", status), ("signal", signal),
      ("stdout", .string(text(output))), ("stderr", .string(text(end.errors[...]))),
    ])
  }

  /// What a program wrote, without the last line end.
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
        throw RunError(.invalidValue, "what `\(program)` wrote is not JSON: \(error.message)")
      }
    default: return .string(text)
    }
  }
}

/// Which program an `exec` may start.
enum ExecTouches {
  /// What a call may touch.
  static func of(_ call: VerbCall) -> [Touch] {
    program(of: call) + call.touches(.write, path: ExecVerb.save)
  }

  private static func program(of call: VerbCall) -> [Touch] {
    func any(_ reason: String) -> [Touch] { [Touch(any: .exec, because: reason)] }
    if call[ExecVerb.shell] != nil { return any("a line for a shell") }
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
      return [Touch(any: .exec, because: "\(program) can start others", files: files)]
    }
    // A path that is relative begins in the folder in which the program runs.
    guard program.contains("/"), !program.hasPrefix("/"), !program.hasPrefix("~/"),
      call[ExecVerb.dir] != nil
    else {
      return [Touch(.exec, program)]
    }
    guard case .whole(let folder)? = call.known(ExecVerb.dir) else {
      return any("\(program) in a folder that is named when the step runs")
    }
    return [Touch(.exec, folder + "/" + program)]
  }

  /// The program that a request certainly starts; nil where it may be any.
  static func target(of request: ProcessRequest) -> String? {
    guard let program = request.command.first else { return nil }
    let words = request.command.dropFirst().map(KnownText.whole)
    if request.environment.contains(where: { decidesPrograms($0.name) })
      || startsOthers(program, words)
    {
      return nil
    }
    guard program.contains("/"), !program.hasPrefix("/"), let folder = request.folder else {
      return program
    }
    return folder + "/" + program
  }

  /// Whether a variable of the environment decides what a program comes to run.
  static func decidesPrograms(_ name: String) -> Bool {
    name == "PATH" || name.hasPrefix("LD_") || name == "BASH_ENV" || name == "ENV"
  }

  /// Whether a program runs what its arguments or its input say: a shell, an interpreter, or one
  /// that is there to start others.
  ///
  /// - Parameter words: its arguments; nil where they are made when the step runs.
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
    // `python3.12`, `perl5.36`: the version is no part of the name.
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

/// The names of signals, as `kill -l` lists them.
enum SignalName {
  /// The name with `SIG` before it; the number where it has none.
  static func text(of signal: Int32) -> String {
    switch signal {
    case SIGHUP: "SIGHUP"
    case SIGINT: "SIGINT"
    case SIGQUIT: "SIGQUIT"
    case SIGILL: "SIGILL"
    case SIGTRAP: "SIGTRAP"
    case SIGABRT: "SIGABRT"
    case SIGBUS: "SIGBUS"
    case SIGFPE: "SIGFPE"
    case SIGKILL: "SIGKILL"
    case SIGUSR1: "SIGUSR1"
    case SIGSEGV: "SIGSEGV"
    case SIGUSR2: "SIGUSR2"
    case SIGPIPE: "SIGPIPE"
    case SIGALRM: "SIGALRM"
    case SIGTERM: "SIGTERM"
    case SIGXCPU: "SIGXCPU"
    case SIGXFSZ: "SIGXFSZ"
    default: "signal \(signal)"
    }
  }
}
