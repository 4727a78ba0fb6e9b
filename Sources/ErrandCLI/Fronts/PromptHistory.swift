import ErrandKit
import Glibc

/// What a person answered at prompts before, the oldest first.
struct PromptHistory {
  private let file: PrivateFile

  /// The history in a file.
  init(path: String) {
    file = PrivateFile(path: path)
  }

  /// How large the file may grow before it is put aside, in bytes.
  private static let limit = 1 << 16
  /// How many lines are read.
  private static let lines = 500

  /// The latest lines.
  var latest: [String] {
    guard access(file.path, R_OK) == 0, let bytes = try? FileReader.bytes(of: file.path) else {
      return []
    }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").suffix(Self.lines)
      .map(String.init)
  }

  /// Adds an answer; those of several lines and long ones are not kept.
  func add(_ line: String) {
    guard !line.isEmpty, line.utf8.count < 1000, !line.contains("\n") else { return }
    // A prompt works without it.
    _ = file.append(line + "\n", limit: Self.limit)
  }
}
