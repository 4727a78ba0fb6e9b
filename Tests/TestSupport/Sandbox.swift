import FoundationEssentials
import Glibc
import Synchronization

/// A temporary folder with a home, a store and an environment in which to run `errand`.
///
/// ```swift
/// let sandbox = try Sandbox(["hello.yaml": "shortcut: hello\nsteps: [{say: Hello}]"])
/// let run = try sandbox.run("run", "hello.yaml", input: "")
/// #expect(run == ProgramRun(out: "", err: "Hello\n"))
/// ```
package final class Sandbox {
  /// The folder; also the working directory and the home.
  package let path: String
  /// The environment of all runs.
  package var environment: [String: String]

  /// The build folder of the programs, which is also that of the tests.
  package static let products: String = {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    let path = String(decoding: buffer.prefix(max(count, 0)).map(UInt8.init), as: UTF8.self)
    return String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
  }()

  /// Creates a sandbox with files, given by relative path.
  package init(_ files: [String: String] = [:]) throws {
    // Resolve symbolic links, since a process sees the resolved path as its working directory.
    path =
      FileManager.default.temporaryDirectory.path + "/errand-cli-" + UUID().uuidString.prefix(8)
    environment = [
      "HOME": path,
      "PATH": "\(path)/bin:\(Self.products):/usr/local/bin:/usr/bin:/bin",
      "TZ": "UTC", "LANG": "C.UTF-8", "TERM": "xterm", "SWIFT_BACKTRACE": "enable=no",
      "ERRAND_CLIPBOARD": path + "/clipboard", "PAGER": "cat", "ERRAND_ALLOW": "all",
      "ERRAND_ENRICH": "off",
    ]
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    for (name, text) in files { try write(text, to: name) }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  // MARK: Files

  /// Writes a file, and creates its parent folders.
  package func write(_ text: String, to name: String, isProgram: Bool = false) throws {
    guard text.hasPrefix("#!") || isProgram else {
      return try write(bytes: Array(text.utf8), to: name)
    }
    // A process that starts meanwhile would have the file open, and it could not be executed.
    try TestProcess.starting.withLock { _ in try write(bytes: Array(text.utf8), to: name) }
    if isProgram { chmod(path + "/" + name, 0o755) }
  }

  /// Writes a file of bytes, and creates its parent folders.
  package func write(bytes: [UInt8], to name: String) throws {
    let file = path + "/" + name
    let folder = String(file[..<(file.lastIndex(of: "/") ?? file.endIndex)])
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(filePath: file))
  }

  /// The text of a file; nil if it does not exist.
  package func read(_ name: String) -> String? {
    (try? Data(contentsOf: URL(filePath: path + "/" + name))).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  // MARK: Running

  /// Runs `errand` with arguments and optional standard input; no stream is a terminal.
  package func run(_ words: String..., input: String? = nil) throws -> ProgramRun {
    try run(words, input: input.map { Array($0.utf8) })
  }

  /// Runs `errand` with arguments and optional bytes as standard input.
  package func run(_ words: [String], input: [UInt8]? = nil) throws -> ProgramRun {
    try run(program: Self.products + "/errand", words, input: input)
  }

  /// Runs a shell script with `errand` in `PATH`.
  package func shell(_ script: String, input: String? = nil) throws -> ProgramRun {
    try run(program: "/bin/sh", ["-c", script], input: input.map { Array($0.utf8) })
  }

  private func run(program: String, _ words: [String], input: [UInt8]?) throws -> ProgramRun {
    let folder = try Sandbox.Streams(in: path, input: input)
    let child = try TestProcess(
      program, words, environment: environment, folder: path,
      streams: [
        0: .file(folder.input, O_RDONLY), 1: .file(folder.out, O_WRONLY),
        2: .file(folder.err, O_WRONLY),
      ])
    let status = try child.wait()
    return ProgramRun(
      out: folder.text(of: folder.out), err: folder.text(of: folder.err), status: status)
  }

  /// Runs `errand` on a terminal.
  package func terminal(
    _ words: String..., columns: Int = 80, rows: Int = 24, input: String? = nil,
    output: String? = nil
  ) throws -> TerminalRun {
    try terminal(words, columns: columns, rows: rows, input: input, output: output)
  }

  /// Runs `errand` with a list of arguments on a terminal.
  package func terminal(
    _ words: [String], columns: Int = 80, rows: Int = 24, input: String? = nil,
    output: String? = nil
  ) throws -> TerminalRun {
    try TerminalRun(
      Self.products + "/errand", words, in: self, columns: columns, rows: rows, input: input,
      output: output)
  }

  /// The files used as the streams of one run.
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

/// The result of a run of a program.
package struct ProgramRun: Equatable, CustomStringConvertible {
  /// The exact standard output.
  package var out: String
  /// The exact standard error.
  package var err: String
  /// The exit status; 128 plus the signal number if a signal ended it.
  package var status: Int32

  package init(out: String = "", err: String = "", status: Int32 = 0) {
    (self.out, self.err, self.status) = (out, err, status)
  }

  package var description: String { "status \(status)\n--- out\n\(out)--- err\n\(err)" }
}
