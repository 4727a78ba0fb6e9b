import CEL
import Engine
import ErrandKit
import Exchange
import JSON
import POSIX
import Program
import Source
import Store

/// `errand import FILE|-`: imports items from JSON Lines or files of other programs.
struct ImportCommand {
  static let command = Command(
    "import", "read items of other programs from a file", usage: "FILE|FOLDER|-",
    discussion: """
      FILE is JSON Lines, bookmarks of a browser or service in any of their formats, the profile
      folder of a browser, a calendar, tasks or notes of other programs, or a folder or zip of all
      these; the format is detected.
      Importing a file again adds no duplicates, and what you wrote stays. What cannot be imported
      is reported.
      """,
    flags: [
      Flag("from", .value("FORMAT"), "the file's format, such as netscape, csv, pocket or chrome"),
      Flag(
        "folders", .value(FolderTags.allCases.map(\.rawValue).joined(separator: "|")),
        "how bookmark folders become tags [default each]"),
      Flag(
        "prefer", .value("ours|theirs"),
        "whose title, note or state stays where both have one [default ours; theirs for calendars]"),
      Flag(
        "dry-run", .toggle, "only show the first items and count what would be created and merged"),
    ],
    serves: [.json, .events]
  ) { invocation, arguments in
    guard let path = arguments.words.first, arguments.words.count == 1 else {
      throw UsageError(
        "`import` takes one file, or - for standard input", help: "errand import bookmarks.html")
    }
    try ImportCommand(path, invocation, arguments).run()
  }

  private let invocation: Invocation
  private let liveRun: Run
  private var console: Console { invocation.console }
  /// Path of the file or profile folder; nil for standard input.
  private let path: String?
  /// Name of the format or program; nil to detect it.
  private let format: String?
  private let folderTags: FolderTags
  /// Whether the file's values replace those that are stored; nil for the default of its format.
  private let prefersTheirs: Bool?
  /// Whether nothing is written.
  private let isDryRun: Bool
  private let aside: AsideLines
  private let files = FilesBeside()

  private init(_ path: String, _ invocation: Invocation, _ arguments: Arguments) throws {
    let folders = arguments.last("folders") ?? FolderTags.each.rawValue
    let folderTags = try FolderTags(rawValue: folders).expected(
      "--folders cannot be `\(folders)`", help: "choose each, path, last or none")
    self.folderTags = folderTags
    switch arguments.last("prefer") {
    case nil: prefersTheirs = nil
    case "ours"?: prefersTheirs = false
    case "theirs"?: prefersTheirs = true
    case let word?: throw UsageError("--prefer cannot be `\(word)`", help: "choose ours or theirs")
    }
    self.invocation = invocation
    self.path = path == "-" ? nil : path
    format = arguments.last("from")
    isDryRun = arguments.isOn("dry-run")
    aside = AsideLines(isDryRun ? nil : try invocation.storePath())
    liveRun = try invocation.openRun()
  }

  /// Imports the file.
  ///
  /// - Throws: Errors of the file or the store as a whole; a bad line is only reported.
  private func run() throws {
    let name = path?.split(separator: "/").last.map(String.init) ?? "standard input"
    try invocation.asActivity(.import, "Import of \(name)") {
      let (summary, problems) = try isDryRun ? rollingBack(takeAll) : takeAll()
      if let change = summary.change { console.err("errand: \(change)\n") }
      switch invocation.mode {
      case .json, .jsonLines: console.result(try JSONWriter().text(of: summary.json) + "\n")
      case .events:
        let result = Value.record(Record(summary.fields), ["problems": problems])
        liveRun.front.result(Presentation(.text(""), value: result))
      case .plain, .format: console.out("\(isDryRun ? "would have " : "")\(summary.text)\n")
      }
      if !summary.isWhole { invocation.status = ExitStatus.failed }
    }
  }

  /// Thrown to roll a transaction back.
  private struct RolledBack: Error {}

  /// Returns what `body` does in a transaction that is never committed.
  private func rollingBack<Outcome>(_ body: () throws -> Outcome) throws -> Outcome {
    var result: Result<Outcome, any Error> = .failure(RolledBack())
    do {
      try liveRun.store().transaction {
        result = Result { try body() }
        throw RolledBack()
      }
    } catch is RolledBack {}
    return try result.get()
  }

  /// Imports the file, or each file of a folder or a zip.
  private func takeAll() throws -> (ImportSummary, [Value]) {
    guard let path else { return try take(InputFile(descriptor: 0, name: "stdin"), nil) }
    if format == nil, ImportFiles.isZip(path) {
      let folder = "\(temporaryFolder)/errand-import-\(UInt64.random(in: .min ... .max))"
      try PrivateFolder(path: folder).make()
      defer { Folder.remove(folder) }
      try ImportFiles.unpack(path, to: folder)
      return try takeFolder(folder, named: path)
    }
    if let calendars = try CalendarFolder.file(of: path) { return try take(calendars, path) }
    guard let file = try ProfileFolder.file(at: path) else {
      return try takeFolder(path, named: path)
    }
    return try take(InputFile(path: file), file)
  }

