import Catalog
import DefinitionTesting
import Engine
import ErrandKit
import Glibc
import JSON
import Source
import System

/// `errand test`: runs the tests of intents and shortcuts, none of which reaches anything outside.
enum TestCommand {
  static let command = Command(
    "test", "run the tests of intents and shortcuts", usage: "[PATH…]",
    discussion: """
      A PATH is a file, a folder, or the name of an intent or a shortcut; without one, the tests
      of all definitions in reach are run. Each runs in a store and a world of its own in memory:
      waits pass at once, and what is reached outside must be faked.
      """,
    flags: [
      Flag("filter", .value("TEXT"), "run only the tests whose name has this text in it"),
      Flag("coverage", .toggle, "also list steps and branches no test reaches"),
      Flag("junit", .value("FILE"), "also write a report as JUnit XML"),
      Flag("format", .value("FORMAT"), "text or json [default text]"),
    ],
    serves: []
  ) { invocation, arguments in
    let format = arguments.last("format") ?? "text"
    guard ["text", "json"].contains(format) else {
      throw UsageError("--format must be text or json, not “\(format)”")
    }
    let loader = LibraryLoader(
      places: invocation.places, catalogFolder: arguments.last("catalog"),
      note: { [console = invocation.console] in console.err("\($0)\n") })
    let library = try loader.load()
    library.readsBuiltInTests = true
    let workspace = invocation.checkingWorkspace(library)
    var check = DefinitionCheck(workspace)
    if arguments.words.isEmpty { check.addAll() }
    for word in arguments.words {
      if library.actionNames.contains(word), access(word, F_OK) != 0 {
        check.add(action: word)
      } else {
        guard word == "-" || access(word, F_OK) == 0 else {
          throw UsageError(
            "there is no file, folder or shortcut “\(word)”",
            help: Suggestion.nearest(to: word, in: library.actionNames)
              .map { "did you mean `\($0)`?" } ?? "check the path")
        }
        check.add(path: word)
      }
    }
    let mistakes = check.findings.filter { $0.severity == .error }
    if !mistakes.isEmpty { throw Diagnostics(mistakes) }
    var suite = TestSuite(actions: check.actions)
    let filter = arguments.last("filter")
    try suite.run(in: library, filter: filter)
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
    return suite.failedCount == 0 ? ExitStatus.done : ExitStatus.failed
  }

  private static func nothingToRun(_ suite: TestSuite, _ filter: String?) -> UsageError {
    if let filter { return UsageError("no test has “\(filter)” in its name") }
    let isOne = suite.untested.count == 1
    return UsageError(
      isOne ? "`\(suite.untested[0])` has no tests" : "there are no tests",
      help: "write them below `tests:` in \(isOne ? "it" : "an intent or a shortcut")")
  }
}
