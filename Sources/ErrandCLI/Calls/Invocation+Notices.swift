import CEL
import Catalog
import Engine
import ErrandKit
import Program
import Source
import Synchronization

/// Notes to the person beside a command's result.
extension Invocation {
  /// Maximum number of missed notifications shown at once.
  private static let missedNotificationLimit = 10

  /// Shows missed notifications on a terminal.
  func showMissedNotifications() {
    guard console.stderrIsTerminal, mode.isPlain, !console.link.isContinued,
      !arguments.isOn("quiet"), let places
    else { return }
    let entries = NotificationLog(in: places.state).takeWaiting()
    if entries.isEmpty { return }
    let now = SystemHost.now()
    console.err("errand: while you were away: \(entries.count)\n")
    // Equal ones are counted, at the place of the last.
    let groups = Dictionary(grouping: entries.indices) { entries[$0].line.text }.values
      .sorted { ($0.last ?? 0) < ($1.last ?? 0) }
      .compactMap { group in group.last.map { (entries[$0], group.count) } }
    for (entry, count) in groups.suffix(Self.missedNotificationLimit) {
      let times = count > 1 ? "  ×\(count)" : ""
      let text = "\(entry.line.text)\(times)  \(Age(since: entry.time, at: now).text) ago"
      for (index, line) in text.wrapped(to: max(20, console.width - 4)).enumerated() {
        console.err((index == 0 ? "  " : "    ") + TerminalText(line) + "\n")
      }
    }
    if groups.count > Self.missedNotificationLimit {
      console.err("  `errand log --notifications` shows all of them\n")
    }
  }

  /// Tells a person how their words were understood, where the result is for one or for all.
  func tell(_ text: String, isForAll: Bool = false) {
    if !arguments.isOn("quiet"), isForAll || mode.isPlain { console.err("errand: \(text)\n") }
  }

  /// Tells of environment variables whose values mean nothing.
  func noteVariableProblems() {
    if console.link.isContinued { return }
    for problem in settings.variableProblems { tell(problem, isForAll: true) }
    if let zone = ProcessEnvironment.value("TZ"), !zone.isEmpty, TimeZoneRules.ofVariable == nil {
      tell(
        "TZ: “\(zone.shortened)” is not a time zone such as Europe/Berlin; UTC is used",
        isForAll: true)
    }
  }

  /// Tells of data on standard input that a command without words did not read.
  func noteUnreadInput(_ words: [String], _ command: String) {
    guard words.isEmpty, StandardInput.isWaiting else { return }
    tell("standard input was not read; for the document in it write errand \(command) -")
  }

  /// Rejects the name in a filter that found nothing and that nothing has.
  ///
  /// - Throws: `not-found`.
  func expectKnown(_ name: String?) throws {
    guard let name, !isCommand(name) else { return }
    let names = try catalog().actionNames + catalog().automationNames
    if names.contains(name) { return }
    throw RunError(
      .notFound, "there is no intent, shortcut, automation or command `\(name)`",
      help: Suggestion.didYouMean(name, in: names) ?? "`errand list` shows all names")
  }
}

/// Whether something happened in a closure of the host.
final class Notice: Sendable {
  private let state = Mutex(false)

  func set() { state.withLock { $0 = true } }

  var isSet: Bool { state.withLock { $0 } }
}
