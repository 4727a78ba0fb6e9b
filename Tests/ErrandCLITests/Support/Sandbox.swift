import ErrandKit
import FoundationEssentials
import Glibc
import Synchronization

/// A temporary folder in which `errand` runs with a home, a store and an environment of its own.
///
/// ```swift
/// let sandbox = try Sandbox(["hello.yaml": "shortcut: hello\nsteps: [{say: Hello}]"])
/// let run = try sandbox.run("run", "hello.yaml", input: "")
/// #expect(run == Run(out: "", err: "Hello\n"))
/// ```
final class Sandbox {
  /// The folder, which is also the working folder and the home.
  let path: String
  /// The environment of every run.
  var environment: [String: String]

  /// Where the built programs are: beside the tests.
  static let products: String = {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    let path = String(decoding: buffer.prefix(max(count, 0)).map(UInt8.init), as: UTF8.self)
    return String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
  }()

  /// A sandbox with files, by their paths inside it.
  init(_ files: [String: String] = [:]) throws {
    // The path with all links resolved, since a process sees that as its working folder.
    path =
      FileManager.default.temporaryDirectory.path + "/errand-cli-" + UUID().uuidString.prefix(8)
    environment = [
      "HOME": path, "PATH": "\(path)/bin:\(Self.products):/usr/local/bin:/usr/bin:/bin",
      "TZ": "UTC", "LANG": "C.UTF-8", "TERM": "xterm", "SWIFT_BACKTRACE": "enable=no",
      "ERRAND_CLIPBOARD": path + "/clipboard", "PAGER": "cat", "ERRAND_ALLOW": "all",
      "ERRAND_ENRICH": "off",
    ]
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    for (name, text) in files { try write(text, to: name) }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  // MARK: Files

  /// Writes a file, and the folders above it.
  func write(_ text: String, to name: String, isProgram: Bool = false) throws {
    guard isProgram else { return try write(bytes: Array(text.utf8), to: name) }
    try ChildProcess.starting.withLock { _ in try write(bytes: Array(text.utf8), to: name) }
    chmod(path + "/" + name, 0o755)
  }

  /// Writes a file of bytes, and the folders above it.
  func write(bytes: [UInt8], to name: String) throws {
    let file = path + "/" + name
    let folder = String(file[..<(file.lastIndex(of: "/") ?? file.endIndex)])
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(filePath: file))
  }

  /// The text of a file; nil when there is none.
  func read(_ name: String) -> String? {
    (try? Data(contentsOf: URL(filePath: path + "/" + name))).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  // MARK: Running

  /// Runs `errand` with words, and with standard input if any; nothing is a terminal.
  func run(_ words: String..., input: String? = nil) throws -> Run {
    try run(words, input: input.map { Array($0.utf8) })
  }

  /// Runs `errand` with words, and with bytes on standard input if any.
  func run(_ words: [String], input: [UInt8]? = nil) throws -> Run {
    try run(program: Self.products + "/errand", words, input: input)
  }

  /// Runs a script of the shell, where `errand` is in reach.
  func shell(_ script: String, input: String? = nil) throws -> Run {
    try run(program: "/bin/sh", ["-c", script], input: input.map { Array($0.utf8) })
  }

  private func run(program: String, _ words: [String], input: [UInt8]?) throws -> Run {
    let folder = try Sandbox.Streams(in: path, input: input)
    let child = try ChildProcess(
      program, words, environment: environment, folder: path,
      streams: [
        0: .file(folder.input, O_RDONLY), 1: .file(folder.out, O_WRONLY),
        2: .file(folder.err, O_WRONLY),
      ])
    let status = try child.wait()
    return Run(out: folder.text(of: folder.out), err: folder.text(of: folder.err), status: status)
  }

  /// Runs `errand` on a terminal of its own.
  func terminal(
    _ words: String..., columns: Int = 80, rows: Int = 24, input: String? = nil,
    output: String? = nil
  ) throws -> TerminalRun {
    try terminal(words, columns: columns, rows: rows, input: input, output: output)
  }

  /// Runs `errand` with a list of words on a terminal of its own.
  func terminal(
    _ words: [String], columns: Int = 80, rows: Int = 24, input: String? = nil,
    output: String? = nil
  ) throws -> TerminalRun {
    try TerminalRun(
      Self.products + "/errand", words, in: self, columns: columns, rows: rows, input: input,
      output: output)
  }

  /// The files that stand for the streams of one run.
  private struct Streams {
    let input: String
    let out: String
    let err: String

    init(in folder: String, input bytes: [UInt8]?) throws {
      let base = folder + "/.streams-" + UUID().uuidString.prefix(8)
      try FileManager.default.createDirectory(atPath: base, withIntermediateDirectories: true)
      out = base + "/out"
      err = base + "/err"
      try Data().write(to: URL(filePath: out))
      try Data().write(to: URL(filePath: err))
      guard let bytes else {
        input = "/dev/null"
        return
      }
      input = base + "/in"
      try Data(bytes).write(to: URL(filePath: input))
    }

    func text(of file: String) -> String {
      (try? Data(contentsOf: URL(filePath: file))).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
  }
}

/// What a run of the program came to.
struct Run: Equatable, CustomStringConvertible {
  /// Standard output, exactly.
  var out = ""
  /// Standard error, exactly.
  var err = ""
  /// The exit status; 128 and the number of the signal that ended it.
  var status: Int32 = 0

  var description: String { "status \(status)\n--- out\n\(out)--- err\n\(err)" }
}
