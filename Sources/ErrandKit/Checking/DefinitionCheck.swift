import Catalog
package import Engine
import Glibc
import POSIX
import Program
package import Source
import YAML

/// Checks the definitions of files or folders, or all available definitions.
package struct DefinitionCheck {
  private let workspace: Workspace
  private var found = DistinctDiagnostics()
  private var files: [SourceFile] = []
  private var count = 0
  /// The available files by path without symbolic links; nil until first needed.
  private var known: [String: SourceFile]?
  /// The cycles of intents and shortcuts that were reported as infinite recursion.
  private var endless: Set<Int> = []
  private lazy var phraseCheck = PhraseCheck(workspace)
  /// The definitions reached by earlier checks.
  private var reached = Workspace.Reached()
  /// Built-in entities that own ones replace.
  private lazy var replaced = ReplacedEntities(in: workspace.catalog)
  /// The checked intents and shortcuts, in order.
  package private(set) var actions: [String] = []

  /// Creates a check that also reports warnings.
  package init(_ workspace: Workspace) { self.workspace = workspace }

  private var catalog: DefinitionCatalog { workspace.catalog }

  /// Checks all available definitions, including the built-in ones.
  package mutating func addAll() {
    files = catalog.files
    found.add(catalog.problems)
    for name in catalog.entityNames { check(.entity, name) }
    for name in catalog.actionNames { check(.shortcut, name) }
    for name in catalog.widgetNames { check(.widget, WidgetDefinition.prefix + name) }
  }

  /// Checks the intent or shortcut with this name.
  package mutating func add(action name: String) {
    files = catalog.files
    check(.shortcut, name)
  }

  /// Checks the entity with this name.
  package mutating func add(entity name: String) {
    files = catalog.files
    check(.entity, name)
  }

  /// Checks a file, the files of a folder, or standard input for `-`, as one set.
  package mutating func add(path: String) { add(files: files(at: path)) }

  /// Checks the files at several paths.
  ///
  /// Folders that define the same name cannot be used together, so each such folder is checked in a
  /// separate workspace, with the files that do not conflict.
  package mutating func add(paths: [String], apart fresh: () throws -> Workspace) rethrows {
    let all = paths.flatMap { files(at: $0) }
    let rivals = FolderRivalry.folders(in: all)
    let shared = all.filter { !rivals.contains($0.folder) }
    add(files: shared)
    for folder in rivals {
      var part = DefinitionCheck(try fresh())
      for file in shared { _ = part.include(file) }
      // Files in a parent folder are available as well.
      for file in all
      where rivals.contains(file.folder) && file.folder != folder
        && (file.folder.isEmpty || folder.hasPrefix(file.folder + "/"))
      {
        _ = part.include(file)
      }
      part.add(files: all.filter { $0.folder == folder })
      found.add(part.found.all)
      files += part.files
      count += part.count
      actions += part.actions
    }
  }

  /// Returns the files at a path; reports those that cannot be read.
  private mutating func files(at path: String) -> [SourceFile] {
    do throws(Diagnostic) {
      guard path != "-", stat.at(path)?.isFolder == true else {
        let bytes = try FileReader.bytes(of: path)
        return [SourceFile(name: path == "-" ? "<stdin>" : path, bytes: bytes)]
      }
      let folder = DefinitionFolder(path: path, followsLinks: true)
      var problems: [Diagnostic] = []
      let contents = try folder.readableFiles { problems.append($0) }
      found.add(problems)
      if contents.isEmpty, problems.isEmpty {
        found.add([Diagnostic("no-documents", "there is no YAML file in \(path)")])
      }
      return contents
    } catch {
      found.add([error])
      return []
    }
  }

  /// Checks files that were read, as one set.
  package mutating func add(files: [SourceFile]) {
    // All names must be known before the first file is checked.
    let added = files.map { include($0) }
    let problems = Dictionary(grouping: catalog.problems.filter { $0.span != nil }) { problem in
      problem.span.map { ObjectIdentifier($0.file) }
    }
    for file in added { check(file, problems[ObjectIdentifier(file)] ?? []) }
  }

  /// Checks a file of the catalog.
  package mutating func add(known file: SourceFile) {
    check(file, catalog.problems.filter { $0.span?.file === file })
  }

  /// Returns the library's copy of a file, after adding it if necessary.
  private mutating func include(_ file: SourceFile) -> SourceFile {
    let path = Folder.resolved(file.name)
    if known == nil {
      known = [:]
      for file in catalog.files {
        if let path = Folder.resolved(file.name) { known?[path] = file }
      }
    }
    if let path, let known = known?[path] { return known }
    let before = catalog.problems.count
    catalog.add(file, to: .file)
    if let path { known?[path] = file }
    found.add(Array(catalog.problems[before...]))
    return file
  }

  /// Checks the definitions of a file and reports problems of its documents.
  private mutating func check(_ file: SourceFile, _ problems: [Diagnostic]) {
    files.append(file)
    found.add(problems)
    let definitions = catalog.definitions(in: file)
    for (kind, name) in definitions where !kind.isWording { check(kind, name) }
    checkWordings(in: file)
    if definitions.isEmpty, problems.isEmpty {
      found.add([
        Diagnostic(
          "no-documents", "there is no document in it", at: Span(file, 0..<0),
          help: "a shortcut begins with `shortcut: its-name`")
      ])
    }
  }

  private mutating func check(_ kind: Definition.Kind, _ name: String) {
    count += 1
    if kind == .entity {
      found.add(workspace.findings(inEntity: name))
      let file = (try? catalog.entity(name))?.name.span.file
      found.add(replaced.all.filter { $0.span?.file === file })
    } else {
      actions.append(name)
      let causes = replaced.problems(of: name)
      // Its own mistakes follow from them.
      if !causes.isEmpty, catalog.isBuiltIn(name) { return found.add(causes) }
      if workspace.context.commandNames.contains(name), !catalog.isBuiltIn(name),
        let span = (try? catalog.action(name))?.name.span
      {
        found.add([
          Diagnostic(
            "W220", "`\(name)` is a command of the program, too", at: span,
            help: "choose another name; as it is, only `errand call \(name)` runs it",
            severity: .warning)
        ])
      }
      var findings = workspace.findings(inAction: name)
      if findings.contains(where: { $0.id == "W206" }), let circle = workspace.circle(of: name) {
        // One mistake makes all members of a cycle recurse; report it once.
        if !endless.insert(circle).inserted { findings.removeAll { $0.id == "W206" } }
      }
      found.add(findings)
      found.add(workspace.mistakes(reachedFrom: name, beyond: &reached))
      found.add(phraseCheck.findings(inAction: name))
    }
  }

  /// Checks the translations and vocabularies of a file.
  private mutating func checkWordings(in file: SourceFile) {
    for (_, layer, definition) in catalog.wordings(in: file) {
      count += 1
      switch definition {
      case .failure(let error): found.add(error.all)
      case .success(.translation(let translation)):
        found.add(TranslationCheck(workspace, translation, layer).findings)
        found.add(
          phraseCheck.findings(
            inAction: translation.name.text, language: translation.language,
            translation.phrases))
      case .success(.vocabulary(let vocabulary)): found.add(PhraseCheck.findings(in: vocabulary))
      case .success: break
      }
    }
  }

  /// Number of the definitions with errors, a file for each that cannot be read.
  package var mistaken: Int {
    let errors = findings.filter { $0.severity == .error }
    let places = errors.map { error -> String in
      guard let span = error.span else { return error.message }
      let document = DocumentSlice.split(span.file).last {
        $0.range.lowerBound <= span.range.lowerBound
      }
      return "\(span.file.name):\(document?.range.lowerBound ?? 0)"
    }
    return Set(places).count
  }

  /// The findings, without those silenced by comments.
  package var findings: [Diagnostic] {
    var result = DistinctDiagnostics()
    result.add(Suppression.applied(in: files, to: found.all))
    return result.sorted
  }

  /// A one-sentence summary.
  package func summary(errors: Int, warnings: Int) -> TerminalText {
    let definitions = count.counted("definition")
    if errors + warnings == 0 { return "\(definitions): nothing found." }
    return
      "\(definitions): \(errors.counted("error")), \(warnings.counted("warning"))."
  }
}
