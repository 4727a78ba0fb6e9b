import Glibc
import Links
package import Source
import YAML

/// A folder of YAML files with definitions.
package struct DefinitionFolder {
  package let path: String
  /// Whether links to files are read: in a folder that a person made, and in none that came.
  package let followsLinks: Bool

  /// The folder at a path.
  package init(path: String, followsLinks: Bool) {
    self.path = path
    self.followsLinks = followsLinks
  }

  /// What a folder holds, with what it is trusted by.
  package struct Content {
    /// The files by their paths, in order.
    package let files: [SourceFile]
    /// A hash of all names and contents, by which a changed folder is known.
    package let hash: String
    /// Why others than the person may have written, or may write, what is in it.
    package let concerns: FolderConcerns
  }

  /// Whether there is a YAML file in it at all; nothing is read.
  ///
  /// - Throws: `folder-too-large` when there is none among as many entries as are looked at.
  package func hasFiles() throws(Diagnostic) -> Bool {
    var isFound = false
    var walk = FolderWalk(path, followsLinks: followsLinks)
    try walk.visitFiles { _ in
      isFound = true
      return false
    }
    return isFound
  }

  /// The files that can be read, in order of their names; `failed` hears of the others.
  ///
  /// - Throws: `folder-too-large`.
  package func readableFiles(failed: (Diagnostic) -> Void) throws(Diagnostic) -> [SourceFile] {
    var files: [SourceFile] = []
    try visit { (name, bytes) throws(Diagnostic) in
      switch bytes {
      case .success(let bytes): files.append(SourceFile(name: name, bytes: bytes))
      case .failure(let error): failed(error)
      }
    }
    return files.sorted { $0.name < $1.name }
  }

  /// All of it, hashed while it is read.
  ///
  /// - Throws: `folder-too-large`, or `unreadable` for a file that can't be read.
  package func content() throws(Diagnostic) -> Content {
    var files: [(file: SourceFile, hash: String)] = []
    var concerns = FolderConcerns(ofFolder: path)
    var current = SHA256.Stream()
    try visit {
      concerns.add($0)
    } each: {
      current.add($0)
    } body: {
      (name, bytes) throws(Diagnostic) in
      let file = SourceFile(name: name, bytes: try bytes.get())
      files.append((file, current.finish().hexadecimal))
      current = SHA256.Stream()
    }
    files.sort { $0.file.name < $1.file.name }
    var whole = SHA256.Stream()
    for (file, hash) in files {
      // The length keeps one name's end from being taken as another's beginning.
      whole.add(Array("\(file.name.utf8.count) \(file.name) \(hash)\n".utf8))
    }
    return Content(
      files: files.map(\.file), hash: whole.finish().hexadecimal, concerns: concerns)
  }

  /// Reads every file, within the limit for all of them together.
  private func visit(
    seen: (stat) -> Void = { _ in }, each: (([UInt8]) -> Void)? = nil,
    body: (String, Result<[UInt8], Diagnostic>) throws(Diagnostic) -> Void
  ) throws(Diagnostic) {
    let limits = FolderWalk.Limits()
    let place = path.hasSuffix("/") ? path : path + "/"
    var room = limits.bytes
    var walk = FolderWalk(path, followsLinks: followsLinks, limits: limits)
    let tooLarge = walk.tooLarge("more than \(limits.bytes >> 20) MiB of YAML files")
    try walk.visitFiles { (file) throws(Diagnostic) in
      seen(file.status)
      room -= min(Int(file.status.st_size), Limits.standard.bytes)
      guard room >= 0 else { throw tooLarge }
      try body(place + file.name, Self.bytes(of: file, named: place + file.name, each))
      return true
    }
  }

  private static func bytes(
    of file: FolderWalk.File, named name: String, _ each: (([UInt8]) -> Void)?
  ) -> Result<[UInt8], Diagnostic> {
    switch file.descriptor {
    case .failure(let error): return .failure(FileReader.failure(name, error.code))
    case .success(let descriptor):
      // No more than it had when it was counted, however fast it grows.
      let limit = min(Int(file.status.st_size), Limits.standard.bytes)
      do throws(Diagnostic) {
        return .success(
          try FileReader.bytes(from: descriptor, named: name, limit: limit, each: each))
      } catch {
        return .failure(error)
      }
    }
  }
}
