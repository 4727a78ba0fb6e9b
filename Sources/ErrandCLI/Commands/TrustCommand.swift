import CEL
import Catalog
import Engine
import ErrandKit
import Glibc
import Program
import Source

/// `errand trust`: allows the definitions of a project's folder, and what they may touch.
struct TrustCommand {
  static let command = Command(
    "trust", "allow a project's definitions, and what they or a file may touch", usage: "[PATH]",
    discussion: """
      Remembers a project's folder by its path and its content: when a file in it changes, it is
      asked for again. What its definitions reach outside of the library is shown and asked about;
      so it is for a YAML file. Without PATH it is the nearest .errand folder upward from here.
      """,
    flags: [
      Flag("follow", .toggle, "trust a folder of your own, whatever is put into it"),
      Flag("list", .toggle, "list what is trusted"),
      Flag("revoke", .toggle, "trust it no longer"),
      Flag("yes", short: "y", .toggle, "allow what it may touch without asking"),
    ],
    serves: [.json]
  ) { invocation, arguments in
    guard let places = invocation.places else {
      throw UsageError("cannot remember it: HOME is not set")
    }
    try TrustCommand(invocation: invocation, places: places).run(arguments)
    return ExitStatus.done
  }

  private let invocation: Invocation
  private let places: Places

  private func run(_ arguments: ParsedArguments) throws {
    let word = arguments.words.first
    switch (arguments.isOn("list"), arguments.isOn("revoke"), arguments.isOn("follow")) {
    case (true, false, false):
      guard word == nil else { throw UsageError("`trust --list` takes no path") }
      try list()
    case (false, true, false): try revoke(word)
    case (false, false, true): try follow(word)
    case (false, false, false):
      if let word, RunTarget.isFile(word), Self.isRegularFile(word) {
        try trust(file: word)
      } else {
        try trust(folder: try trustedFolder(word))
      }
    default:
      throw UsageError(
        "--follow, --list and --revoke can't be combined", help: "keep one of them")
    }
  }

  // MARK: Trusting

  private func trust(folder path: String) throws {
    let content = try DefinitionFolder(path: path, followsLinks: false).content()
    guard !content.files.isEmpty else { throw UsageError("\(path) holds no YAML file") }
    if let concerns = content.concerns.text {
      invocation.console.err("errand: \(path) \(concerns)\n")
    }
    try TrustFile(path: places.trusted).allow(path, .content(content.hash)) {
      invocation.console.err("errand: waiting for another process, which changes what is trusted\n")
    }
    invocation.say("Trusted \(path) (\(content.files.count.counted("file"))).")
    let library = LibraryLoader(places: places, catalogFolder: nil, note: { _ in })
      .library(ofProject: content.files)
    try ask(about: library.addedActionNames, of: library, path, isNeeded: false)
  }

  private func trust(file: String) throws {
    let library = try invocation.library()
    let names = library.add(
      SourceFile(name: file, bytes: try FileReader.bytes(of: file)), to: .file)
    let problems = library.problems
    if !problems.isEmpty { throw Diagnostics(problems) }
    let actions = names.filter { $0.kind != .entity }.map(\.name)
    guard !actions.isEmpty else { throw UsageError("\(file) holds no intent and no shortcut") }
    if try !ask(about: actions, of: library, file, isNeeded: true) {
      invocation.say("\(file) touches nothing outside the library.")
    }
  }

  /// Asks about all that intents and shortcuts of a library touch together, unless `--yes` allows it;
  /// whether there is anything.
  ///
  /// - Parameter isNeeded: Whether it is an error that nobody can answer; else it is asked about when
  ///   one of them runs.
  /// - Throws: `needs-value`.
  @discardableResult
  private func ask(
    about names: [String], of library: Library, _ subject: String, isNeeded: Bool
  ) throws -> Bool {
    let review = AccessReview(invocation.checkingWorkspace(library), of: names)
    if review.touches.isEmpty { return false }
    let lines = AccessGate.lines(review.touches)
    if invocation.arguments.isOn("yes") {
      let text = "\(subject) may now\n" + lines.map { "  \($0)" }.joined(separator: "\n")
      invocation.say(TerminalText(text, keepsLines: true))
    } else if invocation.front.canAnswer {
      let question = Question.confirming(
        AccessGate.prompt(subject, review.touches), key: "access", danger: false)
      guard case .confirmed(true) = try invocation.front.ask(question) else {
        invocation.say("You'll be asked when it runs.")
        return true
      }
    } else {
      let message =
        "can't ask here whether \(subject) may \(lines.joined(separator: ", "))"
      let help = "allow it with `errand trust \(subject.quotedForShell) --yes`"
      if isNeeded { throw RunError(.needsValue, message, help: help) }
      invocation.console.err("errand: \(message)\n  \(help)\n")
      return true
    }
    try review.allow(in: places, canonical: invocation.canonical())
    return true
  }

  private func follow(_ word: String?) throws {
    let path = try word.map(Self.resolved) ?? trustedFolder(nil)
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw UsageError("\(path) is not a folder", help: "without --follow a file can be trusted")
    }
    if let concerns = FolderConcerns(ofFolder: path).text {
      throw UsageError(
        "\(path) \(concerns), so what is put into it may not be yours",
        help: "trust it without --follow")
    }
    try TrustFile(path: places.trusted).allow(path, .anything)
    invocation.say("Trusted \(path), whatever is put into it.")
  }

  // MARK: Looking after it

  private func list() throws {
    var rows = TrustFile(path: places.trusted).folders.map { folder in
      (kind: folder.isFollowed ? "anything" : "definitions", path: folder.path)
    }
    rows += AllowedFile(path: places.allowed).paths.map { ("access", $0) }
    // A path is one line, in a pipe, too; a program takes it from JSON as it is.
    let report = Report<(kind: String, path: String)>(
      columns: ["kind": \.kind, "path": \.path],
      value: { .record(["kind": $0.kind, "path": $0.path]) }, form: .lines)
    try report.write(rows, to: invocation)
  }

  private func revoke(_ word: String?) throws {
    let path = try word.map { (try? Self.resolved($0)) ?? $0 } ?? trustedFolder(nil)
    var isFound = try AllowedFile(path: places.allowed).revoke(path)
    for folder in [path, path + "/.errand"]
    where try TrustFile(path: places.trusted).revoke(folder) { isFound = true }
    guard isFound else {
      throw UsageError("\(path) is not trusted", help: "`errand trust --list` shows what is")
    }
    invocation.say("\(path) is no longer trusted.")
  }

  // MARK: Paths

  private static func isRegularFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  private static func resolved(_ word: String) throws -> String {
    guard let resolved = realpath(word, nil) else {
      let isMissing = errno == ENOENT
      throw UsageError(
        isMissing
          ? "there is no file or folder \(word)"
          : "can't read \(word): \(String(cString: strerror(errno)))",
        help: isMissing ? "check the path" : nil)
    }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private func trustedFolder(_ word: String?) throws -> String {
    guard let word else {
      if let path = LibraryLoader.projectFolder(above: places.workingFolder) { return path }
      throw UsageError(
        "there is no .errand folder here or above", help: "errand trust PATH")
    }
    let path = try Self.resolved(word)
    if path.hasSuffix("/.errand") { return path }
    var status = stat()
    guard lstat(path + "/.errand", &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw UsageError(
        "\(path) has no .errand folder",
        help: status.st_mode & S_IFMT == S_IFLNK ? "links to folders are not followed" : nil)
    }
    return path + "/.errand"
  }
}
