import Engine
import Glibc
import POSIX
import Program

/// A file that is written piece by piece beside its place, and takes the place when all of it is there.
package final class FileSink {
  private let draft: DraftFile
  private let target: String

  /// Begins the file of a path; nothing is seen of it yet. It has the rights of what is there.
  ///
  /// - Parameter throughLink: Whether what a link leads to is written, and the link stays.
  /// - Throws: `RunError` with the code `io` or `not-found`.
  package init(_ path: String, throughLink: Bool = true) throws {
    target = throughLink ? Self.target(of: path) : path
    let folder = FilePathText.folder(of: target)
    let name = FilePathText.name(of: target)
    guard !name.isEmpty, !target.hasSuffix("/") else {
      throw RunError(.io, "\(target) is a folder")
    }
    guard access(folder, F_OK) == 0 else {
      throw RunError(
        .notFound, "there is no folder \(folder) for \(name)", help: "make it first: mkdir -p")
    }
    let mark = String(UInt64.random(in: .min ... .max), radix: 36)
    do {
      draft = try DraftFile("\(folder)/.\(name.prefix(100)).\(mark).draft", mode: 0o666)
    } catch {
      // The folder is there, so nothing is missing; and nobody knows of the other name.
      throw error.code == ENOENT || error.code == ENOTDIR
        ? RunError(.io, "\(folder) takes no new files, such as \(name)")
        : RunError.file(target, error.code)
    }
    var status = stat()
    guard stat(target, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw RunError(.io, "\(target) is \(status.kindName)")
    }
    fchmod(descriptor, status.st_mode & 0o7777)
  }

  /// The file that a path leads to in the end.
  private static func target(of path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// What is written to.
  var descriptor: Int32 { draft.file.number }

  /// Adds bytes at the end.
  package func write(_ bytes: [UInt8]) throws {
    do { try draft.file.write(bytes) } catch { throw RunError.file(target, error.code) }
  }

  /// Adds what another file holds, with its rights and times.
  func write(copyOf source: Descriptor, _ status: stat) throws {
    do { try draft.file.write(contentOf: source.number) } catch {
      throw RunError.file(target, error.code)
    }
    fchmod(descriptor, status.st_mode & 0o777)
    futimens(descriptor, [status.st_atim, status.st_mtim])
  }

  /// Puts it in its place, on the disk.
  ///
  /// - Throws: `conflict` when something is there that must not be replaced.
  package func publish(replacing: Bool = true) throws {
    do {
      try draft.publish(as: target, replacing: replacing)
    } catch {
      throw error.code == EEXIST ? RunError.taken(target) : RunError.file(target, error.code)
    }
    Folder.sync(FilePathText.folder(of: target))
  }
}

extension RunError {
  /// What is said of a place that is not free.
  static func taken(_ path: String, help: String? = nil) -> RunError {
    RunError(.conflict, "\(path) is there already", help: help)
  }
}

extension stat {
  /// What that is which is not a regular file, in words.
  var kindName: String { st_mode & S_IFMT == S_IFDIR ? "a folder" : "not a regular file" }
}
