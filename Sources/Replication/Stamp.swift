/// A hybrid logical timestamp: a time, and the machine that set it, which breaks ties.
///
/// Kulkarni et al., “Logical Physical Clocks”, 2014, without the separate counter: microseconds leave
/// room to count in.
package struct Stamp: Hashable, Comparable, Sendable {
  /// Microseconds since 1970 by the clock of the hub.
  package let time: Int64
  /// The random number of a machine.
  package let machine: Int64

  package init(time: Int64, machine: Int64) {
    self.time = time
    self.machine = machine
  }

  /// The stamp below all others, of values that nobody set.
  package static let none = Stamp(time: 0, machine: 0)

  package static func < (first: Stamp, second: Stamp) -> Bool {
    (first.time, first.machine) < (second.time, second.machine)
  }
}

/// Gives the stamps of one machine, each later than those before it.
package struct HybridClock: Sendable {
  /// The machine's number.
  package let machine: Int64
  /// The hub's time less the machine's, in microseconds.
  package let offset: Int64
  /// The hub's time when the stamps are given, in microseconds since 1970.
  package let now: Int64
  /// The time of the last stamp.
  package private(set) var last: Int64

  /// The most that a stamp may be ahead of the hub's clock: five minutes, in microseconds.
  package static let tolerance: Int64 = 300_000_000

  package init(machine: Int64, offset: Int64, now: Int64, last: Int64) {
    self.machine = machine
    self.offset = offset
    self.now = now
    self.last = last
  }

  /// A stamp for a change at a time of the machine's clock.
  ///
  /// - Parameter seen: The stamp that the change replaces, which it must exceed.
  package mutating func stamp(at time: Int64, after seen: Stamp = .none) -> Stamp {
    let (corrected, overflows) = time.addingReportingOverflow(offset)
    let bounded = min(overflows ? now : corrected, now + Self.tolerance)
    last = max(last + 1, bounded, seen.time + 1)
    return Stamp(time: last, machine: machine)
  }

  /// A stamp for an item that existed before its machine joined, which need not follow the others.
  package func stampOfOld(at time: Int64) -> Stamp {
    let (corrected, overflows) = time.addingReportingOverflow(offset)
    return Stamp(
      time: max(1, min(overflows ? now : corrected, now + Self.tolerance)), machine: machine)
  }
}
