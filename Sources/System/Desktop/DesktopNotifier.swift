import Engine
import Glibc
import POSIX

/// Shows notifications through the desktop's own program, `notify-send`.
struct DesktopNotifier {
  let environment: @Sendable (String) -> String?

  /// The longest text that is shown, in characters.
  private static let textLimit = 2000
  /// How long showing one may take where nobody is waited for, in nanoseconds.
  private static let patience: Int64 = 2_000_000_000

  /// Shows a notification, and waits for an action where there are some.
  func show(
    _ notification: DesktopNotification, _ bounds: WaitBounds
  ) throws -> NotificationEnd {
    guard hasDesktop else { return .notShown() }
    var command = [
      "notify-send", "--app-name=errand", "--urgency=\(notification.urgency.rawValue)",
    ]
    for (index, label) in notification.actions.enumerated() {
      command.append("--action=\(index)=\(label)")
    }
    command += [
      "--", String(notification.title.prefix(Self.textLimit)),
      String(notification.text.prefix(Self.textLimit)),
    ]
    let patience = MonotonicClock.nanoseconds + Self.patience
    let isOwnBound = notification.actions.isEmpty && patience < bounds.deadline ?? .max
    let limit = isOwnBound ? patience : bounds.deadline
    let end: ProcessEnd
    do {
      end = try ProcessRun(
        ProcessRequest(command), WaitBounds(deadline: limit, descriptors: bounds.descriptors)
      ).run()
    } catch let error as RunError where error.code == .exec {
      return .notShown()
    }
    switch end.reason {
    // A desktop that hangs is none.
    case .interrupted where isOwnBound && MonotonicClock.nanoseconds >= patience: return .notShown()
    case .interrupted: return .interrupted
    case .exited(0):
      let answer = String(decoding: end.output.prefix { $0 != 0x0A }, as: UTF8.self)
      return .shown(action: Int(answer))
    case .exited, .signalled, .tooMuchOutput: return .notShown()
    }
  }

  /// Whether a session bus is there, over which the desktop is reached.
  private var hasDesktop: Bool {
    if environment("DBUS_SESSION_BUS_ADDRESS") != nil { return true }
    guard let folder = environment("XDG_RUNTIME_DIR") else { return false }
    return access(folder + "/bus", R_OK) == 0
  }
}
