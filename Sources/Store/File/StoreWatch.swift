import Glibc

/// Tells when the store may have been changed, by `inotify(7)` on the folder of its file.
///
/// SQLite writes what is committed to the file's log (`-wal`) and copies it over at times; both may
/// come and go, and a backup may take their place. So the folder is watched, and the names count.
package final class StoreWatch {
  /// How long to wait for news before looking all the same, in nanoseconds: the changes that other
  /// machines make to a shared disk are not told.
  package static let patience: Int64 = 2_000_000_000

  /// Readable once there may be news.
  package let descriptor: Int32
  private let name: String

  /// Watches for changes of the file at a path; nil where the system can't.
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

  /// Takes the news that have come; whether any of them are about the store.
  package func takeNews() -> Bool {
    var isAboutStore = false
    // The kernel gives whole events, each with a name of at most NAME_MAX bytes.
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return isAboutStore }
      var rest = buffer[..<count]
      while let event = Event(&rest) {
        if event.isAbout(name) { isAboutStore = true }
      }
    }
  }

  /// `struct inotify_event`.
  private struct Event {
    private static let headerSize = 16

    private let mask: UInt32
    private let name: ArraySlice<UInt8>

    /// Takes the first event from bytes; nil when there is none.
    init?(_ bytes: inout ArraySlice<UInt8>) {
      guard bytes.count >= Self.headerSize else { return nil }
      func word(_ offset: Int) -> UInt32 {
        let start = bytes.startIndex + offset
        return bytes[start..<start + 4].withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
      }
      mask = word(4)
      let length = Int(word(12))
      guard bytes.count >= Self.headerSize + length else { return nil }
      name = bytes.dropFirst(Self.headerSize).prefix(length).prefix { $0 != 0 }
      bytes = bytes.dropFirst(Self.headerSize + length)
    }

    /// Whether it is about a file or its log; an event without a name is about all.
    ///
    /// Processes note each second in other files beside it that they are awake.
    func isAbout(_ file: String) -> Bool {
      guard name.starts(with: file.utf8) else { return name.isEmpty }
      let rest = name.dropFirst(file.utf8.count)
      return rest.isEmpty || rest.first == UInt8(ascii: "-")
    }
  }
}
