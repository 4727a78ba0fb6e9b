import POSIX
package import Source
import System

/// The clipboard of the person's desktop, or what stands for it where there is none.
package struct Clipboard: Sendable {
  /// A way to a clipboard.
  package enum Place: Equatable {
    /// A file that holds the text.
    case file(String)
    /// Programs that take and give it.
    case programs(write: [String], read: [String])
  }

  private let note: @Sendable (TerminalText) -> Void
  private let places: [Place]
  /// Where text is kept when no place works; nil where no folder for it is known.
  private let keptPath: String?

  /// How long a clipboard program may take.
  private static let patience = 2000
  /// How much text is taken from a clipboard, in bytes.
  private static let limit = 16 << 20

  /// The clipboard that an environment offers.
  package init(
    environment: (String) -> String? = ProcessEnvironment.value,
    note: @escaping @Sendable (TerminalText) -> Void
  ) {
    self.note = note
    places = Self.places(environment)
    keptPath = Places(environment: environment, workingFolder: "/").map { $0.state + "/clipboard" }
  }

  /// The places to try, the best first.
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

  /// The text on the clipboard; nil when there is none.
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
    let kept = keptPath.flatMap { try? FileReader.bytes(of: $0, limit: Self.limit) }
    return kept.flatMap { String(validating: $0, as: UTF8.self) }
  }

  /// Puts text on the clipboard; false when not even a file could take it.
  package func write(_ text: String) -> Bool {
    for place in places {
      switch place {
      case .file(let path):
        return PrivateFile(path: path).write(text)
      case .programs(let words, _):
        if Self.give(text, to: words) { return true }
      }
    }
    guard let keptPath, PrivateFile(path: keptPath).write(text) else { return false }
    note("errand: no clipboard was found; the text is in \(keptPath)\n")
    return true
  }

  private static func give(_ text: String, to words: [String]) -> Bool {
    let deadline = MonotonicClock.milliseconds + patience
    guard let pipe = try? Pipe(), let child = ChildProcess(words, input: pipe.reading)
    else { return false }
    pipe.closeReading()
    let isTaken = pipe.write(Array(text.utf8), deadline: deadline)
    pipe.closeWriting()
    // What keeps the pipe open may be a child of a program that has ended itself.
    if !isTaken { child.end() }
    let status = child.wait(milliseconds: deadline - MonotonicClock.milliseconds)
    child.end()
    return isTaken && status == 0
  }

  private static func output(of words: [String]) -> [UInt8]? {
    let deadline = MonotonicClock.milliseconds + patience
    guard let pipe = try? Pipe(), let child = ChildProcess(words, output: pipe.writing)
    else { return nil }
    pipe.closeWriting()
    let bytes = pipe.readAll(limit: limit, deadline: deadline)
    if bytes == nil { child.end() }
    let status = child.wait(milliseconds: deadline - MonotonicClock.milliseconds)
    child.end()
    return status == 0 ? bytes : nil
  }
}
