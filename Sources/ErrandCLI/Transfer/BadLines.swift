import CEL
import ErrandKit
import Exchange
import Source

/// Reports bad lines: the first ones individually, the rest as a count.
final class BadLines {
  private let console: Console
  private let fileName: String
  private let progress: ProgressLine
  private var count = 0
  /// The first bad lines and those with something left out, for other programs.
  private(set) var problems: [Value] = []

  init(console: Console, fileName: String, progress: ProgressLine) {
    self.console = console
    self.fileName = fileName
    self.progress = progress
  }

  /// Number of lines reported individually.
  static let limit = 20
  /// Number of lines kept for other programs.
  static let problemLimit = 200

  /// Reports a bad line.
  func report(_ line: Int, _ message: String) {
    count += 1
    note(line, message, count)
  }

  /// Reports data omitted from an imported line.
  func warn(_ line: Int, _ message: String) {
    warnings += 1
    note(line, message, warnings)
  }

  /// Reports what was left out of the whole file, each kind in a line.
  func report(_ leftOut: [ImportSummary.LeftOut]) {
    for (index, kind) in leftOut.enumerated() { note(kind.line, kind.text, index + 1) }
    kinds = leftOut.count
  }

  private var warnings = 0
  private var kinds = 0

  private func note(_ line: Int, _ message: String, _ count: Int) {
    if problems.count < Self.problemLimit {
      problems.append(.record(["line": line, "message": message]))
    }
    guard count <= Self.limit else { return }
    progress.clear()
    console.err("\(fileName):\(line): \(message)\n")
  }

  /// Reports the number of further lines, once.
  func finish() {
    defer { (count, warnings, kinds) = (0, 0, 0) }
    let all = [
      (count, "bad lines"), (warnings, "lines with something left out"),
      (kinds, "kinds of parts left out, which --json lists"),
    ]
    for (count, what) in all
    where count > Self.limit {
      console.err("… and \(count - Self.limit) more \(what)\n")
    }
  }
}
