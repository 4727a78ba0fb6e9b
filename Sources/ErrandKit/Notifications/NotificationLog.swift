package import CEL
package import Engine
import Glibc
import JSON
import POSIX
package import Source

/// The log of undelivered notifications, in the person's state folder.
package struct NotificationLog: Sendable {
  /// A notification with its time.
  package struct Entry {
    package let time: Timestamp
    package let title: String
    package let text: String
    package let urgency: String
    /// The failures of its channels.
    package let problems: [String]
  }

  /// The file of all notifications.
  private let path: String
  /// The file of notifications that were not shown yet; exists only if there are some.
  private var waiting: String { path + ".new" }

  /// The size in bytes at which a file is rotated.
  private static let limit = 1 << 18

  /// - Parameter folder: The person's state folder.
  package init(in folder: String) { path = folder + "/notifications" }

  /// Logs a notification; false if it cannot be written.
  package func keep(_ notification: DesktopNotification, _ problems: [String], at time: Timestamp)
    -> Bool
  {
    let line = Value.record([
      "time": time.jsonText, "title": notification.title, "text": notification.text,
      "urgency": notification.urgency.rawValue, "problems": problems,
    ])
    guard let text = try? JSONWriter().text(of: line), let lock = try? FileLock.taken(beside: path)
    else { return false }
    defer { lock.release() }
    return PrivateFile(path: path).append(text + "\n", limit: Self.limit)
      && PrivateFile(path: waiting).append(text + "\n", limit: Self.limit)
  }

  /// Removes and returns the notifications that were not shown yet, oldest first.
  package func takeWaiting() -> [Entry] {
    // Usually there are none, and one system call suffices.
    guard access(waiting, F_OK) == 0, let lock = try? FileLock.taken(beside: path) else {
      return []
    }
    defer { lock.release() }
    let entries = Self.entries(waiting)
    return unlink(waiting) == 0 ? entries : []
  }

  /// All logged notifications, oldest first.
  package func all() -> [Entry] { Self.entries(path + ".1") + Self.entries(path) }

  private static func entries(_ path: String) -> [Entry] {
    guard let bytes = try? FileReader.bytes(of: path) else { return [] }
    return bytes.split(separator: 0x0A).compactMap { line in
      guard let fields = (try? JSONParser().parse(Array(line))).map({ JSONValue($0) }) else {
        return nil
      }
      func text(_ name: String) -> String { fields[name]?.string ?? "" }
      return Timestamp(rfc3339: text("time")).map { time in
        Entry(
          time: time, title: text("title"), text: text("text"), urgency: text("urgency"),
          problems: fields["problems"]?.array?.compactMap(\.string) ?? [])
      }
    }
  }
}

extension NotificationLog.Entry {
  /// The entry on one line.
  package var line: TerminalText {
    let problems: TerminalText =
      problems.isEmpty ? "" : " (not sent: \(problems.joined(separator: "; ")))"
    return "\(title): \(text)\(problems)"
  }

  /// The entry for machine-readable output.
  package var value: Value {
    .record(["time": time, "title": title, "text": text, "urgency": urgency, "problems": problems])
  }
}
