import Engine
import Glibc
import POSIX

/// Shows desktop notifications with `notify-send`.
struct DesktopNotifier {
  let environment: @Sendable (String) -> String?

  /// Maximum length of a text in characters.
  private static let textLimit = 2000
  /// Timeout for showing a notification without actions.
  private static let patience = Duration.seconds(2)

  /// Shows a notification and waits for its action, if it has any.
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
      Self.escaped(String(notification.text.prefix(Self.textLimit))),
    ]
    let patience = MonotonicClock.nanoseconds + Self.patience.nanoseconds
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
    // A desktop that hangs counts as absent.
    case .interrupted where isOwnBound && MonotonicClock.nanoseconds >= patience: return .notShown()
    case .interrupted: return .interrupted
    case .exited(0):
      let answer = String(decoding: end.output.prefix { $0 != 0x0A }, as: UTF8.self)
      return .shown(action: Int(answer))
    case .exited, .signalled, .tooMuchOutput: return .notShown()
    }
  }

  /// Escapes a body, which desktops read as markup (Desktop Notifications Specification, “Markup”).
  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }

  /// Whether there is a session bus to reach the desktop.
  private var hasDesktop: Bool {
    if environment("DBUS_SESSION_BUS_ADDRESS") != nil { return true }
    guard let folder = environment("XDG_RUNTIME_DIR") else { return false }
    return access(folder + "/bus", R_OK) == 0
  }
}
