package import Catalog
package import Engine
import Source
import YAML

/// The intent or shortcut that a word stands for: a name, or a file that defines it.
package struct RunTarget {
  /// The name; of a file, of what it is run for.
  package let name: String
  /// The bytes of the file; nil for a name.
  package var bytes: [UInt8]? { document?.file.bytes }
  private let document: Document?

  /// The definitions of a file that was named.
  fileprivate struct Document {
    let path: String
    let file: SourceFile
    let definitions: [(kind: Definition.Kind, name: String)]
    /// The mistakes that were found while it was read.
    let problems: [Diagnostic]
  }

  /// A name as it is.
  package init(named name: String) {
    self.name = name
    document = nil
  }

  /// What a word stands for; a file's documents are added to the library.
  ///
  /// - Parameters:
  ///   - handed: The bytes of the file where they were read before; nil to read it.
  ///   - workspace: Checks a file that can't be run.
  /// - Throws: `Diagnostics` with everything that is wrong in a file that can't be run, `usage`
  ///   where it does not tell what is to be run.
  package init(
    _ word: String, in library: Library, handed: [UInt8]? = nil,
    workspace: () throws -> Workspace
  ) throws {
    guard Self.isFile(word) else {
      name = word
      document = nil
      return
    }
    let parts = word.split(separator: "#", maxSplits: 1).map(String.init)
    let path = parts.first ?? word
    let bytes = try handed ?? FileReader.bytes(of: path)
    let file = SourceFile(name: path == "-" ? "<stdin>" : path, bytes: bytes)
    let known = library.problems.count
    let definitions = library.add(file, to: .file)
    let document = Document(
      path: path, file: file, definitions: definitions,
      problems: Array(library.problems.dropFirst(known)))
    self.document = document
    do {
      name = try document.name(parts.count > 1 ? parts[1] : nil)
      _ = try library.action(name)
    } catch {
      try document.check(in: workspace())
      throw error
    }
  }

  /// Whether a word is the path of a file and not a name.
  package static func isFile(_ word: String) -> Bool {
    let path = word.split(separator: "#", maxSplits: 1).first.map(String.init) ?? word
    return path == "-" || path.contains("/") || path.hasSuffix(".yaml") || path.hasSuffix(".yml")
  }

  /// The full path of the file; nil for a name and for standard input.
  package func path(in folder: String) -> String? {
    guard let path = document?.path, path != "-" else { return nil }
    return path.hasPrefix("/") ? path : "\(folder)/\(path)"
  }

  /// Reports what is wrong with any document of a file, not only the one to be run.
  ///
  /// - Throws: `Diagnostics` with all of it.
  package func check(in workspace: Workspace) throws { try document?.check(in: workspace) }
}

extension RunTarget.Document {
  /// The name of what is run: the given one, or the only one that the file may be meant for.
  fileprivate func name(_ given: String?) throws(RunError) -> String {
    let actions = definitions.filter { $0.kind != .entity }.map(\.name)
    if let given {
      if actions.contains(given) { return given }
      throw RunError.usage(
        "\(path) has no intent or shortcut `\(given)`",
        help: Suggestion.help(for: given, in: actions))
    }
    let shortcuts = definitions.filter { $0.kind == .shortcut }.map(\.name)
    let candidates = shortcuts.isEmpty ? actions : shortcuts
    switch candidates.count {
    case 1: return candidates[0]
    case 0: throw RunError.usage("\(path) holds no intent and no shortcut")
    default:
      throw RunError.usage(
        "\(path) holds several: \(candidates.joined(separator: ", "))",
        help: "choose one: errand run \(path)#\(candidates[0])")
    }
  }

  fileprivate func check(in workspace: Workspace) throws {
    // A mistake of the layers is found once more when the document is checked.
    var found = DistinctDiagnostics()
    found.add(problems)
    for (kind, name) in definitions {
      do {
        if kind == .entity {
          try workspace.check(entity: name)
        } else {
          try workspace.check(action: name)
        }
      } catch let error as Diagnostics {
        found.add(error.all)
      }
    }
    if found.hasErrors { throw Diagnostics(found.sorted) }
    if definitions.isEmpty {
      throw Diagnostics([
        Diagnostic(
          "no-documents", "there is no document in it", at: Span(file, 0..<0),
          help: "a shortcut begins with `shortcut: its-name`")
      ])
    }
  }
}
