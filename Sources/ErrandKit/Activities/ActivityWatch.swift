import CLinux
package import Engine
import Glibc
import Source

/// A look at activities that lasts: it returns when one of them is another.
package final class ActivityWatch {
  private let folder: ActivityFolder
  /// An `inotify(7)` of the folder.
  private let descriptor: Int32

  /// How long until lengths of time are told anew, in nanoseconds.
  private static let pause: Int64 = 1_000_000_000

  /// A watch of a folder, which is made where it is not there.
  ///
  /// - Throws: `io`.
  package init(_ folder: ActivityFolder) throws(RunError) {
    self.folder = folder
    do {
      try PrivateFolder(path: folder.path).make()
    } catch {
      throw RunError(.io, error.message)
    }
    descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    inotify_add_watch(descriptor, folder.path, UInt32(IN_MOVED_TO | IN_DELETE))
  }

  deinit { close(descriptor) }

  /// Waits until something may be told anew, no longer than a second while anything goes on.
  package func wait(while records: [ActivityRecord]) {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    // Where nothing goes on, only a file that comes can change that.
    _ = errand_poll(&polled, 1, records.isEmpty ? -1 : Self.pause)
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    while read(descriptor, &buffer, buffer.count) > 0 {}
  }
}
