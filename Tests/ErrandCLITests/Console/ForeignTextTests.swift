import TestSupport
import Testing

@testable import ErrandCLI

/// Texts from outside that contain every control character a terminal could act on.
@Suite struct ForeignTextTests {
  /// Every control character but NUL, which no argument or file name can contain, and every
  /// bidirectional mark.
  static let evil: String = {
    let codes: [UInt32] =
      Array(0x01...0x1F) + Array(0x7F...0x9F) + [0x061C, 0x200E, 0x200F]
      + Array(0x202A...0x202E) + Array(0x2066...0x2069)
    var text = "e".unicodeScalars
    for code in codes { text.append(Unicode.Scalar(code) ?? "?") }
    return String(text) + "vil"
  }()

  /// The same as a YAML or JSON string.
  static let quoted: String = {
    var text = "\"\\u0000"
    for scalar in evil.unicodeScalars {
      let digits = String(scalar.value, radix: 16)
      text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
    return text + "\""
  }()

  /// Returns forbidden characters of a text.
  private func steering(_ text: String) -> [String] {
    text.unicodeScalars.filter { scalar in
      switch scalar.value {
      case 0x09, 0x0A: false
      case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
      default: false
      }
    }.map { String($0.value, radix: 16) }
  }

  /// A home in which everything with a name or text has a hostile one.
  private func sandbox() throws -> Sandbox {
    let evil = Self.evil
    let file = """
      shortcut: evil
      title: \(Self.quoted)
      description: \(Self.quoted)
      parameters:
        p: {type: string, default: x, description: \(Self.quoted)}
      steps:
        - say: \(Self.quoted)
        - show: {value: [{a: \(Self.quoted)}], as: table}
        - log: \(Self.quoted)
      output: \(Self.quoted)
      ---
      shortcut: asks
      steps:
        - ask: {prompt: \(Self.quoted), suggestions: [\(Self.quoted)]}
      ---
      shortcut: fails
      steps: [{fail: {message: \(Self.quoted)}}]
      ---
      entity: Odd
      description: \(Self.quoted)
      properties: {t: {type: string, search: 1}, e: {type: enum, values: [\(Self.quoted)], default: \(Self.quoted)}}
      display: {name: {one: \(Self.quoted), other: \(Self.quoted)}}
      """
    let sandbox = try Sandbox([
      ".config/errand/\(evil).yaml": file, "wrong/\(evil).yaml": "shortcut: \(Self.quoted)\nx: 1\n",
      "p\(evil)/.errand/\(evil).yaml": file,
      "items.jsonl": """
      {"url":"https://x.org/1","title":\(Self.quoted),"tags":[\(Self.quoted)],"summary":\(Self.quoted)}
      {"entity":"Odd","t":\(Self.quoted)}
      {"url":\(Self.quoted)}
      {"entity":\(Self.quoted)}
      {\(Self.quoted):1}

      """,
    ])
    sandbox.environment["NO_COLOR"] = "1"
    sandbox.environment["TERM"] = "dumb"
    return sandbox
  }

  static let commands: [[String]] = [
    [evil], ["--\(evil)"], ["-\(evil)"], ["version", evil], ["help", evil], ["help", "evil"],
    ["help"],
    ["list", evil], ["list"], ["show", evil], ["show", "evil"], ["show", "Odd"],
    ["show", "link:1"],
    ["show", "link:\(evil)"], ["run", evil], ["run", "./\(evil).yaml"],
    ["run", "evil", "--p", evil],
    ["run", "wrong/\(evil).yaml"], ["run", "wrong/\(evil).yaml#\(evil)"], ["call", evil], ["evil"],
    ["evil", evil], ["evil", "-p", evil], ["evil", "-p", "\(evil)=1"], ["evil", "--\(evil)", "1"],
    ["evil", "--help"], ["fails"], ["asks", "--answer", "\(evil)=x"], ["asks", "--answer", "y=x"],
    ["find", evil], ["find", "links", evil], ["find", "links"], ["find", "Odd"],
    ["find", "links", "--where", evil], ["find", "links", "--sort", evil],
    ["find", "links", "--after", evil], ["find", "links", "--limit", evil],
    ["find", "links", evil, "--explain"], ["find", "links", "--format", "{{ self.title }}"],
    ["find", "links", "--format", evil], ["find", "links", "--format", "{{ \(evil) }}"],
    ["find", "links", "-0"], ["get", evil], ["get", "link:1"], ["get", "odd:1"],
    ["get", "link:\(evil)"],
    ["create", evil], ["create", "link", evil], ["create", "link", "url=\(evil)"],
    ["create", "Odd", "\(evil)=1"], ["create", "Odd", "t=\(evil)", "e=\(evil)"],
    ["create", "Odd", "t=x", "--on-conflict", evil], ["update", evil], ["update", "link:1", evil],
    ["update", "link:1", "title=\(evil)"], ["update", "link:1", "--add", evil],
    ["update", "link:1", "--remove", "tags=\(evil)"], ["delete", evil],
    ["tags"], ["tags", "--tree"], ["tags", "rename", evil, "x"],
    ["delete", "link:1", "--yes"],
    ["eval", evil], ["eval", quoted], ["eval", "x", "--var", "x=\(evil)"],
    ["eval", "x", "--vars", evil],
    ["import", evil], ["import", "items.jsonl"], ["export", evil], ["export"],
    ["changes", "--after", evil], ["changes"], ["undo", evil], ["undo"], ["redo", evil], ["redo"],
    ["check", evil], ["check"], ["fmt", evil], ["fmt", "wrong"], ["edit", evil],
    ["show", evil, "--as", "tree"], ["show", "evil", "--as", "mermaid"],
    ["runs", "--as", "shortcut", evil],
    ["test", evil], ["suggest"], ["suggest", "--dismiss", evil], ["runs", evil], ["runs"],
    ["log", evil], ["log"],
    ["resume", evil], ["retry", evil], ["cancel", evil], ["secret", "list"], ["vault", evil],
    ["convert", evil],
    ["widget", evil], ["widget", "tasks", "press", evil],
    ["share-in", evil], ["inbox"], ["inbox", "show", evil], ["queue"], ["queue", "retry", evil],
    ["lsp", evil], ["schema", evil], ["schema"], ["completion", evil], ["__complete", evil],
    ["serve", evil],
    ["serve", "token", "create", evil], ["serve", "token", "revoke", evil],
    ["serve", "token", "list"], ["serve", "--port", evil],
    ["mcp", evil], ["calendar", evil], ["calendar", "add", evil], ["browser", evil],
    ["browser-host", evil], ["shelf", evil], ["hub", evil],
    ["do", evil], ["phrases", evil], ["shelf", "keep", evil],
    ["shelf", "forget", evil], ["desktop", evil], ["follow", evil],
    ["follow", "errand://run/\(evil)"], ["new", "shortcut", evil], ["new", evil, "a"],
    ["mcp", "allow", evil],
    ["worker", "--status"], ["automations"], ["activity"], ["activity", evil],
    ["activity", "--as", evil],
    ["secret", "rm", evil], ["settings"], ["settings", "set", evil, evil],
    ["backup", "no/\(evil)"],
    ["backup", "b\(evil)"], ["vacuum", evil], ["vacuum"], ["trust", evil], ["trust", "p\(evil)"],
    ["doctor", evil], ["doctor"], ["doctor", "--rescue", "r\(evil)"],
    ["recent", "--store", "s\(evil)"],
    ["recent", "--store", "no/\(evil)"], ["doctor", "--store", "no\(evil)"],
    ["doctor", "--store", "p\(evil)"], ["list", "--catalog", evil], ["list", "--catalog", "wrong"],
    ["list", "--color", evil], ["recent", "--answer", evil], ["recent"], ["search", evil],
    ["save", evil], ["save", "https://x.org/\(evil)"],
    ["save", "https://x.org/2", "--title", evil],
    ["open", evil], ["share", "link:1", "--answer", "\(evil)=1"], ["add-note", evil],
    ["add-task", evil, "--due", evil], ["tasks"],
  ]

  @Test func everyCommandIsAmongThem() {
    let first = Set(Self.commands.compactMap(\.first))
    #expect(CommandTable.all.map(\.name).filter { !first.contains($0) } == [])
  }

  /// All commands share one home, so each sees the state left by earlier ones.
  @Test func nothingOfItReachesATerminal() throws {
    let sandbox = try sandbox()
    _ = try sandbox.run("import", "items.jsonl")
    for words in Self.commands {
      let terminal = try sandbox.terminal(words)
      // Questions are cancelled.
      terminal.type("\u{4}\u{4}")
      _ = try terminal.finish()
      // The terminal itself writes a carriage return before each line break, and `^D` with two
      // backspaces for typed input.
      let shown = terminal.transcript.replacing("\r\n", with: "\n").replacing(
        "^D\u{8}\u{8}", with: "")
      #expect(steering(shown) == [], "\(words.first ?? ""): \(shown.debugDescription)")
    }
  }

  /// Messages are for people even in a file; JSON has escapes instead.
  @Test func nothingOfItReachesAFileOfMessagesOrJSON() throws {
    let sandbox = try sandbox()
    _ = try sandbox.run("import", "items.jsonl")
    for words in Self.commands {
      let plain = try sandbox.run(words)
      #expect(steering(plain.err) == [], "\(words.first ?? ""): \(plain.err.debugDescription)")
      let json = try sandbox.run(words + ["--json"])
      #expect(steering(json.err) == [], "\(words.first ?? ""): \(json.err.debugDescription)")
      // Results other than JSON are written unchanged, such as the YAML of `show`; `-0` asks for
      // NUL.
      guard json.out.hasPrefix("{") || json.out.hasPrefix("["), !words.contains("-0") else {
        continue
      }
      #expect(steering(json.out) == [], "\(words.first ?? ""): \(json.out.debugDescription)")
    }
  }

  /// The name of an untrusted folder is shown by every command below it.
  @Test func theNameOfAFolderIsHarmless() throws {
    let sandbox = try sandbox()
    let run = try sandbox.shell(
      "cd p* && errand list > /dev/null; errand trust; errand list > /dev/null")
    #expect(run.err.contains("is not trusted"), "\(run)")
    #expect(steering(run.err) == [], "\(run.err.debugDescription)")
  }
}
