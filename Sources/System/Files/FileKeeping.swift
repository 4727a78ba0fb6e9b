import Engine
import Glibc
import Inbox
import Program

/// Keeps bytes of files in a folder, each once.
enum FileKeeping {
  /// Copies a file into a folder under its hash; one that lies there already stays.
  @Sendable
  static func keep(_ path: String, _ folder: String?) throws -> KeptFile {
    guard let folder else {
      return KeptFile(bytes: try FileReading.bytes(path, KeptFile.limit), at: path)
    }
    let file = try Descriptor(path, O_RDONLY | O_NONBLOCK)
    let status = try file.status()
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw RunError(.io, "\(path) is not a regular file")
    }
    guard status.st_size <= KeptFile.limit else {
      throw RunError(
        .io, "\(path) has \(status.st_size >> 20) MiB: at most \(KeptFile.limit >> 20) MiB are kept"
      )
    }
    let bytes = try file.readAll(limit: KeptFile.limit)
    let kept = KeptFile(bytes: bytes, at: path)
    let blobs = BlobFolder(path: folder)
    do {
      _ = try blobs.keep { add in try add(bytes) }
    } catch let error as InboxError {
      throw RunError(.io, error.message, help: error.help)
    }
    return KeptFile(
      hash: kept.hash, path: blobs.path(of: kept.hash), size: kept.size, mediaType: kept.mediaType)
  }
}
