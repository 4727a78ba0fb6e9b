import Catalog
import DefinitionTesting
import Engine
import ErrandKit
import Glibc
import POSIX
import Program
import Source

/// `errand check`: finds errors in definitions before anything runs.
enum CheckCommand {
  static let command = Command(
    "check", "find mistakes in definitions before anything runs", usage: "[PATH…]",
    discussion: """
      A PATH is a file, a folder, the name of a definition, or `-` for standard input; \
      without one, all definitions in scope are checked, with everything they call. Nothing runs. \
      --follow checks and tests files again each time they are saved, until Ctrl-C.
      Warnings don't stop a run. `# errand: ignore W203 because …` silences one on its
      line, or, alone on a line, on the next.
      """,
    flags: [
      Flag("follow", .toggle, "check and test FILEs again at each save"),
      Flag("format", .value("text|json|github|sarif"), "form of the findings [default text]"),
    ],
    serves: [], reads: .always
  ) { invocation, arguments in
    let name = arguments.last("format") ?? FindingsFormat.text.rawValue
    let format = try FindingsFormat(rawValue: name).expected(
      "--format must be text, json, github or sarif, not “\(name)”",
      help: Suggestion.nearest(to: name, in: FindingsFormat.allCases.map(\.rawValue)).map {
        "did you mean \($0)?"
      })
    if arguments.isOn("follow") {
      try UsageError.expect(format == .text, "--follow shows text only")
      try follow(arguments.words, invocation)
    }
    let check = try check(arguments.words, invocation)
    let findings = check.findings
    try FindingsWriter(invocation.console).write(findings, as: format)
    let errors = findings.filter { $0.severity == .error }.count
    invocation.console.flush()
    if format == .text, !arguments.isOn("quiet") {
      invocation.console.err(
        check.summary(errors: errors, warnings: findings.count - errors) + "\n")
    }
    invocation.noteUnreadInput(arguments.words, "check")
    if errors > 0 { invocation.status = ExitStatus.usage }
  }

  /// Checks files, folders and names, or everything.
  private static func check(
    _ words: [String], _ invocation: Invocation
  ) throws -> DefinitionCheck {
    let catalog = try invocation.loader.load()
    catalog.readsBuiltInTests = true
    var check = DefinitionCheck(workspace(catalog, invocation))
    if words.isEmpty { check.addAll() }
    var paths: [String] = []
    for word in words {
      if word == "-" || word.contains(where: "/.".contains) || access(word, F_OK) == 0 {
        paths.append(word)
      } else if catalog.actionNames.contains(word) {
        check.add(action: word)
      } else if catalog.entityNames.contains(word) {
        check.add(entity: word)
      } else {
        let names = catalog.actionNames + catalog.entityNames
        throw UsageError(
          "there is no file, folder or definition “\(word)”",
          help: Suggestion.nearest(to: word, in: names).map { "did you mean `\($0)`?" }
            ?? FileReader.neighbour(of: word).map { "did you mean \($0)?" }
            ?? "check the path; `errand list` shows the names")
      }
    }
    if !paths.isEmpty {
      try check.add(paths: paths) { workspace(try invocation.loader.load(), invocation) }
    }
    return check
  }

  /// A workspace that also knows which names commands have.
  static func workspace(_ catalog: DefinitionCatalog, _ invocation: Invocation) -> Workspace {
    let workspace = invocation.checkingWorkspace(catalog)
    workspace.context.commandNames = CommandTable.names
    return workspace
  }

  // MARK: Following

  /// Polling interval of the files, in nanoseconds.
  private static let pause: Int64 = 200_000_000

  /// Checks and tests files each time one is saved, until the process is terminated.
  private static func follow(_ paths: [String], _ invocation: Invocation) throws -> Never {
    guard !paths.isEmpty, paths.allSatisfy({ stat.at($0)?.isFolder == false }) else {
      throw UsageError("--follow takes files", help: "errand check --follow FILE")
    }
    let times = try TimeText(invocation)
    var last: [String] = []
    while true {
      let now = paths.map(state)
      if now != last {
        last = now
        let names = paths.joined(separator: ", ")
        invocation.console.out(
          invocation.console.style.bold("\(times.text(SystemHost.now()))  \(names)")
            + "\n")
        do { try round(paths, invocation) } catch let error as Diagnostics {
          try FindingsWriter(invocation.console).write(error.all, as: .text)
        }
        invocation.console.out("\n")
        invocation.console.flush()
      }
      MonotonicClock.pause(MonotonicClock.nanoseconds + pause, [])
    }
  }

  /// The identity of a file's content; an editor may write it in place or replace it.
  private static func state(_ path: String) -> String {
    guard let status = stat.at(path) else { return "" }
    return "\(status.st_ino) \(status.st_size) \(status.st_mtim.tv_sec) \(status.st_mtim.tv_nsec)"
  }

  private static func round(_ paths: [String], _ invocation: Invocation) throws {
    let check = try check(paths, invocation)
    let findings = check.findings
    try FindingsWriter(invocation.console).write(findings, as: .text)
    let errors = findings.count { $0.severity == .error }
    invocation.console.out(check.summary(errors: errors, warnings: findings.count - errors) + "\n")
    guard errors == 0 else { return }
    let catalog = try invocation.loader.load()
    var again = DefinitionCheck(invocation.checkingWorkspace(catalog))
    for path in paths { again.add(path: path) }
    var suite = TestSuite(actions: again.actions)
    try suite.run(in: catalog, filter: nil)
    if !suite.groups.isEmpty { TestText(suite, invocation.console, isQuiet: false).write() }
  }
}
