import Engine
import Exchange
import JSON
import Source

/// `errand import FILE|-`: takes in items from JSON Lines.
enum ImportCommand {
  static let command = Command(
    "import", "read items from JSON Lines", usage: "FILE|-",
    discussion: """
      A line is an object with the properties of an item; without `entity` it is a Link. Running
      it again adds nothing twice. Bad lines are reported with their number and skipped.
      """,
    serves: [.json, .events]
  ) { invocation, arguments in
    guard let path = arguments.words.first, arguments.words.count == 1 else {
      throw UsageError("`import` takes one file, or - for standard input")
    }
    return try ImportCommand.run(
      path: path == "-" ? nil : path, session: try invocation.session(),
      console: invocation.console, mode: invocation.mode)
  }

  /// Takes in a file, or standard input for nil; the status to exit with.
  ///
  /// - Throws: what concerns the file or the store as a whole; a bad line does not end it.
  static func run(
    path: String?, session: Run, console: Console, mode: OutputMode = .plain
  ) throws -> Int32 {
    let file =
      try path.map { try InputFile(path: $0) } ?? InputFile(descriptor: 0, name: "stdin")
    let progress = ProgressLine(console: console, label: "importing")
    let badLines = BadLines(console: console, fileName: file.name, progress: progress)
    let size = file.size
    let observer = ImportObserver(
      refused: badLines.report, shortened: badLines.warn,
      progressed: { lines, bytesRead in
        if lines % eventInterval == 0 {
          session.front.progress(Progress(done: lines))
        }
        let fraction = size.flatMap { $0 > 0 ? Double(bytesRead) / Double($0) : nil }
        progress.update(done: lines, fraction: fraction)
      })
    let run = try ImportRun(
      ExchangeContext(session), observer: observer,
      temporaryFolder: Environment.value("TMPDIR") ?? "/tmp", read: file.read)
    do {
      try run.takeAll()
    } catch {
      run.stop()
      progress.clear()
      badLines.finish()
      tellStopped(run.summary, console)
      throw (error as? ExchangeError).map { RunError($0, file: file.name) } ?? error
    }
    progress.clear()
    badLines.finish()
    let summary = run.summary
    let json = summary.json
    switch mode {
    case .json, .jsonLines: console.result(try JSONWriter().text(of: json) + "\n")
    case .events: session.front.result(Presentation(.text(""), value: json))
    case .plain, .format: console.out("\(summary.text)\n")
    }
    return summary.bad == 0 ? ExitStatus.done : ExitStatus.failed
  }

  /// After how many lines another program hears of the progress.
  private static let eventInterval = 4096

  /// Says what is safe when the import could not go on.
  private static func tellStopped(_ summary: ImportSummary, _ console: Console) {
    guard summary.created + summary.merged > 0 else { return }
    console.err(
      "errand: the import stopped after created \(summary.created), merged \(summary.merged); "
        + "these are kept, and running it again adds nothing twice\n")
  }
}
