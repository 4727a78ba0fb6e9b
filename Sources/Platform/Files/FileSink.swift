import Engine
import Glibc
import POSIX
import Program

/// A file written under a temporary name and moved into place when complete.
package final class FileSink {
  private let temporary: TemporaryFile
  private let target: String

  /// Creates the temporary file for a path; it gets the permissions of an existing file.
  ///
  /// - Parameter throughLink: Whether a symbolic link is followed and kept, rather than replaced.
  /// - Throws: `RunError` with the code `io` or `not-found`.
  package init(_ path: String, throughLink: Bool = true) throws {
    target = throughLink ? CanonicalPath.resolved(path) ?? path : path
    let folder = FilePathText.folder(of: target)
    let name = FilePathText.name(of: target)
    guard !name.isEmpty, !target.hasSuffix("/") else {
      throw RunError(.io, "\(target) is a folder", help: "name a file in it")
    }
    guard access(folder, F_OK) == 0 else {
      throw RunError.missingFolder(of: target)
    }
    let mark = String(UInt64.random(in: .min ... .max), radix: 36)
    do {
      temporary = try TemporaryFile("\(folder)/.\(name.prefix(100)).\(mark).draft", mode: 0o666)
    } catch {
      // The folder exists, so the error is about creating a file; the temporary name is not shown.
      throw error.code == ENOENT || error.code == ENOTDIR
        ? RunError(.io, "cannot create \(name) in \(folder)")
        : RunError.file(target, error.code)
    }
    var status = stat()
    guard stat(target, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw RunError(.io, "\(target) is \(status.kindName)")
    }
    fchmod(descriptor, status.st_mode & 0o7777)
  }

  /// The real path that the file will have.
  var place: String {
    guard let draft = CanonicalPath.ofOpen(descriptor) else { return target }
    return FilePathText.folder(of: draft) + "/" + FilePathText.name(of: target)
  }

  /// The descriptor of the temporary file.
  var descriptor: Int32 { temporary.file.number }

  /// Appends bytes.
  package func write(_ bytes: [UInt8]) throws {
    do { try temporary.file.write(bytes) } catch { throw RunError.file(target, error.code) }
  }

  /// Appends the content of another file, and copies its permissions and times.
  func write(copyOf source: Descriptor, _ status: stat) throws {
    do { try temporary.file.write(contentOf: source.number) } catch {
      throw RunError.file(target, error.code)
    }
    fchmod(descriptor, status.st_mode & 0o777)
    futimens(descriptor, [status.st_atim, status.st_mtim])
  }

  /// Syncs the file and moves it into place.
  ///
  /// - Throws: `conflict` if the target exists and must not be replaced.
  package func publish(replacing: Bool = true) throws {
    do {
      try temporary.publish(as: target, replacing: replacing)
    } catch {
      throw error.code == EEXIST ? RunError.taken(target) : RunError.file(target, error.code)
    }
    Folder.sync(FilePathText.folder(of: target))
  }
}

extension RunError {
  /// Returns the error for a path that already exists.
  static func taken(_ path: String, help: String? = nil) -> RunError {
    RunError(.conflict, "\(path) already exists", help: help)
  }
}

extension stat {
  /// The words for a file that is not regular.
  var kindName: String { st_mode & S_IFMT == S_IFDIR ? "a folder" : "not a regular file" }
}
