import Engine
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
    case .events: session.front.result(Presentation(.text(""), value: json))
    case .plain, .format: console.out(summary.text + "\n")
    }
    return summary.bad == 0 ? ExitStatus.done : ExitStatus.failed
  }
}
