package import CEL
package import Engine
import Glibc
import JSON
import POSIX
package import Source

/// The notifications that nobody was there to see, in the person's state folder.
package struct NotificationLog: Sendable {
  /// A notification, and when it was made.
  package struct Entry {
    package let time: Timestamp
    package let title: String
    package let text: String
    package let urgency: String
    /// Why it was not sent, way by way.
    package let problems: [String]
  }

  /// The file with all of them.
  private let path: String
  /// The file with those that were not shown yet, which is there only then.
  private var waiting: String { path + ".new" }

  /// How large each may grow before it is put aside, in bytes.
  private static let limit = 1 << 18

  /// - Parameter folder: The person's state folder.
  package init(in folder: String) { path = folder + "/notifications" }

  /// Keeps a notification; false where that can't be done.
  package func keep(_ notification: DesktopNotification, _ problems: [String], at time: Timestamp)
    -> Bool
  {
    let line = Value.record([
      "time": time.jsonText, "title": notification.title, "text": notification.text,
      "urgency": notification.urgency.rawValue, "problems": problems,
    ])
    guard let text = try? JSONWriter().text(of: line), let lock = try? FileLock.taken(beside: path)
    else {
      return false
    }
    defer { lock.release() }
    return PrivateFile(path: path).append(text + "\n", limit: Self.limit)
      && PrivateFile(path: waiting).append(text + "\n", limit: Self.limit)
  }

  /// Those that were not shown yet, the oldest first; nobody is given them again.
  package func takeWaiting() -> [Entry] {
    // Mostly there are none: that costs one look.
    guard access(waiting, F_OK) == 0, let lock = try? FileLock.taken(beside: path) else {
      return []
    }
    defer { lock.release() }
    let entries = Self.entries(waiting)
    return unlink(waiting) == 0 ? entries : []
  }

  /// All that are kept, the oldest first.
  package func all() -> [Entry] { Self.entries(path + ".1") + Self.entries(path) }

  private static func entries(_ path: String) -> [Entry] {
    guard let bytes = try? FileReader.bytes(of: path) else { return [] }
    return bytes.split(separator: 0x0A).compactMap { line in
      guard case .map(let map)? = try? JSONParser().parse(Array(line)) else { return nil }
      func text(_ name: String) -> String {
        if case .string(let text)? = map[name] { text } else { "" }
      }
      guard let time = Timestamp(rfc3339: text("time")) else { return nil }
      var problems: [String] = []
      if case .list(let values)? = map["problems"] { problems = values.map(\.text) }
      return Entry(
        time: time, title: text("title"), text: text("text"), urgency: text("urgency"),
        problems: problems)
    }
  }
}

extension NotificationLog.Entry {
  /// It on one line.
  package var line: TerminalText {
    let problems: TerminalText =
      problems.isEmpty ? "" : " (not sent: \(problems.joined(separator: "; ")))"
    return "\(title): \(text)\(problems)"
  }

  /// It for a program.
  package var value: Value {
    .record([
      "time": time, "title": title, "text": text, "urgency": urgency, "problems": problems,
    ])
  }
}
