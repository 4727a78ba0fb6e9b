/// What a run reaches of the machine it runs on: time that passes, programs, files, the desktop.
package struct Machine: Sendable {
  /// A clock that only goes forward, in nanoseconds.
  package var monotonic: @Sendable () -> Int64
  /// Waits until an instant of that clock, or until a descriptor can be read; nil for no limit.
  package var pause: @Sendable (_ until: Int64?, _ descriptors: [Int32]) -> Void
  /// Runs a program to its end.
  ///
  /// - Throws: `RunError` when it can't be started, or its files can't be opened.
  package var exec: @Sendable (ProcessRequest, WaitBounds) throws -> ProcessEnd
  /// Files and folders.
  package var files: FileAccess
  /// Shows or sends a notification.
  ///
  /// - Throws: `RunError` when it can't be shown.
  package var notify: @Sendable (DesktopNotification, WaitBounds) throws -> NotificationEnd
  /// Makes requests to servers; nil in a program without the network.
  package var http: HTTPAccess?
  /// The clock of simulated time, in which waits pass at once; nil where time passes by itself.
  package var simulation: SimulatedClock?

  /// A machine of these parts.
  package init(
    monotonic: @escaping @Sendable () -> Int64,
    pause: @escaping @Sendable (_ until: Int64?, _ descriptors: [Int32]) -> Void,
    exec: @escaping @Sendable (ProcessRequest, WaitBounds) throws -> ProcessEnd,
    files: FileAccess,
    notify: @escaping @Sendable (DesktopNotification, WaitBounds) throws -> NotificationEnd,
    http: HTTPAccess? = nil
  ) {
    self.monotonic = monotonic
    self.pause = pause
    self.exec = exec
    self.files = files
    self.notify = notify
    self.http = http
  }
}

/// What ends a wait before its time.
package struct WaitBounds: Sendable {
  /// By when it must be over, in nanoseconds of the monotonic clock; nil for no limit.
  package let deadline: Int64?
  /// Descriptors that can be read once it must end.
  package let descriptors: [Int32]

  /// Bounds of a wait.
  package init(deadline: Int64?, descriptors: [Int32]) {
    self.deadline = deadline
    self.descriptors = descriptors
  }
}

/// A way to reach a person who may look elsewhere.
package enum NotificationChannel: String, Sendable, CaseIterable {
  case desktop, mail, ntfy, program
}

/// Something to tell a person who may look elsewhere.
package struct DesktopNotification: Sendable {
  /// How much it presses.
  package enum Urgency: String, Sendable, CaseIterable {
    case low, normal, critical
  }

  package let title: String
  package let text: String
  package let urgency: Urgency
  /// The labels of what the person can choose to do.
  package let actions: [String]
  /// The ways that it goes.
  package let via: [NotificationChannel]

  package init(
    title: String, text: String, urgency: Urgency, actions: [String],
    via: [NotificationChannel] = [.desktop]
  ) {
    self.title = title
    self.text = text
    self.urgency = urgency
    self.actions = actions
    self.via = via
  }

  /// It on one line.
  package var line: String { "\(title): \(text)" }
}

/// What came of a notification.
package enum NotificationEnd: Sendable {
  /// It was shown or sent; the position of the action that was taken, if one was, and why a way
  /// failed.
  case shown(action: Int?, problems: [String] = [])
  /// None of its ways reaches the person; why each doesn't, where that is not plain.
  case notShown(problems: [String] = [])
  /// The wait for an action ended early.
  case interrupted
}
