package import CEL
import POSIX

/// The time since an event, for display.
package struct Age {
  /// Whole seconds; 0 for a time in the future.
  package let seconds: Int64

  package init(since moment: Timestamp, at now: Timestamp) {
    seconds = max(0, now.microseconds - moment.microseconds) / 1_000_000
  }

  /// The age in a suitable unit, such as `90 s` or `3 h`.
  package var text: String {
    switch seconds {
    case ..<120: "\(seconds) s"
    case ..<7_200: "\(seconds / 60) min"
    case ..<172_800: "\(seconds / 3_600) h"
    default: "\(seconds / 86_400) days"
    }
  }

  /// A duration in a compact form, such as `1.5 s`.
  package static func text(of length: Duration) -> String {
    let length = length.microseconds
    return switch length {
    case ..<1_000: "0 ms"
    case ..<1_000_000: "\(length / 1_000) ms"
    case ..<60_000_000: "\(length / 1_000_000).\(length / 100_000 % 10) s"
    default: "\(length / 60_000_000) min \(length / 1_000_000 % 60) s"
    }
  }
}
