import CLinux
package import Engine
import Glibc
import POSIX
import Source

/// Waits for changes of activities.
package final class ActivityWatch {
  private let folder: ActivityFolder
  /// An `inotify(7)` of the folder.
  private let descriptor: Int32

  /// The interval at which elapsed times are updated.
  private static let pause = Duration.seconds(1)

  /// Creates a watch of a folder, and the folder if it does not exist.
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

  /// Waits for a change, at most a second while an activity is in progress.
  package func wait(while records: [ActivityRecord]) {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    // Without activities, only a new file can change anything.
    _ = errand_poll(&polled, 1, records.isEmpty ? -1 : Self.pause.nanoseconds)
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    while read(descriptor, &buffer, buffer.count) > 0 {}
  }
}
