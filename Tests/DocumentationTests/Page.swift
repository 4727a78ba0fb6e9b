import FoundationEssentials
import TestSupport

/// A documentation page, whose examples run in order in one home folder.
final class Page {
  private let blocks: [MarkdownBlock]
  private let sandbox: Sandbox
  private var mismatches: [String] = []

  /// The package folder, located from this file.
  static let root: String = {
    let folders = #filePath.split(separator: "/").dropLast(3)
    return "/" + folders.joined(separator: "/")
  }()

  /// The pages of the language reference.
  static let languagePages: [String] = {
    let names = try? FileManager.default.contentsOfDirectory(atPath: root + "/docs/language")
    return (names ?? []).sorted().map { "docs/language/" + $0 }
  }()

  /// Reads a page by its path in the package. A line `<!-- uses OTHER.md -->` adds the definitions
  /// that another page of its folder puts into the home.
  convenience init(_ path: String) throws {
    let text = try Self.text(of: path)
    try self.init(text: text, named: path)
    for match in text.matches(of: #/<!-- uses ([a-z-]+\.md) -->/#) {
      let other = path[...(path.lastIndex(of: "/") ?? path.startIndex)] + match.1
      let blocks = MarkdownBlock.all(in: try Self.text(of: String(other)), named: String(other))
      for block in blocks {
        guard let file = block.value("file"), file.hasPrefix("~/") else { continue }
        try sandbox.write(block.text, to: String(file.dropFirst(2)))
      }
    }
  }

  static func text(of path: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: root + "/" + path)), as: UTF8.self)
  }

  /// Creates a page from text.
  init(text: String, named name: String) throws {
    blocks = MarkdownBlock.all(in: text, named: name)
    sandbox = try Sandbox()
    sandbox.environment["ERRAND_ENRICH"] = nil
    // Transcripts show plain prompts and numbers.
    sandbox.environment["TERM"] = "dumb"
    sandbox.environment["NO_COLOR"] = "1"
    // A browser that only records the addresses it opens.
    try sandbox.write(
      "#!/bin/sh\nprintf '%s\\n' \"$1\" >> \"$HOME/opened\"\n", to: "bin/browser", isProgram: true)
    sandbox.environment["BROWSER"] = sandbox.path + "/bin/browser"
  }

  /// Runs every runnable block and returns the mismatches.
  func run() -> [String] {
    for block in blocks {
      do {
        try run(block)
      } catch {
        expect(false, block, "\(error)")
      }
    }
    return mismatches
  }

  private func run(_ block: MarkdownBlock) throws {
    switch block.language {
    case "yaml": try load(block)
    case "console" where block.values("needs").allSatisfy(Self.isInstalled): try play(block)
    case "cel": try evaluate(block)
    default: break
    }
  }

  private func expect(
    _ isRight: Bool, _ block: MarkdownBlock, _ mismatch: @autoclosure () -> String
  ) {
    if !isRight { mismatches.append("\(block.place): \(mismatch())") }
  }

  // MARK: Definitions

  /// Loads and checks definitions; one with a file stays for later blocks.
  private func load(_ block: MarkdownBlock) throws {
    var text = block.text
    if block.has("steps") { text = "shortcut: example\nsteps:\n" + text }
    let file = block.value("file").map { $0.hasPrefix("~/") ? String($0.dropFirst(2)) : $0 }
    if let file { try sandbox.write(text, to: file) }
    if block.has("wrong") { return }
    let example = ".config/errand/zz-example.yaml"
    // Definitions outside the user's layer are checked as if they were in it.
    let isOwn = file?.hasPrefix(".config/errand/") == true
    if !isOwn { try sandbox.write(text, to: example) }
    let run = try sandbox.run("doctor")
    expect(run.status == 0 && run.err == "", block, "\(run)")
    if run.status == 0, !block.has("doubtful") {
      let check = try sandbox.run("check", isOwn ? file ?? "" : example, "--quiet")
      expect(check == ProgramRun(), block, "\(check)")
    }
    if !isOwn { try FileManager.default.removeItem(atPath: sandbox.path + "/" + example) }
  }

  // MARK: Commands

  /// Whether the third-party program used by an example is installed.
  private static func isInstalled(_ program: String) -> Bool {
    ["/usr/local/bin/", "/usr/bin/", "/bin/"].contains {
      FileManager.default.isExecutableFile(atPath: $0 + program)
    }
  }

  private func play(_ block: MarkdownBlock) throws {
    let transcript = Transcript(block.lines)
    try sandbox.write(transcript.script, to: ".script")
    let terminal = try TerminalRun(
      "/bin/bash", [sandbox.path + "/.script"], in: sandbox, columns: 100, rows: 24, input: nil,
      output: nil)
    for answer in block.values("types") {
      // The page shows typed input where a person would see it: after a prompt.
      guard let prompt = transcript.prompt(before: answer) else {
        expect(false, block, "no line ends with “\(answer)”")
        continue
      }
      try terminal.expect(prompt)
      terminal.type(answer + "\n")
    }
    _ = try terminal.finish()
    let outputs = transcript.outputs(of: terminal.text)
    for (entry, output) in zip(transcript.entries, outputs) {
      let output = output.map(asOnAPage)
      expect(
        OutputPattern(entry.output).matches(output), block,
        """
        $ \(entry.command)
        --- the page
        \(entry.output.joined(separator: "\n"))
        --- the program
        \(output.joined(separator: "\n"))
        """)
    }
    expect(outputs.count == transcript.entries.count, block, terminal.text)
  }

  /// Normalizes a line of output: home folder, machine and timings.
  private func asOnAPage(_ line: String) -> String {
    line.replacing(sandbox.path, with: "/home/ada")
      .replacing(#/[0-9]+ minutes? ago/#, with: "just now")
  }

  // MARK: Expressions

  /// Evaluates lines such as `1 + 2  // 3`; the value after two spaces and `//` is an expression,
  /// too.
  private func evaluate(_ block: MarkdownBlock) throws {
    for line in block.lines {
      guard let comment = line.firstRange(of: "  // ") else { continue }
      let expression = String(line[..<comment.lowerBound])
      let value = line[comment.upperBound...].drop { $0 == " " }
      if value.hasPrefix("error: ") {
        let run = try sandbox.run("eval", expression)
        expect(run.err.contains(value), block, "\(line)\n\(run)")
      } else {
        let run = try sandbox.run("eval", "[\(expression)] == [\(value)]")
        if run.out == "true\n" { continue }
        let shown = try sandbox.run("eval", expression)
        expect(false, block, "\(line)\n\(shown)")
      }
    }
  }
}
