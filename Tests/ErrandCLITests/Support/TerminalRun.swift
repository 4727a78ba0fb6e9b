import ErrandKit
import Glibc

/// A run of the program on a pseudoterminal, driven as a person would.
final class TerminalRun {
  private let master: Int32
  private let child: ChildProcess
  /// Its folder stays as long as the run.
  private let sandbox: Sandbox
  /// All that the program has written to its terminal so far.
  private(set) var transcript = ""
  private var bytes: [UInt8] = []
  /// How much of the transcript `expect` has gone past.
  private var seen = 0

  /// `TIOCSPTLCK` and `TIOCGPTN`.
  private static let setLock: UInt32 = 0x4004_5431
  private static let getNumber: UInt32 = 0x8004_5430

  /// Starts a program; `input` and `output` replace the terminal by files with that content or
  /// path, so that only the other streams are the terminal.
  init(
    _ program: String, _ words: [String], in sandbox: Sandbox, columns: Int, rows: Int,
    input: String?, output: String?
  ) throws {
    self.sandbox = sandbox
    // The headers hide `ptsname` and `unlockpt` from Swift; these are what they do on Linux.
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var number: Int32 = -1
    var isLocked: Int32 = 0
    guard master >= 0, ioctl(master, UInt(Self.setLock), &isLocked) == 0,
      ioctl(master, UInt(Self.getNumber), &number) == 0
    else { throw ChildProcess.Failure(reason: "there is no pseudoterminal") }
    let path = "/dev/pts/\(number)"
    var size = winsize(
      ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    var streams: [Int32: ChildProcess.Stream] = [
      0: .file(path, O_RDWR), 1: .file(path, O_RDWR), 2: .file(path, O_RDWR),
    ]
    if let input {
      try sandbox.write(input, to: ".terminal-input")
      streams[0] = .file(sandbox.path + "/.terminal-input", O_RDONLY)
    }
    if let output {
      try sandbox.write("", to: output)
      streams[1] = .file(sandbox.path + "/" + output, O_WRONLY)
    }
    child = try ChildProcess(
      program, words, environment: sandbox.environment, folder: sandbox.path, streams: streams)
    _ = fcntl(master, F_SETFL, fcntl(master, F_GETFL) | O_NONBLOCK)
  }

  deinit { close(master) }

  /// Types text; a line ends with `\n`, and Ctrl-C is `\u{3}`.
  func type(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
      if count > 0 { rest = rest.dropFirst(count) } else { usleep(500) }
    }
  }

  /// Waits until the program has written a text after what was last waited for.
  ///
  /// - Throws: when it ends, or writes nothing like it for long.
  func expect(_ text: String) throws {
    let deadline = Clock.seconds + ChildProcess.patience
    while true {
      read()
      let unseen = transcript.utf8.dropFirst(seen)
      if let found = unseen.firstRange(of: text.utf8) {
        seen = transcript.utf8.distance(from: transcript.utf8.startIndex, to: found.upperBound)
        return
      }
      if child.poll() != nil {
        read()
        if transcript.utf8.dropFirst(seen).firstRange(of: text.utf8) != nil { continue }
        throw ChildProcess.Failure(reason: "ended without “\(text)”:\n\(transcript)")
      }
      guard Clock.seconds < deadline else {
        throw ChildProcess.Failure(reason: "“\(text)” does not come:\n\(transcript)")
      }
      usleep(500)
    }
  }

  /// Waits for the end and gives the exit status.
  func finish() throws -> Int32 {
    let deadline = Clock.seconds + ChildProcess.patience
    while child.poll() == nil {
      // A program that nobody reads from would wait for ever.
      read()
      guard Clock.seconds < deadline else {
        throw ChildProcess.Failure(reason: "it does not end:\n\(transcript)")
      }
      usleep(500)
    }
    read()
    return try child.wait()
  }

  /// What is on the screen in the end, without escape sequences and with lines ended by `\n`.
  var text: String {
    var result = ""
    var isEscape = false
    for scalar in transcript.unicodeScalars {
      if scalar == "\u{1B}" {
        isEscape = true
      } else if isEscape {
        isEscape = scalar == "[" || !scalar.properties.isAlphabetic
      } else if scalar != "\r" {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private func read() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = Glibc.read(master, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    transcript = String(decoding: bytes, as: UTF8.self)
  }
}
