import CEL
import JSON
import TestSupport
import Testing

/// The transcript of a run: printed, kept with the record, and shown by `errand log`.
@Suite struct TranscriptTests {
  private static let all = """
    shortcut: all
    steps:
      - say: Good to see you.
      - ask: {prompt: Which day?, type: date}
        as: day
      - choose: {from: [Oslo, Rome], prompt: Which towns?, many: true}
        as: towns
      - repeat: 3
        index: n
        do:
          - progress: {done: '{{ n + 1 }}', total: 3, label: Sorting}
      - activity: {key: a, title: Washing, progress: 0.5}
      - show: {value: '{{ [{"town": "Oslo", "rain": 2}] }}', as: table}
      - show: {value: '{{ {"author": "Ada"} }}'}
      - show: {value: "# One\\n\\nTwo", as: markdown}
      - create: {entity: Note, set: {text: A note}}
        as: note
      - show: '{{ note }}'
      - confirm: Sure?
      - return: '{{ towns }}'
    """

  private static let answers = """
    {"answer": "someday"}
    {"answer": "2026-12-24"}
    {"answer": ["Oslo", 2]}
    {"answer": true}

    """

  private func entries(_ text: String) throws -> [MapValue] {
    try text.split(separator: "\n").compactMap {
      if case .map(let map) = try JSONParser().parse(String($0)) { map } else { nil }
    }
  }

  /// The transcript that is kept with the latest run.
  private func kept(in sandbox: Sandbox) throws -> [MapValue] {
    guard case .map(let map) = try JSONParser().parse(sandbox.run("log", "--json").out),
      case .list(let entries)? = map["transcript"]
    else { return [] }
    return entries.compactMap { if case .map(let map) = $0 { map } else { nil } }
  }

  private func words(_ entries: [MapValue]) -> [String] {
    entries.map { entry in
      ["kind", "as", "form", "control", "problem", "answer", "state"].compactMap { name in
        switch entry[name] {
        case .string(let text)?: text
        case .bool(let flag)?: "\(flag)"
        case .list(let values)?: values.map(\.text).joined(separator: "+")
        default: nil
        }
      }.joined(separator: " ")
    }
  }

  private static let expected = [
    "say", "question ask date 2026-12-24", "question choose many-of Oslo+Rome", "progress",
    "activity active", "show table", "show text", "show markdown", "show card",
    "question confirm switch true", "result text", "ended done",
  ]

  @Test func hasAnEntryOfEachKind() throws {
    let sandbox = try Sandbox(["t.yaml": Self.all])
    let run = try sandbox.run("run", "./t.yaml", "--transcript", input: Self.answers)
    #expect(run.status == 0 && run.err == "", "\(run)")
    let entries = try entries(run.out)
    #expect(entries.map { $0["number"] } == (1...Int64(entries.count)).map { .int($0) })
    // A later entry replaces an earlier one for a client that reads to the end.
    var shown: [(place: Value, entry: MapValue)] = []
    for entry in entries {
      let place = entry["replaces"] ?? entry["number"] ?? .null
      if let index = shown.firstIndex(where: { $0.place == place }) {
        shown[index].entry = entry
      } else {
        shown.append((place, entry))
      }
    }
    #expect(words(shown.map(\.entry)) == Self.expected)
    #expect(entries.contains { $0["problem"]?.text.contains("someday") == true })
  }

