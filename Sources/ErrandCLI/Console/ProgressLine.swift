import CEL
import Engine
import ErrandKit
import POSIX
import Program
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
  /// When a run's work was first told of, and how much was done then.
  private var firstProgress: (moment: Int, done: Double)?
  private var lastPlain = 0

  /// A line that is not shown yet.
  init(console: Console, label: String) {
    self.console = console
    self.label = label
    isShowable = console.stderrIsTerminal && ProcessEnvironment.value("TERM") ?? "dumb" != "dumb"
    lastUpdate = start + Self.patience - Self.interval
  }

  /// After which time it is shown, and how often it changes, in milliseconds.
  private static let patience = 300
  private static let interval = 100
  /// After which time a run's work is shown, and how often where there is no terminal.
  private static let runPatience = 1000
  private static let plainInterval = 10_000

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

  /// Shows how far a run's work has come: how much, how fast, and how long it will take.
  ///
  /// Where there is no terminal, a line is written every ten seconds.
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
      // That a wait goes on is no news for a log.
      if progress.unit == .seconds { return }
      guard now - first.moment >= Self.plainInterval, now - lastPlain >= Self.plainInterval else {
        return
      }
      lastPlain = now
      console.err("errand: \(progress.text(rate: nil))\n")
      return
    }
    guard now - first.moment >= Self.runPatience, momentOfUpdate() != nil else { return }
    let seconds = Double(now - first.moment) / 1000
    write(progress.text(rate: (progress.done - first.done) / seconds))
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
