import CEL
import Engine
import ErrandKit
import Program
import Source

/// Activities as text: in full, in a line each, or in one short word for a status bar.
struct ActivityText {
  /// How much of them is shown.
  enum Form: String, CaseIterable {
    case expanded, compact, minimal
  }

  private let form: Form
  private let style: Style
  private let now: Timestamp
  /// How wide a line may be: one that the terminal breaks can't be taken back.
  private let width: Int
  /// The width of the bar of an activity in full, and of its title in a line.
  private static let barWidth = 24
  private static let titleWidth = 32

  /// The text at a moment.
  ///
  /// - Parameter width: of the terminal; nil where there is none.
  init(_ form: Form, style: Style, now: Timestamp, width: Int? = nil) {
    self.width = max(16, width ?? .max)
    self.form = form
    self.style = style
    self.now = now
  }

  /// The lines of some activities, the first begun first.
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

  /// A text that fits on a line beside what stands before it.
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

  /// How many go on, and how far the first has come.
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

  /// How far it has come, in a word.
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

  /// For how long it has gone on, or went on.
  private func length(_ record: ActivityRecord) -> String {
    let end = record.activity.state == .active ? now : record.updated
    let seconds = max(0, end.seconds - record.began.seconds)
    return DurationText.text(for: Duration(seconds: seconds))
  }
}
