/// A moment in UTC, to the nanosecond.
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Seconds since 1970-01-01T00:00:00Z, rounded down.
  public let seconds: Int64
  /// Nanoseconds after `seconds`: 0 ..< 1,000,000,000.
  public let nanoseconds: Int32

  public init(seconds: Int64, nanoseconds: Int32 = 0) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// The moment a number of microseconds after the epoch, as the store keeps it.
  public init(microseconds: Int64) {
    let (quotient, remainder) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    let borrow: Int64 = remainder < 0 ? 1 : 0
    self.init(
      seconds: quotient - borrow,
      nanoseconds: Int32((remainder + borrow * 1_000_000) * 1_000))
  }

  /// Microseconds since the epoch, rounded down.
  public var microseconds: Int64 { seconds * 1_000_000 + Int64(nanoseconds / 1_000) }

  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }
}

/// A length of time, to the nanosecond.
public struct Duration: Hashable, Comparable, Sendable {
  /// Whole seconds, rounded down.
  public let seconds: Int64
  /// Nanoseconds after `seconds`: 0 ..< 1,000,000,000.
  public let nanoseconds: Int32

  public init(seconds: Int64, nanoseconds: Int32 = 0) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  public static func < (left: Duration, right: Duration) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }
}
