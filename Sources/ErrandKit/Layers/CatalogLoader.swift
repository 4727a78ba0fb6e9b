package import Catalog
import Engine
import Glibc
import POSIX
package import Source

/// Loads the layers of a library from a person's folders (language §1).
package struct CatalogLoader {
  package let places: Places?
  /// The folder given by `--catalog`.
  package let catalogFolder: String?
  /// Unsaved texts of files by path, which replace the contents on disk.
  private let texts: [String: [UInt8]]
  /// Shows a line to the person.
  package let note: (TerminalText) -> Void

  /// Creates a loader for a person's locations and the `--catalog` folder.
  package init(
    places: Places?, catalogFolder: String?, texts: [String: [UInt8]] = [:],
    note: @escaping (TerminalText) -> Void
  ) {
    self.texts = texts
    self.places = places
    self.catalogFolder = catalogFolder
    self.note = note
  }

  /// Loads all layers except the file given to `run`.
  ///
  /// - Throws: A `Diagnostic` if a folder given explicitly cannot be read.
  package func load() throws(Diagnostic) -> DefinitionCatalog {
    let catalog = DefinitionCatalog()
    addOwn(to: catalog)
    if let places { addProject(places, to: catalog) }
    if let catalogFolder {
      let folder = DefinitionFolder(path: catalogFolder, followsLinks: true)
      guard access(catalogFolder, R_OK | X_OK) == 0 else {
        throw Diagnostic(
          "unreadable",
          "--catalog: \(catalogFolder) cannot be read: \(String(cString: strerror(errno)))")
      }
      for file in try folder.content().files { catalog.add(edited(file), to: .catalog) }
    }
    return catalog
  }

  /// Adds the person's own definitions; an unreadable file is reported and skipped.
  private func addOwn(to catalog: DefinitionCatalog) {
    guard let places else { return }
    let own = DefinitionFolder(path: places.config, followsLinks: true)
    do throws(Diagnostic) {
      for file in try own.readableFiles(failed: { note("errand: \($0.message)") })
      where file.name != places.settings {
        catalog.add(edited(file), to: .user)
      }
    } catch {
      note("errand: \(error.message)")
    }
  }

  /// The file, with its unsaved text if there is one.
  private func edited(_ file: SourceFile) -> SourceFile {
    texts[file.name].map { SourceFile(name: file.name, bytes: $0) } ?? file
  }

  /// The person's own definitions, with those of a project that is being trusted.
  package func catalog(ofProject files: [SourceFile]) -> DefinitionCatalog {
    let catalog = DefinitionCatalog()
    addOwn(to: catalog)
    for file in files { catalog.add(file, to: .project) }
    return catalog
  }

  /// Adds the definitions of a trusted project; files of any other project are not read.
  private func addProject(_ places: Places, to catalog: DefinitionCatalog) {
    guard let path = Self.projectFolder(above: places.workingFolder), path != places.config
    else { return }
    let folder = DefinitionFolder(path: path, followsLinks: false)
    do throws(Diagnostic) {
      let file = TrustFile(path: places.trusted)
      guard let trust = file.trust(of: path) else {
        if try folder.hasFiles() { refuse(path, "is not trusted") }
        return
      }
      let content = try folder.content()
      guard trust == .anything || trust == .content(content.hash) else {
        return refuse(path, "has changed since you trusted it")
      }
      for file in content.files { catalog.add(edited(file), to: .project) }
    } catch {
      note("errand: \(error.message)")
    }
  }

  private func refuse(_ path: String, _ reason: String) {
    let concerns = FolderConcerns(ofFolder: path).text.map { "; it \($0)" } ?? ""
    note(
      "errand: \(path) \(reason) and was not loaded\(concerns); look at it, then run "
        + "`errand trust`")
  }

  /// Returns the nearest `.errand` folder at or above a folder.
  package static func projectFolder(above folder: String) -> String? {
    var folder = folder[...]
    while true {
      let path = String(folder == "/" ? "" : folder) + "/.errand"
      // A symbolic link could lead anywhere and is ignored.
      if stat.at(path, followsLinks: false)?.isFolder == true { return path }
      guard let slash = folder.lastIndex(of: "/"), folder != "/" else { return nil }
      folder = slash == folder.startIndex ? "/" : folder[..<slash]
    }
  }
}
