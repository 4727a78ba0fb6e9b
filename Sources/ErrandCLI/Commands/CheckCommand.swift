import Catalog
import Engine
import ErrandKit
import Source

/// `errand check`: finds the mistakes in definitions before anything runs.
enum CheckCommand {
  static let command = Command(
    "check", "find mistakes in definitions before anything runs", usage: "[PATH…]",
    discussion: """
      A PATH is a file, a folder, or `-` for standard input; without one, all definitions in reach
      are checked. What they call is checked with them, and nothing runs.
      Warnings don't stop a run. `# errand: ignore W203 because …` silences one on its
      line, or, alone on a line, on the next.
      """,
    flags: [
      Flag("format", .value("FORMAT"), "text, json, github or sarif [default text]")
    ],
    serves: [], reads: .always
  ) { invocation, arguments in
    let name = arguments.last("format") ?? FindingsFormat.text.rawValue
    guard let format = FindingsFormat(rawValue: name) else {
      throw UsageError(
        "--format: “\(name)” is none of text, json, github, sarif",
        help: Suggestion.nearest(to: name, in: FindingsFormat.allCases.map(\.rawValue))
          .map { "did you mean \($0)?" })
    }
    let loader = LibraryLoader(
      places: invocation.places, catalogFolder: arguments.last("catalog"),
      note: { [console = invocation.console] in console.err("\($0)\n") })
    let library = try loader.load()
    library.readsBuiltInTests = true
    var check = DefinitionCheck(invocation.checkingWorkspace(library))
    if arguments.words.isEmpty {
      check.addAll()
    } else {
      try check.add(paths: arguments.words) { invocation.checkingWorkspace(try loader.load()) }
    }
    let findings = check.findings
    try FindingsWriter(invocation.console).write(findings, as: format)
    let errors = findings.filter { $0.severity == .error }.count
    invocation.console.flush()
    if format == .text, !arguments.isOn("quiet") {
      invocation.console.err(
        check.summary(errors: errors, warnings: findings.count - errors) + "\n")
    }
    return errors == 0 ? ExitStatus.done : ExitStatus.usage
  }
}
