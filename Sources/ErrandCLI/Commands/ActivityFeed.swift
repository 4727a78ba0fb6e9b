import CEL
import Engine
import ErrandKit
import Source

/// Shows activities again whenever they change.
final class ActivityFeed {
  private let folder: ActivityFolder
  private let form: ActivityText.Form
  private let invocation: Invocation
  private var console: Console { invocation.console }
  /// What was shown last: the lines on a terminal, the texts of records by key elsewhere.
  private var shownLines = 0
  private var shown: [String: String] = [:]
  private var shownText = ""

  init(_ folder: ActivityFolder, _ form: ActivityText.Form, _ invocation: Invocation) {
    self.folder = folder
    self.form = form
    self.invocation = invocation
  }

  /// Goes on until the process is ended.
  func follow() throws {
    let watch = try ActivityWatch(folder)
    while true {
      let records = folder.current()
      try show(records)
      console.flush()
      watch.wait(while: records)
    }
  }

  private func show(_ records: [ActivityRecord]) throws {
    guard case .plain = invocation.mode else { return try write(records) }
    let text = ActivityText(
      form, style: console.style, now: SystemHost.now(),
      width: console.stdoutIsTerminal ? console.width : nil)
    let lines = text.lines(records)
    guard console.stdoutIsTerminal else { return tell(records, lines) }
    for _ in 0..<shownLines { console.out("\u{1B}[A\u{1B}[2K") }
    for line in lines { console.out(line + "\n") }
    shownLines = lines.count
  }

  /// Writes what is another than before, a line each; a bar wants its word once it is another.
  private func tell(_ records: [ActivityRecord], _ lines: [TerminalText]) {
    if form == .minimal {
      let line = lines.first ?? ""
      if line.text != shownText { console.out(line + "\n") }
      shownText = line.text
      return
    }
    let compact = ActivityText(.compact, style: console.style, now: SystemHost.now())
    for record in changed(records) {
      for line in compact.lines([record]) { console.out(line + "\n") }
    }
  }

  /// Writes each record that is another than before as JSON.
  private func write(_ records: [ActivityRecord]) throws {
    for record in changed(records) { try invocation.resultWriter.write(.list([record.value])) }
  }

  private func changed(_ records: [ActivityRecord]) -> [ActivityRecord] {
    let changed = records.filter { shown[$0.activity.key] != $0.text }
    shown = [:]
    for record in records { shown[record.activity.key] = record.text }
    return changed
  }
}
