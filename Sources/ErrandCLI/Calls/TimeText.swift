import CEL
import Engine
import Program

/// Times in lists: short on a terminal, in full for other programs.
struct TimeText {
  private let renderer: Renderer
  /// Today's date; nil for full times.
  private let today: CivilDate?
  private let clock: LocalClock

  /// Creates the formatter for an invocation's lists.
  init(_ invocation: Invocation) throws {
    let run = try invocation.openRun()
    renderer = run.renderer
    clock = run.host.clock
    today =
      invocation.console.stdoutIsTerminal ? clock.time(at: run.host.now()).date : nil
  }

  /// Formats a time, such as `20:41`, `yesterday 20:41`, `22 Nov` or `22 Nov 2025`; future times include
  /// the time of day.
  func text(_ moment: Timestamp) -> String {
    guard let today else { return renderer.text(of: .timestamp(moment)) }
    let time = clock.time(at: moment)
    let minutes = time.minute < 10 ? "0\(time.minute)" : "\(time.minute)"
    let clock = (time.hour < 10 ? "0" : "") + "\(time.hour):\(minutes)"
    switch time.date {
    case today: return clock
    case today.adding(days: -1): return "yesterday \(clock)"
    case today.adding(days: 1): return "tomorrow \(clock)"
    default:
      let month = CalendarNames.months[time.date.month - 1].prefix(3)
      let day = "\(time.date.day) \(month)"
      let year = time.date.year == today.year ? "" : " \(time.date.year)"
      return day + year + (time.date > today ? " \(clock)" : "")
    }
  }
}
