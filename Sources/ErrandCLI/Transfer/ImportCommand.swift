import Engine
import Exchange
import JSON

/// `errand import FILE|-`: takes in items from JSON Lines.
enum ImportCommand {
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
    case .json, .jsonLines: console.out(try JSONWriter().text(of: json) + "\n")
    case .events: session.front.result(Presentation(.text(""), value: json))
    case .plain, .format: console.out(summary.text + "\n")
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
