import CLinux
import Engine
import Glibc
import Program

/// A file that is written under another name beside its place, and takes the place at once.
final class DraftFile {
  let path: String
  private let target: String
  private var isPublished = false

  /// Makes an empty draft for a path; it has the rights of what is there.
  ///
  /// - Throws: `RunError` with the code `io` or `not-found`.
  init(beside target: String) throws {
    self.target = target
    let folder = FilePathText.folder(of: target)
    let name = FilePathText.name(of: target)
    guard !name.isEmpty, !target.hasSuffix("/") else {
      throw RunError(.io, "\(target) is a folder")
    }
    var generator = SystemRandomNumberGenerator()
    let mark = String(generator.next() as UInt64, radix: 36)
    path = "\(folder)/.\(name.prefix(100)).\(mark).draft"
    guard access(folder, F_OK) == 0 else {
      throw RunError(
        .notFound, "there is no folder \(folder) for \(name)", help: "make it first: mkdir -p")
    }
    let file: Descriptor
    do {
      file = try Descriptor(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
    } catch let error as RunError {
      // The folder is there, so nothing is missing; and nobody knows of the other name.
      throw error.code == .notFound
        ? RunError(.io, "\(folder) takes no new files, such as \(name)")
        : RunError(error.code, error.message.replacing(path, with: target), remedy: error.remedy)
    }
    var status = stat()
    if stat(target, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFREG else {
        unlink(path)
        throw RunError(
          .io,
          "\(target) is \(status.st_mode & S_IFMT == S_IFDIR ? "a folder" : "not a regular file")")
      }
      fchmod(file.number, status.st_mode & 0o7777)
    }
  }

  deinit {
    if !isPublished { unlink(path) }
  }

  /// Writes all of its content.
  func write(_ bytes: [UInt8]) throws {
    let file = try Descriptor(path, O_WRONLY | O_TRUNC)
    try file.writeAll(bytes)
    try file.sync()
  }

  /// Puts it in its place, on the disk.
  ///
  /// - Throws: `conflict` when something is there that must not be replaced.
  func publish(replacing: Bool) throws {
    let status = replacing ? rename(path, target) : errand_rename_new(path, target)
    guard status == 0 else {
      if errno == EEXIST { throw RunError(.conflict, "\(target) is there already") }
      throw RunError.file(target)
    }
    isPublished = true
    try? Descriptor(FilePathText.folder(of: target), O_RDONLY | O_DIRECTORY).sync()
  }
}
