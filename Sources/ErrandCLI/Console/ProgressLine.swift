import CEL
import Engine
import ErrandKit
import POSIX
import Program
import Source

/// Progress line at the bottom of the terminal, shown only for work that takes a while.
final class ProgressLine {
  private let console: Console
  private let label: String
  private let isShowable: Bool
  private let start = MonotonicClock.milliseconds
  private var lastUpdate: Int
  private var isVisible = false
  /// Time and amount of the first progress report of a run.
  private var firstProgress: (moment: Int, done: Double)?
  private var lastPlain = 0

  /// Creates a hidden line.
  init(console: Console, label: String) {
    self.console = console
    self.label = label
    isShowable = console.stderrIsTerminal && ProcessEnvironment.value("TERM") ?? "dumb" != "dumb"
    lastUpdate = start + Self.patience.milliseconds - Self.interval
  }

  /// Delay before the line appears, and interval between updates.
  private static let patience = Duration.milliseconds(300)
  private static let interval = 100
  /// Delay for a run's progress, and update interval without a terminal.
  private static let runPatience = Duration.seconds(1)
  private static let plainInterval = 10_000

  /// Shows the number of items done, and the fraction if known.
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

  /// Shows a run's progress: amount, rate and remaining time.
  ///
  /// Without a terminal, writes a line every ten seconds.
  func show(_ progress: Progress) {
    if progress.isOver {
      clear()
      firstProgress = nil
      return
    }
    let now = MonotonicClock.milliseconds
    let first = firstProgress ?? (now, progress.done)
    firstProgress = first
    guard isShowable else {
      // A continuing wait is not worth a log line.
      if progress.unit == .seconds { return }
      guard now - first.moment >= Self.plainInterval, now - lastPlain >= Self.plainInterval else {
        return
      }
      lastPlain = now
      console.err("errand: \(progress.text(rate: nil))\n")
      return
    }
    guard now - first.moment >= Self.runPatience.milliseconds, momentOfUpdate() != nil else {
      return
    }
    let seconds = Double(now - first.moment) / 1000
    write(progress.text(rate: (progress.done - first.done) / seconds))
  }

  /// Shows the current step and its duration.
  func update(doing step: String) {
    guard let now = momentOfUpdate() else { return }
    write("\(label) \(step)  \((now - start) / 1000) s")
  }

  /// Returns the time in milliseconds; nil if it is too early to update.
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
    // A full-width line would wrap and could not be erased.
    console.err("\r\u{1B}[K" + console.errorStyle.dim("\(text.cut(to: console.width - 1))"))
  }

  /// Erases the line until the next update.
  func clear() {
    guard isVisible else { return }
    console.err("\r\u{1B}[K")
    isVisible = false
    Interruption.note(.empty)
  }
}
