import ErrandKit
import Glibc

/// History of prompt answers, oldest first.
struct PromptHistory {
  private let file: PrivateFile

  /// Opens the history in a file.
  init(path: String) { file = PrivateFile(path: path) }

  /// File size at which the history is rotated, in bytes.
  private static let limit = 1 << 16
  /// Number of lines that are read.
  private static let lines = 500

  /// The latest lines, oldest first.
  var latest: [String] {
    guard access(file.path, R_OK) == 0, let bytes = try? FileReader.bytes(of: file.path) else {
      return []
    }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").suffix(Self.lines)
      .map(String.init)
  }

  /// Appends an answer; multi-line and long answers are skipped.
  func add(_ line: String) {
    guard !line.isEmpty, line.utf8.count < 1000, !line.contains("\n") else { return }
    // Prompts work without a history.
    _ = file.append(line + "\n", limit: Self.limit)
  }
}
