import CLinux
import Glibc
import POSIX
import Platform
package import Source

/// The desktop's clipboard, or a file if there is none.
package struct Clipboard: Sendable {
  /// An access path to a clipboard.
  package enum Place: Equatable {
    /// A file with the text.
    case file(String)
    /// Programs that write and read it.
    case programs(write: [String], read: [String])
  }

  private let note: @Sendable (TerminalText) -> Void
  private let places: [Place]
  /// The fallback file; nil without a home directory.
  private let keptPath: String?

  /// The timeout of a clipboard program.
  private static let timeout = Duration.seconds(2)
  /// The maximum size of text read from the clipboard, in bytes.
  private static let limit = 16 << 20

  /// Creates the clipboard for an environment.
  package init(
    environment: (String) -> String? = ProcessEnvironment.value,
    note: @escaping @Sendable (TerminalText) -> Void
  ) {
    self.note = note
    keptPath = Places(environment: environment, workingFolder: "/").map { $0.state + "/clipboard" }
    places = Self.places(environment) + [keptPath.map(Place.file)].compactMap(\.self)
  }

  /// The access paths to try, in order.
  package static func places(_ environment: (String) -> String?) -> [Place] {
    if let file = environment("ERRAND_CLIPBOARD") { return [.file(file)] }
    var places: [Place] = []
    if environment("WAYLAND_DISPLAY") != nil {
      places.append(.programs(write: ["wl-copy"], read: ["wl-paste", "--no-newline"]))
    }
    if environment("DISPLAY") != nil {
      let xclip = ["xclip", "-selection", "clipboard"]
      places += [
        .programs(write: xclip, read: xclip + ["-o"]),
        .programs(write: ["xsel", "-b", "-i"], read: ["xsel", "-b", "-o"]),
      ]
    }
    if environment("TMUX") != nil {
      places.append(
        .programs(write: ["tmux", "load-buffer", "-"], read: ["tmux", "save-buffer", "-"]))
    }
    return places
  }

  /// The text on the clipboard; nil if there is none.
  package func read() -> String? {
    for place in places {
      switch place {
      case .file(let path):
        let bytes = try? FileReader.bytes(of: path, limit: Self.limit)
        return bytes.flatMap { String(validating: $0, as: UTF8.self) }
      case .programs(_, let words):
        guard let bytes = Self.output(of: words) else { continue }
        return String(validating: bytes, as: UTF8.self).flatMap { $0.isEmpty ? nil : $0 }
      }
    }
    return nil
  }

  /// Writes text to the clipboard; false if even the fallback file failed.
  package func write(_ text: String) -> Bool {
    for place in places {
      switch place {
      case .file(let path):
        guard PrivateFile(path: path).write(text) else { return false }
        if path == keptPath { note("errand: no clipboard found; the text is in \(path)\n") }
        return true
      case .programs(let words, _):
        if Self.send(text, to: words) { return true }
      }
    }
    return false
  }

  private static func send(_ text: String, to words: [String]) -> Bool {
    let bytes = Array(text.utf8)
    let input = bytes.withUnsafeBytes { errand_sealed_file($0.baseAddress, $0.count) }
    guard input >= 0 else { return false }
    defer { close(input) }
    lseek(input, 0, SEEK_SET)
    guard let child = ChildProcess(words, input: input) else { return false }
    defer { child.end() }
    return child.wait(timeout) == 0
  }

  private static func output(of words: [String]) -> [UInt8]? {
    let deadline = MonotonicClock.milliseconds + timeout.milliseconds
    guard let pipe = try? Pipe(), let child = ChildProcess(words, output: pipe.writing)
    else { return nil }
    pipe.closeWriting()
    let bytes = pipe.readAll(limit: limit, deadline: deadline)
    if bytes == nil { child.end() }
    let status = child.wait(.milliseconds(deadline - MonotonicClock.milliseconds))
    child.end()
    return status == 0 ? bytes : nil
  }
}
