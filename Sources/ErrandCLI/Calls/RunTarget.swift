import Catalog
import Engine
import ErrandKit
import Source
import YAML

/// What `run` and `call` are asked to run.
struct RunTarget {
  private let invocation: Invocation
  private let session: Run
  private var library: Library { session.library }

  init(_ invocation: Invocation) throws {
    self.invocation = invocation
    session = try invocation.session()
  }

  /// Whether a word is the path of a file and not a name.
  static func isFile(_ word: String) -> Bool {
    let path = word.split(separator: "#", maxSplits: 1).first.map(String.init) ?? word
    return path == "-" || path.contains("/") || path.hasSuffix(".yaml") || path.hasSuffix(".yml")
  }

  /// The name of what a word means; a file's documents are added to the library.
  ///
  /// - Throws: `Diagnostics` with everything that is wrong in the file.
  func name(_ word: String) throws -> String {
    guard Self.isFile(word) else { return word }
    let parts = word.split(separator: "#", maxSplits: 1).map(String.init)
    let path = parts.first ?? word
    // A pipe can be read once: the link before this one did.
    let bytes = try invocation.console.link.document ?? FileReader.bytes(of: path)
    invocation.document = bytes
    let file = SourceFile(name: path == "-" ? "<stdin>" : path, bytes: bytes)
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
    // A mistake of the layers is found once more when the document is checked.
    var found = DistinctDiagnostics()
    found.add(problems)
    for (kind, name) in names {
      do {
        if kind == .entity {
          try session.workspace.check(entity: name)
        } else {
          try session.workspace.check(action: name)
        }
      } catch let error as Diagnostics {
        found.add(error.all)
      }
    }
    if found.hasErrors { throw Diagnostics(found.sorted) }
    if names.isEmpty {
      throw Diagnostics([
        Diagnostic(
          "no-documents", "there is no document in it", at: Span(file, 0..<0),
          help: "a shortcut begins with `shortcut: its-name`")
      ])
    }
  }
}