  /// Imports each file of a folder by its kind; one of no kind is reported.
  private func takeFolder(_ folder: String, named name: String) throws -> (ImportSummary, [Value]) {
    var sum: ImportSummary?
    var problems: [Value] = []
    var refused: [(path: String, reason: String)] = []
    for path in try ImportFiles.all(in: folder) {
      let shown = name + path.dropFirst(folder.hasSuffix("/") ? folder.count - 1 : folder.count)
      do {
        let (summary, found) = try take(InputFile(path: path, name: shown), path)
        problems += found.prefix(BadLines.problemLimit - min(problems.count, BadLines.problemLimit))
        if sum == nil { sum = summary } else { sum?.add(summary) }
      } catch let error as RunError where error.code == .invalidValue {
        refused.append((path, error.message))
      }
    }
    // A file beside a note was imported with it.
    let left = refused.filter { [files] in !files.hasGiven($0.path) }
    for file in left.prefix(BadLines.limit) { console.err("left out: \(file.reason)\n") }
    if left.count > BadLines.limit {
      console.err("… and \(left.count - BadLines.limit) more files left out\n")
    }
    guard let sum else {
      throw RunError(
        .notFound, "no file in \(name) can be imported",
        help: "pass an exported file or a profile folder")
    }
    return (sum, problems)
  }

  private var temporaryFolder: String { ProcessEnvironment.value("TMPDIR") ?? "/tmp" }

  private func take(_ file: InputFile, _ path: String?) throws -> (ImportSummary, [Value]) {
    do { return try takeOne(file, path) } catch let error as ExchangeError {
      throw RunError(error, file: file.name)
    }
  }

  /// Number of items that a trial shows.
  private static let previewLimit = 5

  private func takeOne(_ file: InputFile, _ path: String?) throws -> (ImportSummary, [Value]) {
    var shown = 0
    let progress = ProgressLine(console: console, label: "importing")
    let badLines = BadLines(console: console, fileName: file.name, progress: progress)
    let size = file.size
    let observer = ImportObserver(
      refused: badLines.report, shortened: badLines.warn, putAside: aside.keep,
      previewed: { item in
        guard isDryRun, shown < Self.previewLimit, case .plain = invocation.mode else { return }
        shown += 1
        if let text = try? JSONWriter().text(of: item) {
          progress.clear()
          console.out("  \(text)\n")
        }
      },
      progressed: { lines, bytesRead in
        let fraction = size.flatMap { $0 > 0 ? Double(bytesRead) / Double($0) : nil }
        let isEvent = lines % Self.eventInterval == 0
        if isEvent {
          // Of a file whose size is known, the number of lines can be estimated.
          let total = fraction.map { max(lines, Int(Double(lines) / max($0, 0.001))) }
          liveRun.front.progress(Progress(done: lines, total: total))
        }
        progress.update(done: lines, fraction: fraction)
        if isEvent { show(lines, fraction) }
      })
    let source = try ImportSource(
      ImportFile(
        path: path, read: file.read, rewind: file.rewind, beside: files.beside(path),
        isNote: path.map(FilesBeside.isInVault) ?? false),
      from: format,
      folderTags: folderTags, temporaryFolder: temporaryFolder, zone: { liveRun.host.clock.zone })
    let run = try ImportRun(
      source, ExchangeContext(liveRun), observer: observer, temporaryFolder: temporaryFolder,
      prefersTheirs: prefersTheirs, isTrial: isDryRun)
    defer {
      progress.clear()
      badLines.finish()
    }
    do {
      try run.takeAll()
      let summary = run.summary
      if let format, summary.lines == 0, source.guess != source.format {
        throw ExchangeError.nothing(format: format, likely: source.guess.rawValue)
      }
      progress.clear()
      badLines.report(summary.leftOut)
      try reportAside()
      return (summary, badLines.problems)
    } catch  where !isDryRun {
      run.stop()
      progress.clear()
      badLines.report(run.summary.leftOut)
      badLines.finish()
      try? reportAside()
      reportStopped(run.summary)
      throw error
    }
  }

  /// Number of lines between progress events.
  private static let eventInterval = 4096

  /// Shows progress to other programs.
  private func show(_ lines: Int, _ fraction: Double?) {
    invocation.activityBoard?.progress(
      fraction.map { Progress(done: ($0 * 100).rounded(), total: 100) } ?? Progress(done: lines))
  }

  /// Reports the path of lines set aside.
  private func reportAside() throws {
    guard let path = try aside.finish() else { return }
    console.err(
      "properties put aside are saved in \(path); declare them and import that file\n")
  }

  /// Reports the items saved before an import was interrupted.
  private func reportStopped(_ summary: ImportSummary) {
    guard summary.created + summary.merged > 0 else { return }
    console.err(
      "errand: import stopped: \(summary.created) created and \(summary.merged) merged are saved; "
        + "running it again is safe\n")
  }
}
