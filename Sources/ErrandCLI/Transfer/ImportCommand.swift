import Engine
import ErrandKit
import Exchange
import JSON
import Source

/// `errand import FILE|-`: takes in items from JSON Lines and from the files of other programs.
enum ImportCommand {
  static let command = Command(
    "import", "read items or bookmarks from a file", usage: "FILE|-",
    discussion: """
      FILE may be JSON Lines, bookmarks of a browser or of a service in any of their formats, or the
      folder of a browser's profile; what it is is found out. Running it again adds nothing twice.
      What cannot be taken in is reported with its line and skipped.
      """,
    flags: [
      Flag("from", .value("FORMAT"), "what the file is, such as netscape, csv, pocket or chrome"),
      Flag(
        "folders", .value("each|path|last|none"),
        "what tags the folders of bookmarks become [default each]"),
      Flag("dry-run", .toggle, "only count what would be created and merged"),
    ],
    serves: [.json, .events]
  ) { invocation, arguments in
    guard let path = arguments.words.first, arguments.words.count == 1 else {
      throw UsageError("`import` takes one file, or - for standard input")
    }
    let folders = arguments.last("folders") ?? FolderTags.each.rawValue
    guard let folderTags = FolderTags(rawValue: folders) else {
      throw UsageError("--folders can't be `\(folders)`", help: "it is each, path, last or none")
    }
    let request = Request(
      path: path == "-" ? nil : path, format: arguments.last("from"), folderTags: folderTags,
      isTrial: arguments.isOn("dry-run"), store: try invocation.storePath())
    let session = try invocation.session()
    let name = request.path?.split(separator: "/").last.map(String.init) ?? "standard input"
    return try invocation.asActivity(.import, "Import of \(name)") {
      try ImportCommand.run(
        request, session: session, console: invocation.console, mode: invocation.mode,
        progressed: { [board = invocation.activityBoard] lines, fraction in
          board?.progress(
            fraction.map { Progress(done: ($0 * 100).rounded(), total: 100) }
              ?? Progress(done: lines))
        })
    }
  }

  /// What a person asked of an import.
  struct Request {
    /// The file or the folder of a profile; nil for standard input.
    var path: String?
    /// The format or program that was named; nil to find out.
    var format: String?
    var folderTags = FolderTags.each
    /// Whether the store is left as it is.
    var isTrial = false
    /// Where the store is, beside which lines are put aside; nil for none.
    var store: String?
  }

  /// Takes in a file; the status to exit with.
  ///
  /// - Throws: what concerns the file or the store as a whole; a bad line does not end it.
  static func run(
    _ request: Request, session: Run, console: Console, mode: OutputMode = .plain,
    progressed: @escaping (_ lines: Int, _ fraction: Double?) -> Void = { _, _ in }
  ) throws -> Int32 {
    let path = try request.path.map { try ProfileFolder.file(at: $0) }
    let file =
      try path.map { try InputFile(path: $0) } ?? InputFile(descriptor: 0, name: "stdin")
    do {
      let summary = try take(file, path, request, session, console, progressed)
      let json = summary.json
      switch mode {
      case .json, .jsonLines: console.result(try JSONWriter().text(of: json) + "\n")
      case .events: session.front.result(Presentation(.text(""), value: json))
      case .plain, .format:
        console.out("\(request.isTrial ? "would have " : "")\(summary.text)\n")
      }
      return summary.isWhole ? ExitStatus.done : ExitStatus.failed
    } catch let error as ExchangeError {
      throw RunError(error, file: file.name)
    }
  }

  private static func take(
    _ file: InputFile, _ path: String?, _ request: Request, _ session: Run, _ console: Console,
    _ progressed: @escaping (Int, Double?) -> Void
  ) throws -> ImportSummary {
    let progress = ProgressLine(console: console, label: "importing")
    let badLines = BadLines(console: console, fileName: file.name, progress: progress)
    let size = file.size
    let aside = AsideLines(request.isTrial ? nil : request.store)
    let observer = ImportObserver(
      refused: badLines.report, shortened: badLines.warn, putAside: aside.keep,
      progressed: { lines, bytesRead in
        if lines % eventInterval == 0 {
          session.front.progress(Progress(done: lines))
        }
        let fraction = size.flatMap { $0 > 0 ? Double(bytesRead) / Double($0) : nil }
        progress.update(done: lines, fraction: fraction)
        if lines % eventInterval == 0 { progressed(lines, fraction) }
      })
    let temporaryFolder = ProcessEnvironment.value("TMPDIR") ?? "/tmp"
    let source = try ImportSource(
      ImportFile(path: path, read: file.read, rewind: file.rewind), from: request.format,
      folderTags: request.folderTags, temporaryFolder: temporaryFolder)
    let run = try ImportRun(
      source, ExchangeContext(session), observer: observer, temporaryFolder: temporaryFolder)
    defer {
      progress.clear()
      badLines.finish()
    }
    func expectSome(_ summary: ImportSummary) throws {
      guard let format = request.format, summary.lines == 0, source.guess != source.format else {
        return
      }
      throw ExchangeError.nothing(format: format, likely: source.guess.rawValue)
    }
    if request.isTrial {
      let summary = try run.tryAll()
      try expectSome(summary)
      return summary
    }
    do {
      try run.takeAll()
      try expectSome(run.summary)
      progress.clear()
      try tell(aside, console)
    } catch {
      run.stop()
      progress.clear()
      badLines.finish()
      try? tell(aside, console)
      tellStopped(run.summary, console)
      throw error
    }
    return run.summary
  }

  /// Says where lines are that were put aside.
  private static func tell(_ aside: AsideLines, _ console: Console) throws {
    guard let path = try aside.finish() else { return }
    console.err(
      "what was put aside is kept in \(path); once there are properties for it, import that file\n")
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
