import Catalog
package import Engine
import Glibc
package import Source

/// Checks the definitions of files, folders or everything in reach.
package struct DefinitionCheck {
  private let workspace: Workspace
  private var found = DistinctDiagnostics()
  private var files: [SourceFile] = []
  private var count = 0
  /// The files in reach by their paths without links; nil until one is looked for.
  private var known: [String: SourceFile]?
  /// The circles of intents and shortcuts that were found to run themselves without an end.
  private var endless: Set<Int> = []
  /// What was checked with what calls it or deals with it.
  private var reached = Workspace.Reached()
  /// The intents and shortcuts that were checked, in their order.
  package private(set) var actions: [String] = []

  /// A check of definitions in a workspace that looks for doubtful things, too.
  package init(_ workspace: Workspace) {
    self.workspace = workspace
  }

  private var library: Library { workspace.library }

  /// Checks everything in reach, what came with the program included.
  package mutating func addAll() {
    files = library.files
    found.add(library.problems)
    for name in library.entityNames { check(.entity, name) }
    for name in library.actionNames { check(.shortcut, name) }
  }

  /// Checks the intent or the shortcut of a name.
  package mutating func add(action name: String) {
    files = library.files
    check(.shortcut, name)
  }

  /// Checks a file, the files of a folder, or standard input for `-`, all together.
  package mutating func add(path: String) { add(files: files(at: path)) }

  /// Checks what several paths name.
  ///
  /// Folders that define a name twice are not meant to be used together: each of them is checked in
  /// a workspace of its own, with the files that are in nobody's way.
  package mutating func add(paths: [String], apart fresh: () throws -> Workspace) rethrows {
    let all = paths.flatMap { files(at: $0) }
    let rivals = FolderRivalry.folders(in: all)
    let shared = all.filter { !rivals.contains($0.folder) }
    add(files: shared)
    for folder in rivals {
      var part = DefinitionCheck(try fresh())
      for file in shared { _ = part.include(file) }
      // What lies in a folder above is in reach as well.
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

  /// The files of a path; what can't be read is reported.
  private mutating func files(at path: String) -> [SourceFile] {
    var status = stat()
    do throws(Diagnostic) {
      guard path != "-", stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
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

  /// Checks files that were read, all together.
  package mutating func add(files: [SourceFile]) {
    // All names are known before the first file is checked.
    let added = files.map { include($0) }
    let problems = Dictionary(grouping: library.problems.filter { $0.span != nil }) { problem in
      problem.span.map { ObjectIdentifier($0.file) }
    }
    for file in added { check(file, problems[ObjectIdentifier(file)] ?? []) }
  }

  /// The file as the library has it; adds it when it is not in reach already.
  private mutating func include(_ file: SourceFile) -> SourceFile {
    let path = Self.realPath(of: file.name)
    if known == nil {
      known = [:]
      for file in library.files {
        if let path = Self.realPath(of: file.name) { known?[path] = file }
      }
    }
    if let path, let known = known?[path] { return known }
    let before = library.problems.count
    library.add(file, to: .file)
    if let path { known?[path] = file }
    found.add(Array(library.problems[before...]))
    return file
  }

  /// Checks the definitions of a file, whose documents have some problems of their own.
  private mutating func check(_ file: SourceFile, _ problems: [Diagnostic]) {
    files.append(file)
    found.add(problems)
    let definitions = library.definitions(in: file)
    for (kind, name) in definitions { check(kind, name) }
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
    } else {
      actions.append(name)
      var findings = workspace.findings(inAction: name)
      if findings.contains(where: { $0.id == "W206" }), let circle = workspace.circle(of: name) {
        // Those that run each other do so by one mistake.
        if !endless.insert(circle).inserted { findings.removeAll { $0.id == "W206" } }
      }
      found.add(findings)
      found.add(workspace.mistakes(reachedFrom: name, beyond: &reached))
    }
  }

  private static func realPath(of path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// What was found, but for what comments silence.
  package var findings: [Diagnostic] {
    var result = DistinctDiagnostics()
    result.add(Suppression.applied(in: files, to: found.all))
    return result.sorted
  }

  /// What was done and found, in a sentence.
  package func summary(errors: Int, warnings: Int) -> TerminalText {
    let definitions = count.counted("definition")
    if errors + warnings == 0 { return "\(definitions): nothing found." }
    return
      "\(definitions): \(errors.counted("error")), \(warnings.counted("warning"))."
  }
}
