import Source

/// One line at the bottom of the terminal that tells how far a long piece of work has come.
///
/// It is shown only on a terminal, and only once the work has taken a while.
final class ProgressLine {
  private let console: Console
  private let label: String
  private let isShowable: Bool
  private let start = MonotonicClock.milliseconds
  private var lastUpdate: Int
  private var isVisible = false

  /// A line that is not shown yet.
  init(console: Console, label: String) {
    self.console = console
    self.label = label
    isShowable = console.stderrIsTerminal && Environment.value("TERM") ?? "dumb" != "dumb"
    lastUpdate = start + Self.patience - Self.interval
  }

  /// After which time it is shown, and how often it changes, in milliseconds.
  private static let patience = 300
  private static let interval = 100

  /// Shows how many things are done, and which part of all that is, when it is known.
  func update(done: Int, fraction: Double?) {
    guard let now = momentOfUpdate() else { return }
    let rate = done * 1000 / max(1, now - start)
    var text = "\(label) \(done)"
    if let fraction {
      let fraction = min(max(fraction, 0), 1)
      let filled = Int(fraction * 20)
      let bar = String(repeating: "━", count: filled) + String(repeating: " ", count: 20 - filled)
      let percentage = String(Int(fraction * 100))
      text += "  \(String(repeating: " ", count: 3 - percentage.count))\(percentage)% \(bar)"
    }
    text += "  \(rate)/s"
    write(text)
  }

  /// Shows what is being done and for how long.
  func update(doing step: String) {
    guard let now = momentOfUpdate() else { return }
    write("\(label) \(step)  \((now - start) / 1000) s")
  }

  /// The time now, in milliseconds; nil when it is too early to show anything.
  private func momentOfUpdate() -> Int? {
    guard isShowable else { return nil }
    let now = MonotonicClock.milliseconds
    guard now - lastUpdate >= Self.interval else { return nil }
    lastUpdate = now
    return now
  }

  private func write(_ text: String) {
    isVisible = true
    Interruption.note(.progress)
    // A line that fills the terminal would wrap, and could not be erased.
    console.err("\r\u{1B}[K" + console.errorStyle.dim("\(text.cut(to: console.width - 1))"))
  }

  /// Takes the line away, until the next update.
  func clear() {
    guard isVisible else { return }
    console.err("\r\u{1B}[K")
    isVisible = false
    Interruption.note(.empty)
  }
}
