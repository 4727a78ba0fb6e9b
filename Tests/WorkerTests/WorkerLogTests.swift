import CEL
import Testing
import Worker

/// The format of log lines.
@Suite struct WorkerLogTests {
  private func line(isJSON: Bool, _ fields: [(String, Value)]) -> String {
    var text = ""
    WorkerLog(isJSON: isJSON, now: { Timestamp(seconds: 0) }, write: { text += $0 })
      .note("job done", level: .warning, fields)
    return text
  }

  @Test func logfmtQuotesDelimiters() {
    let fields: [(String, Value)] = [
      ("job", .int(7)), ("error", .string("a \"b\"\n\u{1B}c")), ("none", .null),
      ("empty", .string("")),
      ("word", .string("tidy")),
    ]
    #expect(
      line(isJSON: false, fields)
        == "time=1970-01-01T00:00:00Z level=warning message=\"job done\" job=7 "
        + "error=\"a \\\"b\\\"\\n?c\" empty=\"\" word=tidy\n")
  }

  @Test(arguments: [(WorkerLog.Level.info, "<6>"), (.warning, "<4>"), (.error, "<3>")])
  func journalLinesHaveSyslogPriorities(level: WorkerLog.Level, mark: String) {
    for isJSON in [false, true] {
      var text = ""
      WorkerLog(
        isJSON: isJSON, isForJournal: true, now: { Timestamp(seconds: 0) }, write: { text += $0 }
      ).note("job done", level: level)
      #expect(text.hasPrefix(mark + (isJSON ? "{" : "time=")), "\(text)")
    }
  }

  @Test func jsonLogHasOneObjectPerLine() {
    #expect(
      line(isJSON: true, [("job", .int(7)), ("error", .string("a\nb"))])
        == #"{"time":"1970-01-01T00:00:00Z","level":"warning","message":"job done","job":7,"error":"a\nb"}"#
        + "\n")
  }
}
