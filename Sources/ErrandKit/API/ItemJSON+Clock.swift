package import CEL
package import Exchange
package import Program

extension ItemJSON {
  /// Creates an encoder that writes dates in the time zone of `clock`.
  package init(_ clock: LocalClock) { self.init(day: clock.day(at:)) }
}

extension LocalClock {
  /// The day at a moment, as `YYYY-MM-DD`.
  package func day(at moment: Timestamp) -> String { time(at: moment).date.iso8601 }
}
