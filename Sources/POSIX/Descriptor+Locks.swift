import Glibc

/// Open file description locks on byte ranges, which may lie beyond the end of the file; the kernel releases them when
/// the file is closed or the process dies (fcntl(2), `F_OFD_SETLK`).
extension Descriptor {
  /// `F_OFD_GETLK` and `F_OFD_SETLK`, which Swift's Glibc module lacks.
  private static let getLock: Int32 = 36
  private static let setLock: Int32 = 37

  /// Locks a range; false if it conflicts with another lock.
  package func lock(at start: Int64, count: Int64 = 1) throws(SystemError) -> Bool {
    var lock = Self.range(start, count, F_WRLCK)
    if fcntl(number, Self.setLock, &lock) == 0 { return true }
    guard errno == EAGAIN || errno == EACCES else { throw SystemError(path) }
    return false
  }

  /// Unlocks a range.
  package func unlock(at start: Int64, count: Int64 = 1) {
    var lock = Self.range(start, count, F_UNLCK)
    _ = fcntl(number, Self.setLock, &lock)
  }

  /// Returns the start of a conflicting lock in a range; nil if there is none.
  ///
  /// - Parameter count: The length of the range; 0 for all that follows.
  package func otherLock(at start: Int64, count: Int64) throws(SystemError) -> Int64? {
    var lock = Self.range(start, count, F_WRLCK)
    guard fcntl(number, Self.getLock, &lock) == 0 else { throw SystemError(path) }
    return Int32(lock.l_type) == F_UNLCK ? nil : Int64(lock.l_start)
  }

  private static func range(_ start: Int64, _ count: Int64, _ type: Int32) -> flock {
    var lock = flock()
    lock.l_type = Int16(type)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = off_t(start)
    lock.l_len = off_t(count)
    return lock
  }
}
