import AppleShortcuts
package import Catalog
package import Engine
import POSIX
import Source
import YAML

/// The intent or shortcut to run: a name, or a file that defines it.
package struct RunTarget {
  /// The name; for a file, that of the definition to run.
  package let name: String
  /// The contents of the file; nil for a name.
  package var bytes: [UInt8]? { document?.file.bytes }
  private let document: Document?

  /// The parsed file.
  fileprivate struct Document {
    let path: String
    let file: SourceFile
    let definitions: [(kind: Definition.Kind, name: String)]
    /// The mistakes found while it was parsed.
    let problems: [Diagnostic]
  }

  /// Creates a target from a name.
  package init(named name: String) {
    self.name = name
    document = nil
  }

  /// Resolves an argument; a file's definitions are added to the library.
  ///
  /// - Parameters:
  ///   - handed: The contents of the file if they were read already; nil to read it.
  ///   - workspace: Used to check a file that cannot be run.
  /// - Throws: `Diagnostics` with all mistakes of a file that cannot be run, `usage` if the
  ///   definition to run is ambiguous.
  package init(
    _ word: String, in catalog: DefinitionCatalog, handed: [UInt8]? = nil,
    workspace: () throws -> Workspace
  ) throws {
    guard Self.isFile(word) else {
      name = word
      document = nil
      return
    }
    let parts = word.split(separator: "#", maxSplits: 1).map(String.init)
    let path = parts.first ?? word
    let bytes = try handed ?? Self.bytes(of: path, in: catalog)
    let document =
      Self.known(path, bytes, in: catalog)
      ?? Self.added(
        SourceFile(name: path == "-" ? "<stdin>" : path, bytes: bytes), path, to: catalog)
    self.document = document
    do {
      name = try document.name(parts.count > 1 ? parts[1] : nil)
      _ = try catalog.action(name)
    } catch {
      try document.check(in: workspace())
      throw error
    }
  }

  /// The file as a part of the layer that it belongs to; nil for other files.
  private static func known(
    _ path: String, _ bytes: [UInt8], in catalog: DefinitionCatalog
  ) -> Document? {
    guard path != "-", let place = Folder.resolved(path),
      let file = catalog.files.first(where: {
        $0.bytes == bytes && Folder.resolved($0.name) == place
      })
    else { return nil }
    return Document(
      path: path, file: file, definitions: catalog.definitions(in: file),
      problems: catalog.problems.filter { $0.span?.file === file })
  }

  /// The file, after its definitions were added to the catalog.
  private static func added(
    _ file: SourceFile, _ path: String, to catalog: DefinitionCatalog
  ) -> Document {
    let known = catalog.problems.count
    let definitions = catalog.add(file, to: .file)
    return Document(
      path: path, file: file, definitions: definitions,
      problems: Array(catalog.problems.dropFirst(known)))
  }

  /// The contents of a file; a shortcut of Apple's app is converted.
  private static func bytes(of path: String, in catalog: DefinitionCatalog) throws -> [UInt8] {
    let bytes = try FileReader.bytes(
      of: path, limit: isForeign(path) ? ShortcutFile.maxSize : Limits.standard.bytes)
    guard isForeign(path) else { return bytes }
    do throws(ShortcutFile.Problem) {
      let translation = try ShortcutTranslator(bytes, at: path, isReserved: catalog.isReserved)
      return Array(translation.text.utf8)
    } catch {
      throw Diagnostic("unreadable", "\(path) cannot be converted: \(error.reason)")
    }
  }

  /// Whether a path is that of a shortcut of Apple's app.
  private static func isForeign(_ path: String) -> Bool { path.hasSuffix(".shortcut") }

  /// Whether an argument is a path rather than a name.
  package static func isFile(_ word: String) -> Bool {
    let path = word.split(separator: "#", maxSplits: 1).first.map(String.init) ?? word
    return path == "-" || path.contains("/") || path.hasSuffix(".yaml") || path.hasSuffix(".yml")
      || isForeign(path)
  }

  /// The absolute path of the file; nil for a name and for standard input.
  package func path(in folder: String) -> String? {
    guard let path = document?.path, path != "-" else { return nil }
    return path.hasPrefix("/") ? path : "\(folder)/\(path)"
  }

  /// Checks all definitions of the file, not only the one to run.
  ///
  /// - Throws: `Diagnostics` with all mistakes.
  package func check(in workspace: Workspace) throws { try document?.check(in: workspace) }
}

extension RunTarget.Document {
  /// The name to run: the given one, or the only candidate in the file.
  fileprivate func name(_ given: String?) throws(RunError) -> String {
    let actions = definitions.filter { $0.kind.isAction }.map(\.name)
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
    case 0:
      let entity = definitions.first { $0.kind == .entity }?.name
      throw RunError.usage(
        "\(path) does not define an intent or shortcut",
        help: entity.map { "it has only entities; to see their items: errand find \($0)" })
    default:
      throw RunError.usage(
        "\(path) defines several: \(candidates.joined(separator: ", "))",
        help: "choose one: errand run \(path)#\(candidates[0])")
    }
  }

  fileprivate func check(in workspace: Workspace) throws {
    // Checking a document repeats the mistakes found while parsing it.
    var found = DistinctDiagnostics()
    found.add(problems)
    for (kind, name) in definitions {
      do {
        if kind == .entity {
          try workspace.check(entity: name)
        } else if kind.isAction {
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
