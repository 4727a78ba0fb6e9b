import FoundationEssentials

/// A page of the documents, whose examples are run from its beginning to its end in one home.
final class Page {
  private let blocks: [MarkdownBlock]
  private let sandbox: Sandbox
  private var mismatches: [String] = []

  /// The package's own folder, found from where this file stands.
  static let root: String = {
    let folders = #filePath.split(separator: "/").dropLast(3)
    return "/" + folders.joined(separator: "/")
  }()

  /// A page by its path in the package.
  convenience init(_ path: String) throws {
    let text = String(
      decoding: try Data(contentsOf: URL(filePath: Self.root + "/" + path)), as: UTF8.self)
    try self.init(text: text, named: path)
  }

  /// A page of a text.
  init(text: String, named name: String) throws {
    blocks = MarkdownBlock.all(in: text, named: name)
    sandbox = try Sandbox()
    sandbox.environment["ERRAND_ENRICH"] = nil
    // Transcripts show plain prompts and numbers.
    sandbox.environment["TERM"] = "dumb"
    sandbox.environment["NO_COLOR"] = "1"
    // A browser that only remembers what it was to show.
    try sandbox.write(
      "#!/bin/sh\nprintf '%s\\n' \"$1\" >> \"$HOME/opened\"\n", to: "bin/browser", isProgram: true)
    sandbox.environment["BROWSER"] = sandbox.path + "/bin/browser"
  }

  /// Runs every block that can be run, and gives what is not as the page says.
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

  /// Loads and checks definitions; one with a file stays for the blocks after it.
  private func load(_ block: MarkdownBlock) throws {
    var text = block.text
    if block.has("steps") { text = "shortcut: example\nsteps:\n" + text }
    let file = block.value("file").map { $0.hasPrefix("~/") ? String($0.dropFirst(2)) : $0 }
    if let file { try sandbox.write(text, to: file) }
    if block.has("wrong") { return }
    let example = ".config/errand/zz-example.yaml"
    // What lies outside the user's own layer is checked as if it lay there.
    let isOwn = file?.hasPrefix(".config/errand/") == true
    if !isOwn { try sandbox.write(text, to: example) }
    let run = try sandbox.run("doctor")
    expect(run.status == 0 && run.err == "", block, "\(run)")
    if run.status == 0, !block.has("doubtful") {
      let check = try sandbox.run("check", isOwn ? file ?? "" : example, "--quiet")
      expect(check == Run(), block, "\(check)")
    }
    if !isOwn { try FileManager.default.removeItem(atPath: sandbox.path + "/" + example) }
  }

  // MARK: Commands

  /// Whether a program of others is there that an example shows Errand with.
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
      // The page shows what was typed where a person would see it: at the end of a prompt.
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

  /// A line of output as it would be in everybody's home and on any machine, however slow.
  private func asOnAPage(_ line: String) -> String {
    line.replacing(sandbox.path, with: "/home/ada")
      .replacing(#/[0-9]+ minutes? ago/#, with: "just now")
  }

  // MARK: Expressions

  /// Evaluates lines such as `1 + 2  // 3`, two spaces before the `//`, in which the value is an expression, too.
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
