package import Engine
import Glibc
import Inbox
import Items
import POSIX
import Program

extension FileAccess {
  /// Returns the access to the real file system.
  package static func system(
    environment: @escaping @Sendable (String) -> String?,
    approve: @escaping FileApproval = { _ in }
  ) -> FileAccess {
    FileAccess(
      read: { path, limit in try RunError.wording { try bytes(of: path, limit, approve) } },
      write: { path, bytes, mode in
        try RunError.wording { try write(bytes, to: path, mode, approve) }
      },
      list: FolderListing.entries,
      transfer: { transfer in try RunError.wording { try FileMover(transfer).run() } },
      makeFolder: { path in
        try RunError.wording {
          try makeFolders(path).map { made in
            let place = try FilePathText.absolute(made)
            return try FileMove(.folder, from: place, to: place)
          }
        }
      },
      trash: { path in try RunError.wording { try Trash(environment: environment).put(path) } },
      takeBack: { move in
        try RunError.wording { try MoveReversal(move, Trash(environment: environment)).run() }
      },
      status: FolderListing.entry, ending: { ending(of: $0, approve) },
      canonical: CanonicalPath.text,
      approved: { system(environment: environment, approve: $0) },
      keep: { bytes, path, folder in
        try RunError.wording { try keep(bytes, at: path, in: folder) }
      })
  }

  /// Reads the first line and the last byte of a regular file.
  private static func ending(of path: String, _ approve: FileApproval) -> FileEnding? {
    guard let file = try? Descriptor(path, O_RDONLY | O_NONBLOCK),
      (try? approve(CanonicalPath.ofOpen(file.number) ?? path)) != nil,
      let status = try? file.status(),
      status.st_mode & S_IFMT == S_IFREG, status.st_size > 0
    else { return nil }
    var head = [UInt8](repeating: 0, count: min(Int(status.st_size), FileEnding.longestLine))
    var last: UInt8 = 0
    guard pread(file.number, &head, head.count, 0) == head.count,
      pread(file.number, &last, 1, status.st_size - 1) == 1
    else { return nil }
    return FileEnding(head: head, last: last)
  }

  /// Reads a regular file without blocking on a pipe or a device.
  private static func bytes(
    of path: String, _ limit: Int, _ approve: FileApproval
  ) throws -> [UInt8] {
    let file = try Descriptor(path, O_RDONLY | O_NONBLOCK)
    try approve(CanonicalPath.ofOpen(file.number) ?? path)
    let status = try file.status()
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw RunError(.io, "\(path) is \(status.kindName)")
    }
    guard let bytes = try file.bytes(limit: limit) else {
      throw RunError(.io, "\(path) is larger than \(limit >> 20) MiB")
    }
    return bytes
  }

  private static func write(
    _ bytes: [UInt8], to path: String, _ mode: WriteMode, _ approve: FileApproval
  ) throws {
    switch mode {
    case .append:
      guard access(FilePathText.folder(of: path), F_OK) == 0 else {
        throw RunError.missingFolder(of: path)
      }
      let file = try Descriptor(path, O_WRONLY | O_APPEND | O_CREAT, mode: 0o666)
      try approve(CanonicalPath.ofOpen(file.number) ?? path)
      try file.write(bytes)
      try file.sync()
    case .replace, .create:
      let sink = try FileSink(path, throughLink: mode == .replace)
      try approve(sink.place)
      try sink.write(bytes)
      try sink.publish(replacing: mode == .replace)
    }
  }

  /// Creates the missing folders of a path and returns them, outermost first.
  static func makeFolders(_ path: String) throws -> [String] {
    var status = stat()
    var existing = path
    while stat(existing, &status) != 0, errno == ENOENT || errno == ENOTDIR {
      let parent = FilePathText.folder(of: existing)
      if parent == existing { break }
      existing = parent
    }
    if existing == path, status.isFolder { return [] }
    if status.st_mode != 0, !status.isFolder { throw RunError(.io, "\(existing) is a file") }
    return try Folder.make(path, mode: 0o777)
  }

  /// Writes bytes into a content-addressed folder, unless they are already there.
  private static func keep(
    _ bytes: [UInt8], at path: String, in folder: String?
  ) throws -> KeptFile {
    var kept = KeptFile(bytes: bytes, at: path)
    guard let folder else { return kept }
    let blobs = BlobFolder(path: folder)
    do {
      _ = try blobs.keep { add in try add(bytes) }
    } catch let error as InboxError {
      throw RunError(.io, error.message, help: error.help)
    }
    kept.path = blobs.path(of: kept.hash)
    return kept
  }
}
