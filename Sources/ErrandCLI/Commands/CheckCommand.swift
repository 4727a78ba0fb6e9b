import Catalog
import Engine
import ErrandKit
import Source

/// `errand check`: finds errors in definitions before anything runs.
enum CheckCommand {
  static let command = Command(
    "check", "find mistakes in definitions before anything runs", usage: "[PATH…]",
    discussion: """
      A PATH is a file, a folder, or `-` for standard input; without one, all definitions in scope
      are checked, with everything they call. Nothing runs.
      Warnings don't stop a run. `# errand: ignore W203 because …` silences one on its
      line, or, alone on a line, on the next.
      """,
    flags: [
      Flag("format", .value("text|json|github|sarif"), "form of the findings [default text]")
    ],
    serves: [], reads: .always
  ) { invocation, arguments in
    let name = arguments.last("format") ?? FindingsFormat.text.rawValue
    let format = try FindingsFormat(rawValue: name).expected(
      "--format must be text, json, github or sarif, not “\(name)”",
      help: Suggestion.nearest(to: name, in: FindingsFormat.allCases.map(\.rawValue)).map {
        "did you mean \($0)?"
      })
    let catalog = try invocation.loader.load()
    catalog.readsBuiltInTests = true
    var check = DefinitionCheck(invocation.checkingWorkspace(catalog))
    if arguments.words.isEmpty {
      check.addAll()
    } else {
      try check.add(paths: arguments.words) {
        invocation.checkingWorkspace(try invocation.loader.load())
      }
    }
    let findings = check.findings
    try FindingsWriter(invocation.console).write(findings, as: format)
    let errors = findings.filter { $0.severity == .error }.count
    invocation.console.flush()
    if format == .text, !arguments.isOn("quiet") {
      invocation.console.err(
        check.summary(errors: errors, warnings: findings.count - errors) + "\n")
    }
    if errors > 0 { invocation.status = ExitStatus.usage }
  }
}
