package import Catalog
package import Engine
import Glibc
import POSIX
package import Program
package import Source

/// The catalog with the unsaved texts of an editor, checked on each keystroke.
///
/// Parsed definitions of other files are shared between edits. Not thread-safe.
package final class EditedDefinitions {
  /// An open text.
  private struct Text {
    var file: SourceFile
    /// Whether it replaces a file of the catalog.
    var isInReach: Bool
  }

  /// A text with the catalog and workspace it is checked in.
  package struct View {
    /// The file in the catalog.
    package let file: SourceFile
    /// All definitions, including its own.
    package let catalog: DefinitionCatalog
    /// A workspace that reports warnings.
    package let workspace: Workspace
  }

  private let errand: Errand
  /// Workspace folders of the editor, whose files may call each other.
  private let folders: [String]
  /// The catalog with all open texts that replace its files.
  private var base = DefinitionCatalog(.none)
  /// Files of the catalog by resolved path.
  private var known: [String: SourceFile] = [:]
  private var texts: [String: Text] = [:]
  private var views: [String: View] = [:]
  /// Checked expressions; valid until an entity changes.
  private var memory = ExpressionMemory()
  /// Problems with files and folders, for display.
  package private(set) var notes: [String] = []

  /// Loads the catalog of a person and the files of an editor's workspace folders.
  package init(_ errand: Errand, folders: [String]) {
    self.errand = errand
    self.folders = folders
    reload()
  }

  /// Reloads all files from disk.
  package func reload() {
    do throws(ErrandError) {
      try errand.reload()
      notes = errand.problems.filter { $0.place == nil }.map(\.message)
    } catch {
      notes = [error.message]
    }
    base = errand.catalogCopy
    known = [:]
    for file in base.files { known[Self.key(file.name)] = file }
    addFolders()
    memory = ExpressionMemory()
    for (path, text) in texts.sorted(by: { $0.key < $1.key }) {
      texts[path]?.isInReach = false
      set(path, text.file)
    }
    views = [:]
  }

  /// Adds the files with definitions in the editor's folders, except folders that define the same
  /// name and are not meant to be used together.
  private func addFolders() {
    var files: [SourceFile] = []
    for path in folders {
      let folder = DefinitionFolder(path: path, followsLinks: false)
      guard let found = try? folder.readableFiles(failed: { _ in }) else { continue }
      for file in found
      where known[Self.key(file.name)] == nil && !DefinitionCatalog().add(file, to: .file).isEmpty {
        known[Self.key(file.name)] = file
        files.append(file)
      }
    }
    let rivals = Set(FolderRivalry.folders(in: files))
    for file in files {
      if rivals.contains(file.folder) {
        known[Self.key(file.name)] = nil
      } else {
        base.add(file, to: .file)
      }
    }
  }

  private static func key(_ path: String) -> String { Folder.resolved(path) ?? path }

  // MARK: Texts

  /// Sets the text of a path.
  package func edit(_ path: String, _ bytes: [UInt8]) {
    set(path, SourceFile(name: path, bytes: bytes))
  }

  private func set(_ path: String, _ file: SourceFile) {
    let old = texts[path].flatMap { $0.isInReach ? $0.file : nil } ?? known[Self.key(path)]
    if let old {
      let hadEntities = base.definesEntity(in: old)
      base = base.replacing(old, with: file)
      views = [:]
      if hadEntities || base.definesEntity(in: file) { memory = ExpressionMemory() }
    }
    texts[path] = Text(file: file, isInReach: old != nil)
    views[path] = nil
  }

  /// Drops the text of a path; the file on disk counts again.
  package func close(_ path: String) {
    guard let text = texts.removeValue(forKey: path) else { return }
    views[path] = nil
    if text.isInReach { reload() }
  }

  /// The view of an open text; nil if it is not open.
  ///
  /// - Complexity: O(definitions) after an edit, then O(1).
  package func view(of path: String) -> View? {
    if let view = views[path] { return view }
    guard let text = texts[path] else { return nil }
    let view = view(of: text.file, insteadOf: nil, isInReach: text.isInReach)
    views[path] = view
    return view
  }

  /// A view of an open text with other bytes, which are not kept.
  package func view(of path: String, trying bytes: [UInt8]) -> View? {
    guard let text = texts[path] else { return nil }
    let file = SourceFile(name: path, bytes: bytes)
    return view(of: file, insteadOf: text.file, isInReach: text.isInReach)
  }

  private func view(of file: SourceFile, insteadOf old: SourceFile?, isInReach: Bool) -> View {
    let catalog: DefinitionCatalog
    if isInReach {
      catalog = old.map { base.replacing($0, with: file) } ?? base
    } else {
      catalog = base.replacing(nil, with: file)
    }
    let workspace = errand.checkingWorkspace(catalog, checksBuiltIns: false)
    if !catalog.definesEntity(in: file) { workspace.context.memory = memory }
    return View(file: file, catalog: catalog, workspace: workspace)
  }

  /// The first error introduced by new bytes for some files; nil if there is none.
  ///
  /// - Complexity: O(bytes of the files and of all that they call).
  package func newMistake(
    in view: View, replacing texts: [(old: SourceFile, bytes: [UInt8])]
  ) -> Diagnostic? {
    var catalog = view.catalog
    var files: [(old: SourceFile, new: SourceFile)] = []
    for (old, bytes) in texts {
      let new = SourceFile(name: old.name, bytes: bytes)
      catalog = catalog.replacing(old, with: new)
      files.append((old, new))
    }
    let workspace = errand.checkingWorkspace(catalog, checksBuiltIns: false)
    for (old, new) in files {
      let before = View(file: old, catalog: view.catalog, workspace: view.workspace).errors
      let after = View(file: new, catalog: catalog, workspace: workspace).errors
      if after.count > before.count {
        return after.first { error in !before.contains { $0.id == error.id } } ?? after.last
      }
    }
    return nil
  }

  /// The path of a read-only copy of a built-in file, for display; nil if it cannot be written.
  package func copy(ofBuiltIn file: SourceFile) -> String? {
    guard file.isBuiltIn, let state = errand.places?.state else { return nil }
    let path = state + "/built-in/" + file.name
    if let bytes = try? FileReader.bytes(of: path), bytes == file.bytes { return path }
    do throws(SystemError) {
      try Folder.make(Folder.parent(of: path))
      let copy = try TemporaryFile("\(path).\(getpid())", mode: 0o400)
      try copy.file.write(file.bytes)
      try copy.publish(as: path, isSynced: false)
      return path
    } catch {
      return nil
    }
  }

  /// A view of no text in particular.
  package var anyView: View {
    View(
      file: SourceFile(name: "", bytes: []), catalog: base,
      workspace: errand.checkingWorkspace(base, checksBuiltIns: false))
  }

  /// All files but built-in ones, open texts first.
  package var files: [SourceFile] {
    let edited = texts.values.map(\.file).sorted { $0.name < $1.name }
    return edited + base.files.filter { file in !edited.contains { $0 === file } }
  }
}

extension DefinitionCatalog {
  /// Whether a file defines an entity.
  fileprivate func definesEntity(in file: SourceFile) -> Bool {
    definitions(in: file).contains { $0.kind == .entity }
  }
}

extension EditedDefinitions.View {
  /// Errors and warnings in the text, as in `errand check`; without those in other files.
  package var findings: [Diagnostic] {
    var check = DefinitionCheck(workspace)
    check.add(known: file)
    return check.findings.filter { $0.span?.file === file }
  }

  /// The definitions, verbs and functions with which its texts are compiled.
  package var context: CompilationContext { workspace.context }

  fileprivate var errors: [Diagnostic] { findings.filter { $0.severity == .error } }
}
