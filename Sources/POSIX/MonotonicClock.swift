import Glibc

/// The clock that only goes forward, and stands still while the machine sleeps.
package enum MonotonicClock {
  /// The time since some moment, in nanoseconds.
  package static var nanoseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// The time since some moment, in milliseconds.
  package static var milliseconds: Int { Int(nanoseconds / 1_000_000) }
}
