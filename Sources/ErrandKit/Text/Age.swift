package import CEL

/// The time since something was, for a person.
package struct Age {
  /// Whole seconds; a moment that is still to come is none ago.
  package let seconds: Int64

  package init(since moment: Timestamp, at now: Timestamp) {
    seconds = max(0, now.microseconds - moment.microseconds) / 1_000_000
  }

  /// In the largest unit of which there are two, or that there is.
  package var text: String {
    switch seconds {
    case ..<120: "\(seconds) s"
    case ..<7_200: "\(seconds / 60) min"
    case ..<172_800: "\(seconds / 3_600) h"
    default: "\(seconds / 86_400) days"
    }
  }

  /// A short length of time, as a person reads it at a glance.
  package static func text(ofMicroseconds length: Int64) -> String {
    switch length {
    case ..<1_000: "0 ms"
    case ..<1_000_000: "\(length / 1_000) ms"
    case ..<60_000_000: "\(length / 1_000_000).\(length / 100_000 % 10) s"
    default: "\(length / 60_000_000) min \(length / 1_000_000 % 60) s"
    }
  }
}