  @Test func isKeptWithTheRun() throws {
    let sandbox = try Sandbox(["t.yaml": Self.all])
    let run = try sandbox.run("run", "./t.yaml", "--events", input: Self.answers)
    #expect(run.status == 0, "\(run)")
    #expect(words(try kept(in: sandbox)) == Self.expected)
    #expect(
      try sandbox.run("log").out.split(separator: "\n").filter { $0.hasPrefix("  │") } == [
        "  │ Good to see you.", "  │ Which day? → 2026-12-24", "  │ Which towns? → Oslo, Rome",
        "  │ Sorting: 3 of 3", "  │ Washing (active)", "  │ town  rain", "  │ Oslo  2",
        "  │ author: Ada", "  │ # One", "  │ ", "  │ Two", "  │ note:1  A note  just now",
        "  │ Sure? → yes", "  │ Oslo", "  │ Rome",
      ])
  }

  @Test func endsWithTheFailure() throws {
    let sandbox = try Sandbox([
      "t.yaml": """
      shortcut: t
      steps:
        - create: {entity: Note, set: {text: A note}}
        - http: 'http://127.0.0.1:9/'
      """
    ])
    let run = try sandbox.run("run", "./t.yaml", "--transcript", "--allow", "http:127.0.0.1")
    let entries = try entries(run.out)
    #expect(words(entries).last == "ended failed")
    let error = entries.last { $0["kind"] == "error" }
    #expect(error?["code"] != nil && error?["remedies"] != nil)
    // A failure before the first step ends it, too.
    let wrong = try self.entries(sandbox.run("run", "./t.yaml", "--transcript", "--nope").out)
    #expect(words(wrong) == ["error", "ended failed"])
  }

  @Test func masksSecretsAndKeepsNoRead() throws {
    let sandbox = try Sandbox([
      "t.yaml": """
      shortcut: t
      parameters: {key: {type: string, default: ''}}
      steps:
        - say: 'The key is {{ secret("token") }}.'
        - create: {entity: Note, set: {text: A note}}
      """,
      "read.yaml": "shortcut: r\nsteps: [{say: Hello}]",
    ])
    _ = try sandbox.run("secret", "set", "token", "-", input: "tok-12345678\n")
    let run = try sandbox.run(
      "run", "./t.yaml", "--transcript", "--allow", "secret:token")
    #expect(!run.out.contains("tok-12345678"))
    #expect(try !sandbox.run("log", "--json").out.contains("tok-12345678"))
    let read = try sandbox.run("run", "./read.yaml", "--transcript")
    #expect(words(try entries(read.out)) == ["say", "result", "ended done"])
    #expect(try sandbox.run("runs").out.split(separator: "\n").count == 1)
  }

  /// A secret in a program's output is masked, too: in results, failures and dialogs.
  @Test(arguments: ["- return: 'got {{ out }}'", "- fail: 'got {{ out }}'", ""])
  func masksWhatAProgramGaveBack(_ last: String) throws {
    let sandbox = try Sandbox([
      ".config/errand/t.yaml": """
      shortcut: t
      dialog: {full: 'Said {{ out }}.'}
      steps:
        - create: {entity: Note, set: {text: A note}}
        - exec: {shell: cat, stdin: '{{ secret("token") }}'}
          as: out
        \(last)
      """
    ])
    _ = try sandbox.run("secret", "set", "token", "-", input: "tok-12345678\n")
    let run = try sandbox.run("t", "--transcript")
    let entries = try entries(run.out)
    #expect(!run.out.contains("tok-12345678") && run.out.contains("•••"), "\(run)")
    #expect(entries.count { $0["kind"] == "say" } == (last.contains("fail") ? 0 : 1))
    #expect(try !sandbox.run("log", "--json").out.contains("tok-12345678"))
  }

  @Test func keepsTheFirstAndTheLatest() throws {
    let sandbox = try Sandbox([
      "t.yaml": """
      shortcut: t
      steps:
        - create: {entity: Note, set: {text: A note}}
        - repeat: 3000
          index: n
          do: [{say: 'Number {{ n }}'}]
      """
    ])
    _ = try sandbox.run("run", "./t.yaml")
    let kept = try kept(in: sandbox)
    #expect(kept.count == 1_000)
    let texts = kept.compactMap { if case .string(let text)? = $0["text"] { text } else { nil } }
    #expect(texts.prefix(2) == ["Number 0", "Number 1"] && texts.last == "Number 2999")
  }
}
