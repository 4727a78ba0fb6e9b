import Glibc
import POSIX

/// Reports possible changes of the store, using `inotify(7)` on its folder.
///
/// SQLite writes commits to the log (`-wal`) and checkpoints it at times; either file may be
/// created, deleted or replaced by a backup. So the folder is watched, and names are compared.
package final class StoreWatch {
  /// The poll interval: changes made by other machines on a shared disk cause no
  /// events.
  package static let patience = Duration.seconds(2)

  /// Readable when there are events.
  package let descriptor: Int32
  private let name: String

  /// Watches the file at a path; nil where the system does not support it.
  init?(path: String) {
    let slash = path.lastIndex(of: "/")
    name = String(slash.map { path[path.index(after: $0)...] } ?? path[...])
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
    let events = IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF
    guard inotify_add_watch(descriptor, folder, UInt32(events)) >= 0 else { return nil }
  }

  deinit { close(descriptor) }

  /// Consumes pending events; returns whether any concern the store.
  package func takeNews() -> Bool {
    var hasNews = false
    // The kernel returns whole events, each with a name of at most NAME_MAX bytes.
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return hasNews }
      buffer.withUnsafeBytes { bytes in
        var start = 0
        while start < count {
          let event = bytes.loadUnaligned(fromByteOffset: start, as: inotify_event.self)
          start += MemoryLayout<inotify_event>.size
          let end = start + Int(event.len)
          if isAboutStore(bytes[start..<end].prefix { $0 != 0 }) { hasNews = true }
          start = end
        }
      }
    }
  }

  /// Whether an event concerns the file or its log; one without a name concerns everything.
  ///
  /// Other files beside it carry the heartbeats of processes, each second.
  private func isAboutStore(_ file: some Collection<UInt8>) -> Bool {
    guard file.starts(with: name.utf8) else { return file.isEmpty }
    let rest = file.dropFirst(name.utf8.count)
    return rest.isEmpty || rest.first == UInt8(ascii: "-")
  }
}
