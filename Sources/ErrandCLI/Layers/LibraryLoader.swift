import Catalog
import Glibc
import Source

/// Fills the layers of a library from a person's folders (language §1).
struct LibraryLoader {
  let places: Places?
  /// The folder that `--catalog` names.
  let catalogFolder: String?
  /// Says a line to the person.
  let note: (String) -> Void

  /// The library with all layers but the file that `run` is given.
  ///
  /// - Throws: a `Diagnostic` when a folder that was asked for can't be read.
  func load() throws(Diagnostic) -> Library {
    let library = Library()
    if let places {
      add(DefinitionFolder(path: places.config), to: .user, of: library)
      try addProject(places, to: library)
    }
    if let catalogFolder {
      let folder = DefinitionFolder(path: catalogFolder)
      guard access(catalogFolder, R_OK | X_OK) == 0 else {
        throw Diagnostic(
          "unreadable",
          "--catalog: \(catalogFolder) can't be read: \(String(cString: strerror(errno)))")
      }
      for file in try folder.files() { library.add(file, to: .catalog) }
    }
    return library
  }

  /// A file that can't be read hides nothing but itself.
  private func add(_ folder: DefinitionFolder, to layer: Library.Layer, of library: Library) {
    for name in folder.fileNames() {
      let path = folder.path + "/" + name
      do throws(Diagnostic) {
        library.add(SourceFile(name: path, bytes: try FileReader.bytes(of: path)), to: layer)
      } catch {
        note("errand: \(error.message)")
      }
    }
  }

  private func addProject(_ places: Places, to library: Library) throws(Diagnostic) {
    guard let path = Self.projectFolder(above: places.workingFolder),
      path != places.config
    else { return }
    let folder = DefinitionFolder(path: path)
    guard !folder.fileNames().isEmpty else { return }
    let files: [SourceFile]
    do {
      files = try folder.files()
    } catch {
      note("errand: \(error.message)")
      return
    }
    let hash = DefinitionFolder.contentHash(of: files)
    guard TrustFile(path: places.trusted).allows(path, hash: hash) else {
      note(
        "errand: \(path.harmless()) is not trusted and was not loaded; look at it, then run `errand trust`"
      )
      return
    }
    for file in files { library.add(file, to: .project) }
  }

  /// The nearest `.errand` folder at or above a folder.
  static func projectFolder(above folder: String) -> String? {
    var folder = folder[...]
    while true {
      let path = (folder == "/" ? "" : folder) + "/.errand"
      var status = stat()
      if stat(String(path), &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
        return String(path)
      }
      guard let slash = folder.lastIndex(of: "/"), folder != "/" else { return nil }
      folder = slash == folder.startIndex ? "/" : folder[..<slash]
    }
  }
}
