import CEL
import Program

/// Which program an `exec` may start.
enum ExecTouches {
  /// What a call may touch.
  @Sendable
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
