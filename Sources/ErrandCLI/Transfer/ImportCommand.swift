import CEL
import Engine
import JSON
import Source
import Store

/// `errand import FILE|-`: takes in items from JSON Lines.
enum ImportCommand {
  /// Takes in a file, or standard input for nil; the status to exit with.
  ///
  /// - Throws: what concerns the file or the store as a whole; a bad line does not end it.
  static func run(
    path: String?, session: Session, console: Console, mode: OutputMode = .plain
  ) throws -> Int32 {
    let file =
      try path.map { try InputFile(path: $0) } ?? InputFile(descriptor: 0, name: "stdin")
    let run = try ImportRun(file, session, console)
    do {
      try run.takeAll()
    } catch {
      run.tellStopped()
      throw error
    }
    let summary = run.summary
    let json = summary.json
    switch mode {
    case .json, .jsonLines: console.out(try JSONWriter().text(of: json) + "\n")
    case .events: (session.front as? EventsFront)?.result(try JSONWriter().text(of: json))
    case .plain, .format: console.out(summary.text + "\n")
    }
    return summary.bad == 0 ? ExitStatus.done : ExitStatus.failed
  }
}

/// What became of the lines of an import; blank lines are none.
struct ImportSummary: Equatable {
  var created = 0
  var merged = 0
  var bad = 0
  var lines = 0

  /// The sentence at the end, whose numbers add up.
  var text: String { "created \(created), merged \(merged), bad \(bad) of \(lines) lines" }

  /// The numbers for other programs.
  var json: Value {
    .map(
      MapValue([
        ("created", .int(Int64(created))), ("merged", .int(Int64(merged))),
        ("bad", .int(Int64(bad))), ("lines", .int(Int64(lines))),
      ]))
  }
}
