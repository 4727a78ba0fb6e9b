import CEL
import Catalog
import Engine
import ErrandKit
import Glibc
import POSIX
import Program
import Source

/// `errand trust`: allows a project's definitions and their capabilities.
struct TrustCommand {
  static let command = Command(
    "trust", "allow a project's definitions, and what they or a file may access", usage: "[PATH]",
    discussion: """
      Trusts a project's folder by path and content: you are asked again when a file in it changes.
      Shows what its definitions, or those of a YAML file, may access outside the library, and asks.
      Without PATH, uses the nearest .errand folder here or above.
      """,
    flags: [
      Flag("follow", .toggle, "trust a folder of your own, including future changes"),
      Flag("list", .toggle, "list what is trusted"),
      Flag("revoke", .toggle, "stop trusting it"),
      Flag("yes", short: "y", .toggle, "allow its access without asking"),
    ],
    serves: [.json]
  ) { invocation, arguments in
    let places = try invocation.places.expected("cannot save this: HOME is not set")
    try TrustCommand(invocation: invocation, places: places).run(arguments)
  }

  private let invocation: Invocation
  private let places: Places

  private func run(_ arguments: Arguments) throws {
    let word = arguments.words.first
    switch (arguments.isOn("list"), arguments.isOn("revoke"), arguments.isOn("follow")) {
    case (true, false, false):
      guard word == nil else { throw UsageError("`trust --list` takes no path") }
      try list()
    case (false, true, false): try revoke(word)
    case (false, false, true): try follow(word)
    case (false, false, false):
      if let word, RunTarget.isFile(word), stat.at(word)?.isRegular == true {
        try trust(file: word)
      } else {
        try trust(folder: try trustedFolder(word))
      }
    default:
      throw UsageError("--follow, --list and --revoke cannot be combined", help: "keep one of them")
    }
  }

  // MARK: Trusting

  private func trust(folder path: String) throws {
    let content = try DefinitionFolder(path: path, followsLinks: false).content()
    guard !content.files.isEmpty else { throw UsageError("\(path) contains no YAML files") }
    if let concerns = content.concerns.text {
      invocation.console.err("errand: \(path) \(concerns)\n")
    }
    try TrustFile(path: places.trusted).allow(path, .content(content.hash)) {
      invocation.console.err(
        "errand: waiting for another process that is changing what is trusted\n")
    }
    invocation.say("Trusted \(path) (\(content.files.count.counted("file"))).")
    let catalog = CatalogLoader(places: places, catalogFolder: nil, note: { _ in })
      .catalog(ofProject: content.files)
    try ask(about: catalog.addedActionNames, of: catalog, path, isNeeded: false)
  }

  private func trust(file: String) throws {
    let catalog = try invocation.catalog()
    let names = catalog.add(
      SourceFile(name: file, bytes: try FileReader.bytes(of: file)), to: .file)
    let problems = catalog.problems
    if !problems.isEmpty { throw Diagnostics(problems) }
    let actions = names.filter { $0.kind != .entity }.map(\.name)
    guard !actions.isEmpty else { throw UsageError("\(file) defines no intent or shortcut") }
    if try !ask(about: actions, of: catalog, file, isNeeded: true) {
      invocation.say("\(file) touches nothing outside the library.")
    }
  }

  /// Asks about all capabilities of a library's actions together, unless `--yes` allows them;
  /// returns whether there are any.
  ///
  /// - Parameter isNeeded: Whether it is an error if no one can answer; otherwise each run asks.
  /// - Throws: `needs-value`.
  @discardableResult
  private func ask(
    about names: [String], of catalog: DefinitionCatalog, _ subject: String, isNeeded: Bool
  ) throws -> Bool {
    let review = PermissionReview(invocation.checkingWorkspace(catalog), of: names)
    if review.capabilities.isEmpty { return false }
    let lines = PermissionPrompt.lines(review.capabilities)
    if invocation.arguments.isOn("yes") {
      let text = "\(subject) may now\n" + lines.map { "  \($0)" }.joined(separator: "\n")
      invocation.say(TerminalText(text, keepsLines: true))
    } else if invocation.front.canAnswer {
      let prompt = PermissionPrompt.prompt(subject, review.capabilities)
      let question = Question(.confirmation(danger: false), key: "access", prompt: prompt)
      guard case .confirmed(true) = try invocation.front.ask(question) else {
        invocation.say("You'll be asked when it runs.")
        return true
      }
    } else {
      let message =
        "cannot ask here whether \(subject) may \(lines.joined(separator: ", "))"
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
    try UsageError.expect(
      stat.at(path)?.isFolder == true, "\(path) is not a folder",
      help: "without --follow a file can be trusted")
    if let concerns = FolderConcerns(ofFolder: path).text {
      throw UsageError(
        "\(path) \(concerns), so others may put files into it",
        help: "trust it without --follow")
    }
    try TrustFile(path: places.trusted).allow(path, .anything)
    invocation.say("Trusted \(path), including future changes.")
  }

  // MARK: Managing trust

  private func list() throws {
    var rows = TrustFile(path: places.trusted).folders.map { folder in
      (kind: folder.isFollowed ? "anything" : "definitions", path: folder.path)
    }
    rows += AllowedFile(path: places.allowed).paths.map { ("access", $0) }
    // A path takes one line, also in a pipe; JSON has it unescaped.
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
    try UsageError.expect(
      isFound, "\(path) is not trusted", help: "`errand trust --list` shows what is")
    invocation.say("\(path) is no longer trusted.")
  }

  // MARK: Paths

  private static func resolved(_ word: String) throws -> String {
    if let resolved = Folder.resolved(word) { return resolved }
    if errno == ENOENT {
      throw UsageError("there is no file or folder \(word)", help: "check the path")
    }
    throw UsageError("cannot read \(word): \(String(cString: strerror(errno)))")
  }

  private func trustedFolder(_ word: String?) throws -> String {
    guard let word else {
      if let path = CatalogLoader.projectFolder(above: places.workingFolder) { return path }
      throw UsageError("there is no .errand folder here or above", help: "errand trust PATH")
    }
    let path = try Self.resolved(word)
    if path.hasSuffix("/.errand") { return path }
    let inner = path + "/.errand"
    let status = stat.at(inner, followsLinks: false)
    try UsageError.expect(
      status?.isFolder == true, "\(path) has no .errand folder",
      help: status?.isLink == true ? "links to folders are not followed" : nil)
    return inner
  }
}
