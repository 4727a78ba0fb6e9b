import CEL
import Engine
import ErrandKit
import Program
import Source

/// Formats activities: in full, one per line, or as one short word for a status bar.
struct ActivityText {
  /// Level of detail.
  enum Form: String, CaseIterable {
    case expanded, compact, minimal
  }

  private let form: Form
  private let style: Style
  private let now: Timestamp
  /// Maximum line width; a wrapped line could not be erased.
  private let width: Int
  /// Width of the progress bar, and of the title in a compact line.
  private static let barWidth = 24
  private static let titleWidth = 32

  /// Creates the formatter for a moment.
  ///
  /// - Parameter width: Width of the terminal; nil without one.
  init(_ form: Form, style: Style, now: Timestamp, width: Int? = nil) {
    self.width = max(16, width ?? .max)
    self.form = form
    self.style = style
    self.now = now
  }

  /// Formats activities, oldest first.
  func lines(_ records: [ActivityRecord]) -> [TerminalText] {
    switch form {
    case .expanded: records.flatMap(expanded)
    case .compact: records.map(compact)
    case .minimal: records.isEmpty ? [] : [minimal(records)]
    }
  }

  private func expanded(_ record: ActivityRecord) -> [TerminalText] {
    let activity = record.activity
    var lines: [TerminalText] = [mark(activity) + " " + style.bold("\(fitting(activity.title))")]
    if activity.state == .active, let fraction = activity.fraction {
      let filled = Int(fraction * Double(Self.barWidth))
      let bar =
        String(repeating: "━", count: filled)
        + String(repeating: "┄", count: Self.barWidth - filled)
      lines.append("  \(bar) \(percentage(fraction))")
    }
    var facts: [String] = []
    if let detail = activity.detail, !detail.isEmpty { facts.append(detail) }
    if activity.state == .active, activity.fraction == nil, let done = activity.done {
      facts.append(amount(activity, done))
    }
    facts.append(length(record))
    lines.append("  " + style.dim("\(fitting(facts.joined(separator: " · ")))"))
    return lines
  }

  /// Cuts text to the room left on its line.
  private func fitting(_ text: String) -> String {
    let text = text.harmless()
    return text.displayWidth > width - 3 ? text.cut(to: width - 3) : text
  }

  private func compact(_ record: ActivityRecord) -> TerminalText {
    let activity = record.activity
    let title = activity.title.harmless()
    let shown =
      title.displayWidth > Self.titleWidth ? title.cut(to: Self.titleWidth) : title
    return mark(activity) + " \(shown)  \(standing(activity))  " + style.dim("\(length(record))")
  }

  /// The number of running activities and the progress of the first.
  private func minimal(_ records: [ActivityRecord]) -> TerminalText {
    let active = records.filter { $0.activity.state == .active }
    guard let first = active.first ?? records.last else { return "" }
    let count = active.count > 1 ? "\(active.count)" : ""
    let part = first.activity.fraction.map { active.isEmpty ? "" : percentage($0) } ?? ""
    return mark(first.activity)
      + "\(count.isEmpty || part.isEmpty ? count + part : "\(count) \(part)")"
  }

  private func mark(_ activity: Activity) -> TerminalText {
    switch activity.state {
    case .active: "●"
    case .done: "✓"
    case .failed: style.warning("✗")
    case .cancelled: "–"
    }
  }

  /// Progress of an activity, in a word.
  private func standing(_ activity: Activity) -> String {
    switch activity.state {
    case .active:
      activity.fraction.map(percentage) ?? activity.done.map { amount(activity, $0) } ?? "…"
    case .done, .failed, .cancelled: activity.state.rawValue
    }
  }

  private func percentage(_ fraction: Double) -> String { "\(Int(fraction * 100)) %" }

  private func amount(_ activity: Activity, _ done: Double) -> String {
    if activity.kind == .download { return ByteCount.text(Int(clamping: Int64(done))) }
    return done == done.rounded() && abs(done) < 1e15 ? Int(done).grouped : "\(done)"
  }

  /// Running time of an activity.
  private func length(_ record: ActivityRecord) -> String {
    let end = record.activity.state == .active ? now : record.updated
    let seconds = max(0, end.seconds - record.began.seconds)
    return DurationText.text(for: DurationValue(seconds: seconds))
  }
}
