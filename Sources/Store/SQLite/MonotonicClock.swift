import Glibc

/// The clock that only goes forward, and stands still while the machine sleeps.
enum MonotonicClock {
  /// The time since some moment, in nanoseconds.
  static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
