import Source

/// Tells of the lines that could not be taken in: the first ones each, the rest by their number.
final class BadLines {
  private let console: Console
  private let fileName: String
  private let progress: ProgressLine
  /// How many there were.
  private(set) var count = 0

  init(console: Console, fileName: String, progress: ProgressLine) {
    self.console = console
    self.fileName = fileName
    self.progress = progress
  }

  /// How many are told of one by one.
  private static let limit = 20

  /// Tells why a line is bad.
  func report(_ line: Int, _ message: String) {
    count += 1
    note(line, message, count)
  }

  /// Tells of something left out of a line that was taken in otherwise.
  func warn(_ line: Int, _ message: String) {
    warnings += 1
    note(line, message, warnings)
  }

  private var warnings = 0

  private func note(_ line: Int, _ message: String, _ count: Int) {
    guard count <= Self.limit else { return }
    progress.clear()
    console.err("\(fileName):\(line): \(message)\n")
  }

  /// Tells how many lines were not told of.
  func finish() {
    for (count, what) in [(count, "bad lines"), (warnings, "lines with something left out")]
    where count > Self.limit {
      console.err("… and \(count - Self.limit) more \(what)\n")
    }
  }
}
