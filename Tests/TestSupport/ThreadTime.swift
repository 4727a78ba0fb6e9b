import Glibc

/// Processor time of the calling thread, which other work on the machine does not add to.
package enum ThreadTime {
  /// The milliseconds that `body` takes.
  package static func milliseconds(_ body: () -> Void) -> Double {
    func now() -> Double {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) * 1_000 + Double(time.tv_nsec) / 1_000_000
    }
    let start = now()
    body()
    return now() - start
  }

  /// The ratio of the times that work of two sizes takes, at its least of up to ten tries.
  ///
  /// Linear work has about `factor`, quadratic work its square. Tests use a factor of at least 8 and
  /// accept three times the factor, so that other work on the machine does not decide.
  package static func growth(from size: Int, by factor: Int, _ work: (Int) -> Void) -> Double {
    var ratio = Double.infinity
    for _ in 0..<10 where ratio > Double(3 * factor) {
      let base = max(milliseconds { work(size) }, 0.5)
      ratio = min(ratio, milliseconds { work(factor * size) } / base)
    }
    return ratio
  }
}
