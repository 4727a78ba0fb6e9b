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
    (self.time, self.machine) = (time, machine)
  }

  /// The stamp of values that were never set, which precedes all real ones.
  package static let none = Stamp(time: 0, machine: 0)

  /// The latest time: the end of the year 9999.
  package static let latestTime: Int64 = 253_402_300_799_999_999
  /// The highest number of a machine.
  package static let highestMachine: Int64 = 1 << 52

  /// Whether a machine may have given it, if the hub's clock allows times up to `latest`.
  package func isPossible(upTo latest: Int64) -> Bool {
    (0...latest).contains(time) && (0...Self.highestMachine).contains(machine)
  }

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
  package private(set) var now: Int64
  /// The time of the last stamp.
  package private(set) var last: Int64

  /// The most that a stamp may be ahead of the hub's clock: five minutes, in microseconds.
  package static let tolerance: Int64 = 300_000_000

  package init(machine: Int64, offset: Int64, now: Int64, last: Int64) {
    self.machine = machine
    self.offset = offset
    self.now = min(max(0, now), Stamp.latestTime - Self.tolerance)
    self.last = 0
    // A stamp that no hub has given, as of an earlier release, does not count.
    if last <= latest { self.last = max(0, last) }
  }

  /// The latest time that a stamp may have now.
  package var latest: Int64 { now + Self.tolerance }

  /// Advances the hub's time.
  package mutating func advance(to time: Int64) {
    now = min(max(now, time), Stamp.latestTime - Self.tolerance)
  }

  /// A stamp for a change at a time of the machine's clock.
  ///
  /// - Parameter seen: The stamp that the change replaces, which it must exceed.
  package mutating func stamp(at time: Int64, after seen: Stamp = .none) -> Stamp {
    let stamp = Stamp(
      time: max(last + 1, bounded(time), min(max(0, seen.time), Stamp.latestTime) + 1),
      machine: machine)
    // A stamp that had to follow that of a hub with a fast clock does not affect later ones.
    if stamp.time <= latest { last = stamp.time }
    return stamp
  }

  /// A stamp for an item that existed before its machine joined, which need not follow earlier
  /// stamps.
  package func stampOfOld(at time: Int64) -> Stamp {
    Stamp(time: max(1, bounded(time)), machine: machine)
  }

  /// A time of the machine's clock by the hub's, at most the tolerance ahead.
  private func bounded(_ time: Int64) -> Int64 {
    let (corrected, overflows) = time.addingReportingOverflow(offset)
    return min(overflows ? now : corrected, latest)
  }
}
