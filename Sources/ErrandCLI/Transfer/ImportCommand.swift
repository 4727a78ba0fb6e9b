import Engine
import ErrandKit
import Exchange
import JSON
import Source

/// `errand import FILE|-`: takes in items from JSON Lines and from the files of other programs.
struct ImportCommand {
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
        "folders", .value(FolderTags.allCases.map(\.rawValue).joined(separator: "|")),
        "what tags the folders of bookmarks become [default each]"),
      Flag("dry-run", .toggle, "only count what would be created and merged"),
    ],
    serves: [.json, .events]
  ) { invocation, arguments in
    guard let path = arguments.words.first, arguments.words.count == 1 else {
      throw UsageError("`import` takes one file, or - for standard input")
    }
    return try ImportCommand(path, invocation, arguments).run()
  }

  private let invocation: Invocation
  private let session: Run
  private var console: Console { invocation.console }
  /// The file or the folder of a profile; nil for standard input.
  private let path: String?
  /// The format or program that was named; nil to find out.
  private let format: String?
  private let folderTags: FolderTags
  /// Whether the store is left as it is.
  private let isTrial: Bool
  private let aside: AsideLines

  private init(_ path: String, _ invocation: Invocation, _ arguments: ParsedArguments) throws {
    let folders = arguments.last("folders") ?? FolderTags.each.rawValue
    guard let folderTags = FolderTags(rawValue: folders) else {
      throw UsageError("--folders can't be `\(folders)`", help: "it is each, path, last or none")
    }
    self.folderTags = folderTags
    self.invocation = invocation
    self.path = path == "-" ? nil : path
    format = arguments.last("from")
    isTrial = arguments.isOn("dry-run")
    aside = AsideLines(isTrial ? nil : try invocation.storePath())
    session = try invocation.session()
  }

  /// Takes in the file; the status to exit with.
  ///
  /// - Throws: what concerns the file or the store as a whole; a bad line does not end it.
  private func run() throws -> Int32 {
    let name = path?.split(separator: "/").last.map(String.init) ?? "standard input"
    return try invocation.asActivity(.import, "Import of \(name)") {
      let path = try path.map { try ProfileFolder.file(at: $0) }
      let file =
        try path.map { try InputFile(path: $0) } ?? InputFile(descriptor: 0, name: "stdin")
      do {
        let summary = try take(file, path)
        switch invocation.mode {
        case .json, .jsonLines: console.result(try JSONWriter().text(of: summary.json) + "\n")
        case .events: session.front.result(Presentation(.text(""), value: summary.json))
        case .plain, .format: console.out("\(isTrial ? "would have " : "")\(summary.text)\n")
        }
        return summary.isWhole ? ExitStatus.done : ExitStatus.failed
      } catch let error as ExchangeError {
        throw RunError(error, file: file.name)
      }
    }
  }

  private func take(_ file: InputFile, _ path: String?) throws -> ImportSummary {
    let progress = ProgressLine(console: console, label: "importing")
    let badLines = BadLines(console: console, fileName: file.name, progress: progress)
    let size = file.size
    let observer = ImportObserver(
      refused: badLines.report, shortened: badLines.warn, putAside: aside.keep,
      progressed: { lines, bytesRead in
        let fraction = size.flatMap { $0 > 0 ? Double(bytesRead) / Double($0) : nil }
        let isEvent = lines % Self.eventInterval == 0
        if isEvent { session.front.progress(Progress(done: lines)) }
        progress.update(done: lines, fraction: fraction)
        if isEvent { show(lines, fraction) }
      })
    let temporaryFolder = ProcessEnvironment.value("TMPDIR") ?? "/tmp"
    let source = try ImportSource(
      ImportFile(path: path, read: file.read, rewind: file.rewind), from: format,
      folderTags: folderTags, temporaryFolder: temporaryFolder)
    let run = try ImportRun(
      source, ExchangeContext(session), observer: observer, temporaryFolder: temporaryFolder)
    defer {
      progress.clear()
      badLines.finish()
    }
    do {
      let summary = isTrial ? try run.tryAll() : try takeAll(run)
      if let format, summary.lines == 0, source.guess != source.format {
        throw ExchangeError.nothing(format: format, likely: source.guess.rawValue)
      }
      progress.clear()
      try tellAside()
      return summary
    } catch  where !isTrial {
      run.stop()
      progress.clear()
      badLines.finish()
      try? tellAside()
      tellStopped(run.summary)
      throw error
    }
  }

  private func takeAll(_ run: ImportRun) throws -> ImportSummary {
    try run.takeAll()
    return run.summary
  }

  /// After how many lines another program hears of the progress.
  private static let eventInterval = 4096

  /// Shows other programs how far it has come.
  private func show(_ lines: Int, _ fraction: Double?) {
    invocation.activityBoard?.progress(
      fraction.map { Progress(done: ($0 * 100).rounded(), total: 100) } ?? Progress(done: lines))
  }

  /// Says where lines are that were put aside.
  private func tellAside() throws {
    guard let path = try aside.finish() else { return }
    console.err(
      "what was put aside is kept in \(path); once there are properties for it, import that file\n")
  }

  /// Says what is safe when the import could not go on.
  private func tellStopped(_ summary: ImportSummary) {
    guard summary.created + summary.merged > 0 else { return }
    console.err(
      "errand: the import stopped after created \(summary.created), merged \(summary.merged); "
        + "these are kept, and running it again adds nothing twice\n")
  }
}
