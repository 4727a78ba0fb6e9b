import Catalog
import DefinitionTesting
import Engine
import ErrandKit
import Glibc
import JSON
import Platform
import Source

/// `errand test`: runs the tests of intents and shortcuts; none of them has effects outside.
enum TestCommand {
  static let command = Command(
    "test", "run the tests of intents and shortcuts", usage: "[PATH…]",
    discussion: """
      A PATH is a file, a folder, or the name of an intent or a shortcut; without one, the tests
      of all definitions in scope are run. Each has its own store in memory and no effects outside:
      waits return at once, and programs and servers must be faked.
      """,
    flags: [
      Flag("filter", .value("TEXT"), "run only tests whose name contains this text"),
      Flag("coverage", .toggle, "also list steps and branches that no test reaches"),
      Flag("junit", .value("FILE"), "also write a report as JUnit XML"),
      Flag("format", .value("text|json"), "form of the report [default text]"),
    ],
    serves: []
  ) { invocation, arguments in
    let format = arguments.last("format") ?? "text"
    try UsageError.expect(
      ["text", "json"].contains(format), "--format must be text or json, not “\(format)”",
      help: "--junit FILE writes a report for other programs")
    let catalog = try invocation.loader.load()
    catalog.readsBuiltInTests = true
    let workspace = invocation.checkingWorkspace(catalog)
    var check = DefinitionCheck(workspace)
    if arguments.words.isEmpty { check.addAll() }
    for word in arguments.words {
      let isAction =
        catalog.actionNames.contains(word)
        || word.hasPrefix("widget:")
          && catalog.place(ofAction: word) != nil
      if isAction, access(word, F_OK) != 0 {
        check.add(action: word)
      } else {
        try UsageError.expect(
          word == "-" || access(word, F_OK) == 0, "there is no file, folder or shortcut “\(word)”",
          help: Suggestion.nearest(to: word, in: catalog.actionNames).map {
            "did you mean `\($0)`?"
          } ?? FileReader.neighbour(of: word).map { "did you mean \($0)?" } ?? "check the path")
        check.add(path: word)
      }
    }
    let mistakes = check.findings.filter { $0.severity == .error }
    if !mistakes.isEmpty { throw Diagnostics(mistakes) }
    var suite = TestSuite(actions: check.actions)
    let filter = arguments.last("filter")
    try suite.run(in: catalog, filter: filter)
    if suite.groups.isEmpty { throw nothingToRun(suite, filter) }
    if arguments.isOn("coverage") { try suite.cover(in: workspace) }
    if let path = arguments.last("junit") {
      let report = JUnitReport(suite).text
      try FileAccess.system(environment: ProcessEnvironment.value).write(
        path, Array(report.utf8), .replace)
    }
    if format == "json" {
      invocation.console.result(try JSONWriter(layout: .pretty).text(of: suite.value) + "\n")
    } else {
      TestText(suite, invocation.console, isQuiet: arguments.isOn("quiet")).write()
    }
    if suite.failedCount > 0 { invocation.status = ExitStatus.failed }
  }

  private static func nothingToRun(_ suite: TestSuite, _ filter: String?) -> UsageError {
    if let filter { return UsageError("no test has “\(filter)” in its name") }
    let isOne = suite.untested.count == 1
    return UsageError(
      isOne ? "`\(suite.untested[0])` has no tests" : "there are no tests",
      help: "write them below `tests:` in \(isOne ? "it" : "an intent or a shortcut")")
  }
}
