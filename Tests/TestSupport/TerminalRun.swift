import Glibc

/// A run of the program on a pseudoterminal, driven like a person would.
package final class TerminalRun {
  private let master: Int32
  private let child: TestProcess
  /// Keeps the folder for the duration of the run.
  private let sandbox: Sandbox
  /// The output to the terminal so far.
  package private(set) var transcript = ""
  private var bytes: [UInt8] = []
  /// The length of the transcript that `expect` has consumed.
  private var seen = 0

  /// `TIOCSPTLCK` and `TIOCGPTN`.
  private static let setLock: UInt32 = 0x4004_5431
  private static let getNumber: UInt32 = 0x8004_5430

  /// Starts a program; `input` and `output` replace the terminal by a file with this content or
  /// path, for that stream only.
  package init(
    _ program: String, _ words: [String], in sandbox: Sandbox, columns: Int, rows: Int,
    input: String?, output: String?
  ) throws {
    self.sandbox = sandbox
    // `ptsname` and `unlockpt` are not visible in Swift; these calls do the same on Linux.
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var number: Int32 = -1
    var isLocked: Int32 = 0
    guard master >= 0, ioctl(master, UInt(Self.setLock), &isLocked) == 0,
      ioctl(master, UInt(Self.getNumber), &number) == 0
    else { throw TestProcess.Failure(reason: "there is no pseudoterminal") }
    let path = "/dev/pts/\(number)"
    var size = winsize(
      ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    var streams: [Int32: TestProcess.Stream] = [
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
    child = try TestProcess(
      program, words, environment: sandbox.environment, folder: sandbox.path, streams: streams)
    _ = fcntl(master, F_SETFL, fcntl(master, F_GETFL) | O_NONBLOCK)
  }

  deinit { close(master) }

  /// Types text; `
  /// ` ends a line, and `\u{3}` is Ctrl-C.
  package func type(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
      if count > 0 { rest = rest.dropFirst(count) } else { usleep(500) }
    }
  }

  /// Waits until the program writes a text after the last one waited for.
  ///
  /// - Throws: If the program ends or does not write it in time.
  package func expect(_ text: String) throws {
    let deadline = Clock.seconds + TestProcess.patience
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
        throw TestProcess.Failure(reason: "ended without “\(text)”:\n\(transcript)")
      }
      guard Clock.seconds < deadline else {
        throw TestProcess.Failure(reason: "“\(text)” does not come:\n\(transcript)")
      }
      usleep(500)
    }
  }

  /// Waits for the exit and returns the exit status.
  package func finish() throws -> Int32 {
    let deadline = Clock.seconds + TestProcess.patience
    while child.poll() == nil {
      // A program with unread output would block forever.
      read()
      guard Clock.seconds < deadline else {
        throw TestProcess.Failure(reason: "it does not end:\n\(transcript)")
      }
      usleep(500)
    }
    read()
    return try child.wait()
  }

  /// The final screen contents, without escape sequences and with `
  /// ` as line ends.
  package var text: String {
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
