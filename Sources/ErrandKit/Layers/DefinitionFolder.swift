import Glibc
import Links
import POSIX
package import Source
import YAML

/// A folder of YAML definition files.
package struct DefinitionFolder {
  package let path: String
  /// Whether symbolic links to files are followed: only in folders that the person created.
  package let followsLinks: Bool

  /// Creates a value for a path.
  package init(path: String, followsLinks: Bool) {
    self.path = path
    self.followsLinks = followsLinks
  }

  /// The content of a folder and its hash for trust decisions.
  package struct Content {
    /// The files, sorted by path.
    package let files: [SourceFile]
    /// A hash of all names and contents.
    package let hash: String
    /// The reasons other users may have written, or could write, the content.
    package let concerns: FolderConcerns
  }

  /// Whether the folder contains a YAML file; no file is read.
  ///
  /// - Throws: `folder-too-large` if none is found within the entry limit.
  package func hasFiles() throws(Diagnostic) -> Bool {
    var isFound = false
    var walk = FolderWalk(path, followsLinks: followsLinks)
    try walk.visitFiles { _ in
      isFound = true
      return false
    }
    return isFound
  }

  /// Returns the readable files sorted by name; `failed` receives an error for each unreadable
  /// file.
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

  /// Reads all files and hashes them.
  ///
  /// - Throws: `folder-too-large`, or `unreadable` if any file cannot be read.
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
      // The length prefix makes the concatenation unambiguous.
      whole.add(Array("\(file.name.utf8.count) \(file.name) \(hash)\n".utf8))
    }
    return Content(files: files.map(\.file), hash: whole.finish().hexadecimal, concerns: concerns)
  }

  /// Reads all files, within the limit for their total size.
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
      // Never more than the size counted above, in case the file grows.
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
