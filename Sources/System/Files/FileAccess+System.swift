import CEL
import CLinux
package import Engine
import Glibc
import Program

extension FileAccess {
  /// The files of this machine.
  package static func system(environment: @escaping @Sendable (String) -> String?) -> FileAccess {
    FileAccess(
      read: FileReading.bytes, write: FileWriting.write, list: FolderListing.entries,
      transfer: { try FileMover($0).run() },
      trash: { try Trash(environment: environment).put($0) },
      takeBack: { try MoveReversal($0, Trash(environment: environment)).run() },
      status: FolderListing.entry, canonical: CanonicalPath.text, keep: FileKeeping.keep)
  }
}

/// Reads files whole.
enum FileReading {
  /// The bytes of a regular file; nothing waits for a pipe or a device.
  @Sendable
  static func bytes(_ path: String, _ limit: Int) throws -> [UInt8] {
    let file = try Descriptor(path, O_RDONLY | O_NONBLOCK)
    let kind = try file.status().st_mode & S_IFMT
    guard kind == S_IFREG else {
      throw RunError(.io, "\(path) is \(kind == S_IFDIR ? "a folder" : "not a regular file")")
    }
    return try file.readAll(limit: limit)
  }
}

/// Writes files so that nobody ever sees half of one.
enum FileWriting {
  @Sendable
  static func write(_ path: String, _ bytes: [UInt8], _ mode: FileAccess.WriteMode) throws {
    switch mode {
    case .append:
      let file = try Descriptor(path, O_WRONLY | O_APPEND | O_CREAT)
      try file.writeAll(bytes)
      try file.sync()
    case .replace, .create:
      // What a link leads to is written, and the link stays.
      let target = mode == .replace ? Self.target(of: path) : path
      let draft = try DraftFile(beside: target)
      try draft.write(bytes)
      try draft.publish(replacing: mode == .replace)
    }
  }

  /// The file that a path leads to in the end.
  static func target(of path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
