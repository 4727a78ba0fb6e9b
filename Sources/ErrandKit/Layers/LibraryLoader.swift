package import Catalog
import Glibc
package import Source

/// Fills the layers of a library from a person's folders (language §1).
package struct LibraryLoader {
  package let places: Places?
  /// The folder that `--catalog` names.
  package let catalogFolder: String?
  /// The texts of files that are edited, by their paths, which count for what is on the disk.
  private let texts: [String: [UInt8]]
  /// Says a line to the person.
  package let note: (TerminalText) -> Void

  /// A loader for a person's places and the folder of `--catalog`.
  package init(
    places: Places?, catalogFolder: String?, texts: [String: [UInt8]] = [:],
    note: @escaping (TerminalText) -> Void
  ) {
    self.texts = texts
    self.places = places
    self.catalogFolder = catalogFolder
    self.note = note
  }

  /// The library with all layers but the file that `run` is given.
  ///
  /// - Throws: a `Diagnostic` when a folder that was asked for can't be read.
  package func load() throws(Diagnostic) -> Library {
    let library = Library()
    if let places {
      let own = DefinitionFolder(path: places.config, followsLinks: true)
      do throws(Diagnostic) {
        // A file that can't be read hides nothing but itself.
        for file in try own.readableFiles(failed: { note("errand: \($0.message)") })
        where file.name != places.settings {
          library.add(edited(file), to: .user)
        }
      } catch {
        note("errand: \(error.message)")
      }
      addProject(places, to: library)
    }
    if let catalogFolder {
      let folder = DefinitionFolder(path: catalogFolder, followsLinks: true)
      guard access(catalogFolder, R_OK | X_OK) == 0 else {
        throw Diagnostic(
          "unreadable",
          "--catalog: \(catalogFolder) can't be read: \(String(cString: strerror(errno)))")
      }
      for file in try folder.content().files { library.add(edited(file), to: .catalog) }
    }
    return library
  }

  /// A file with the text that is edited, if it is.
  private func edited(_ file: SourceFile) -> SourceFile {
    texts[file.name].map { SourceFile(name: file.name, bytes: $0) } ?? file
  }

  /// The person's own definitions, with those of a project that is just being trusted.
  package func library(ofProject files: [SourceFile]) -> Library {
    let library = Library()
    if let places {
      let own = DefinitionFolder(path: places.config, followsLinks: true)
      for file in (try? own.readableFiles(failed: { _ in })) ?? [] { library.add(file, to: .user) }
    }
    for file in files { library.add(file, to: .project) }
    return library
  }

  /// Adds the definitions of a project that is trusted; of another nothing is even read.
  private func addProject(_ places: Places, to library: Library) {
    guard let path = Self.projectFolder(above: places.workingFolder), path != places.config
    else { return }
    let folder = DefinitionFolder(path: path, followsLinks: false)
    do throws(Diagnostic) {
      let file = TrustFile(path: places.trusted)
      guard let trust = file.trust(of: path) ?? (file.isFollowed(path) ? .anything : nil) else {
        if try folder.hasFiles() { refuse(path, "is not trusted") }
        return
      }
      let content = try folder.content()
      guard trust == .anything || trust == .content(content.hash) else {
        return refuse(path, "has changed since you trusted it")
      }
      for file in content.files { library.add(edited(file), to: .project) }
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

  /// The nearest `.errand` folder at or above a folder.
  package static func projectFolder(above folder: String) -> String? {
    var folder = folder[...]
    while true {
      let path = String(folder == "/" ? "" : folder) + "/.errand"
      var status = stat()
      // A link could lead anywhere: it is no folder here.
      if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
        return path
      }
      guard let slash = folder.lastIndex(of: "/"), folder != "/" else { return nil }
      folder = slash == folder.startIndex ? "/" : folder[..<slash]
    }
  }
}
