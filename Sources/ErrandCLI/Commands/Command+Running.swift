import Catalog
import Engine
import Source
import YAML

extension Command {
  static let run = Command(
    "run", "run a shortcut or an intent, by name or from a file", usage: "NAME|FILE|- [INPUT…]",
    discussion: """
      A FILE contains a `/` or ends in `.yaml`; `FILE#name` chooses one of several; `-` reads the
      document from standard input. An INPUT of `-` is read from standard input. The parameters
      of what is run are flags here, too.
      """,
    flags: [Flag("param", short: "p", .value("NAME=VALUE"), "give a parameter by its name")]
  ) { _, _ in
    // Its flags are those of what it runs: see `Errand.run`.
    ExitStatus.usage
  }

  static let call = Command(
    "call", "run an intent or a shortcut whose name is also a command", usage: "NAME [WORDS…]",
    flags: [Flag("param", short: "p", .value("NAME=VALUE"), "give a parameter by its name")]
  ) { _, _ in ExitStatus.usage }

  static let eval = Command(
    "eval", "evaluate an expression", usage: "EXPRESSION",
    discussion: """
      With --batch, reads JSON Lines {"expr": …, "vars": {…}} and answers each with a line
      {"value": …} or {"error": {…}}.
      """,
    flags: [
      Flag("var", .value("NAME=VALUE"), "a variable with a text value; may be repeated"),
      Flag("vars", .value("JSON"), "variables as a JSON object"),
      Flag("batch", .toggle, "evaluate each line of standard input"),
    ]
  ) { invocation, arguments in
    try EvalCommand(invocation).run(arguments)
  }
}

/// What `run` and `call` are asked to run.
struct RunTarget {
  private let session: Run
  private var library: Library { session.library }

  init(_ session: Run) {
    self.session = session
  }

  /// Whether a word is the path of a file and not a name.
  static func isFile(_ word: String) -> Bool {
    let path = word.split(separator: "#", maxSplits: 1).first.map(String.init) ?? word
    return word == "-" || path.contains("/") || path.hasSuffix(".yaml") || path.hasSuffix(".yml")
  }

  /// The name of what a word means; a file's documents are added to the library.
  ///
  /// - Throws: `Diagnostics` with everything that is wrong in the file.
  func name(_ word: String) throws -> String {
    guard Self.isFile(word) else { return word }
    let parts = word.split(separator: "#", maxSplits: 1).map(String.init)
    let path = parts.first ?? word
    let file = SourceFile(
      name: path == "-" ? "<stdin>" : path, bytes: try FileReader.bytes(of: path))
    let known = library.problems.count
    let names = library.add(file, to: .file)
    try checkAll(names, problems: Array(library.problems.dropFirst(known)), in: file)
    let actions = names.filter { $0.kind != .entity }.map(\.name)
    if parts.count > 1 {
      guard actions.contains(parts[1]) else {
        throw UsageError(
          "\(path) has no intent or shortcut `\(parts[1])`",
          help: Suggestion.help(for: parts[1], in: actions))
      }
      return parts[1]
    }
    let shortcuts = names.filter { $0.kind == .shortcut }.map(\.name)
    let candidates = shortcuts.isEmpty ? actions : shortcuts
    switch candidates.count {
    case 1: return candidates[0]
    case 0: throw UsageError("\(path) holds no intent and no shortcut")
    default:
      throw UsageError(
        "\(path) holds several: \(candidates.joined(separator: ", "))",
        help: "choose one: errand run \(path)#\(candidates[0])")
    }
  }

  /// Reports what is wrong with any document of the file, not only the one to be run.
  private func checkAll(
    _ names: [(kind: Definition.Kind, name: String)], problems: [Diagnostic], in file: SourceFile
  ) throws {
    var problems = problems
    for (kind, name) in names {
      do {
        if kind == .entity {
          try session.workspace.check(entity: name)
        } else {
          try session.workspace.check(action: name)
        }
      } catch let error as Diagnostics {
        problems += error.all.filter { problem in
          !problems.contains { $0.id == problem.id && $0.span?.range == problem.span?.range }
        }
      }
    }
    if problems.contains(where: { $0.severity == .error }) {
      throw Diagnostics(
        problems.sorted { ($0.span?.range.lowerBound ?? 0) < ($1.span?.range.lowerBound ?? 0) })
    }
    if names.isEmpty {
      throw Diagnostics([
        Diagnostic(
          "no-documents", "there is no document in it", at: Span(file, 0..<0),
          help: "a shortcut begins with `shortcut: its-name`")
      ])
    }
  }
}
