import CEL
import CLinux
import Engine
import ErrandKit
import Glibc
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

  /// How long until lengths of time are shown anew, in nanoseconds.
  private static let pause: Int64 = 1_000_000_000

  init(_ folder: ActivityFolder, _ form: ActivityText.Form, _ invocation: Invocation) {
    self.folder = folder
    self.form = form
    self.invocation = invocation
  }

  /// Goes on until the process is ended.
  func follow() throws {
    do throws(Diagnostic) {
      try PrivateFolder(path: folder.path).make()
    } catch {
      throw RunError(.io, error.message)
    }
    let watch = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    defer { close(watch) }
    inotify_add_watch(watch, folder.path, UInt32(IN_MOVED_TO | IN_DELETE))
    while true {
      let records = folder.current()
      try show(records)
      console.flush()
      var polled = pollfd(fd: watch, events: Int16(POLLIN), revents: 0)
      // Where nothing goes on, only a file that comes can change that.
      _ = errand_poll(&polled, 1, records.isEmpty ? -1 : Self.pause)
      var buffer = [UInt8](repeating: 0, count: 16 << 10)
      while read(watch, &buffer, buffer.count) > 0 {}
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
