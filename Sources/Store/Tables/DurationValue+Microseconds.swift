import CEL

extension DurationValue {
  /// A duration of a number of microseconds.
  init(microseconds: Int64) {
    let moment = Timestamp(microseconds: microseconds)
    self.init(seconds: moment.seconds, nanoseconds: moment.nanoseconds)
  }

  /// Microseconds, rounded down; CEL's range of ±10,000 years fits.
  var microseconds: Int64 { Timestamp(seconds: seconds, nanoseconds: nanoseconds).microseconds }

  /// The duration at the store's precision.
  var roundedToMicroseconds: DurationValue { DurationValue(microseconds: microseconds) }
}
