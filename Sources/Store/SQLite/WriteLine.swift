import Glibc

/// The line of processes that wait to write to a store: who came first writes first.
///
/// Each that waits holds a lock on a byte of the write-ahead log, far behind its end, whose place is
/// the time at which it came. The kernel lets go of it when the process dies. SQLite has no locks on
/// that file, and one that waits for nobody takes none.
final class WriteLine {
  /// `F_OFD_GETLK` and `F_OFD_SETLK`, which belong to an open file and not to a process (fcntl(2)).
  private static let getLock: Int32 = 36
  private static let setLock: Int32 = 37
  /// Where the places begin: no log is as long.
  private static let start: Int64 = 1 << 48

  private let path: String
  private var descriptor: Int32 = -1
  /// Its place; nil while it does not wait.
  private var place: Int64?

  /// The line of the store with a write-ahead log at a path.
  init(log path: String) { self.path = path }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Whether it waits.
  var isWaiting: Bool { place != nil }

  /// Whether others wait.
  var hasOthers: Bool { other(before: .max) != nil }

  /// The place of another that came before; nil for the first in line, and where that is not known.
  var predecessor: Int64? { place.flatMap(other) }

  /// Gets in line, behind all that came before.
  ///
  /// - Parameter now: the monotonic clock, in nanoseconds.
  func enter(at now: Int64) {
    guard place == nil, open() else { return }
    for offset in 0..<Int64(64) {
      let place = now + offset
      var lock = Self.range(place, length: 1, F_WRLCK)
      if fcntl(descriptor, Self.setLock, &lock) == 0 {
        self.place = place
        return
      }
    }
  }

  /// Gets out of line, as it writes or has given up.
  func leave() {
    guard let place else { return }
    self.place = nil
    var lock = Self.range(place, length: 1, F_UNLCK)
    _ = fcntl(descriptor, Self.setLock, &lock)
  }

  private func other(before place: Int64) -> Int64? {
    guard place > 0, open() else { return nil }
    var lock = Self.range(0, length: place == .max ? 0 : place, F_WRLCK)
    guard fcntl(descriptor, Self.getLock, &lock) == 0, Int32(lock.l_type) != F_UNLCK else {
      return nil
    }
    return Int64(lock.l_start) - Self.start
  }

  private func open() -> Bool {
    if descriptor >= 0 {
      // The log may have been deleted and made anew before this process held it open.
      var status = stat()
      if fstat(descriptor, &status) == 0, status.st_nlink > 0 { return true }
      close(descriptor)
    }
    descriptor = Glibc.open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    return descriptor >= 0
  }

  /// A lock of places; of all from one on where the length is 0.
  private static func range(_ place: Int64, length: Int64, _ type: Int32) -> flock {
    var lock = flock()
    lock.l_type = Int16(type)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = off_t(start + place)
    lock.l_len = off_t(length)
    return lock
  }
}
