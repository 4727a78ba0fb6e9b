import FoundationEssentials
import TestSupport
import Testing

/// Each documented error code, triggered from the command line, with its exit status.
@Suite struct ErrorCodeTests {
  /// A way to trigger a code: the steps of a shortcut, the arguments that run it, and its status.
  struct Row {
    let code: String
    let steps: String
    var words = ["run", "a.yaml"]
    var status: Int32 = 1
  }

  private static let rows = [
    Row(code: "needs-value", steps: "[{ask: Who?}]", status: 3),
    Row(code: "invalid-value", steps: "[{exec: {command: [echo, '{'], parse: json}}]"),
    Row(
      code: "ambiguous",
      steps:
        "[{create: {entity: Task, set: {title: A}}}, {create: {entity: Task, set: {title: A}}},"
        + " {get: {ref: A, entity: Task}}]", status: 3),
    Row(code: "not-found", steps: "[{read-file: missing.txt}]"),
    Row(code: "conflict", steps: "[{write-file: {path: a.yaml, text: x, mode: create}}]"),
    Row(
      code: "declined", steps: "[{confirm: Really?}]",
      words: ["run", "a.yaml", "--json", "--answer", "Really?=no"], status: 4),
    Row(
      code: "cancelled", steps: "[{ask: Who?}]", words: ["run", "a.yaml", "--events"], status: 4),
    Row(
      code: "denied",
      steps: "[{save: 'https://swift.org'}, {wrap: '{{ it }}'}, {unwrap: '{{ it }}x'}]"),
    Row(
      code: "busy", steps: "[{exec: {shell: 'errand run a.yaml 2>&1 || true'}}]\nmode: single",
      status: 0),
    Row(code: "exec", steps: "[{exec: ['false']}]"),
    Row(code: "http", steps: "[{http: '$/gone'}]"),
    Row(code: "network", steps: "[{http: 'http://127.0.0.1:9/'}]"),
    Row(code: "not-allowed", steps: "[{exec: [git, status]}]"),
    Row(
      code: "no-secret",
      steps: "[{exec: {command: [echo], env: {A: '{{ secret(\"NOTHING\") }}'}}}]"),
    Row(code: "timeout", steps: "[{wait: 1h, timeout: 1ms}]", status: 124),
    Row(code: "io", steps: "[{write-file: {path: /proc/x, text: x}}]"),
    Row(code: "store", steps: "[{find: {entity: Task}}]"),
    Row(code: "failed", steps: "[{fail: No}]"),
    Row(
      code: "suspended", steps: "[{exec: {shell: 'kill -TERM $PPID; sleep 600'}}]\ndurable: true",
      status: 5),
  ]

  @Test(arguments: rows.map(\.code))
  func aCodeIsMet(_ code: String) throws {
    let row = try #require(Self.rows.first { $0.code == code })
    let server = try LoopbackServer { _, peer in peer.reply(404) }
    let steps = row.steps.replacing("$/", with: server.url("/"))
    let sandbox = try Sandbox(["a.yaml": "shortcut: a\nsteps: \(steps)\n"])
    if code == "not-allowed" { sandbox.environment["ERRAND_ALLOW"] = nil }
    if code == "store" {
      try sandbox.write(
        String(repeating: "no store ", count: 1000), to: ".local/share/errand/library.db")
    }
    let run = try sandbox.run(row.words, input: [])
    #expect(run.status == row.status, "\(run)")
    let told = run.out + run.err
    #expect(told.contains("[\(code)]") || told.contains("\"code\":\"\(code)\""), "\(run)")
  }

  @Test func theReferenceHasEachCodeAndNoOther() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = String(
      decoding: try Data(contentsOf: root.appending(path: "docs/language/errors.md")), as: UTF8.self
    )
    let section = try #require(page.firstRange(of: "\n## Errors\n")).upperBound
    let end = page[section...].firstRange(of: "\n## ")?.lowerBound ?? page.endIndex
    let codes = page[section..<end].split(separator: "\n").compactMap { line in
      line.hasPrefix("| `") ? String(line.dropFirst(3).prefix { $0 != "`" }) : nil
    }
    // Only an internal error has no known trigger.
    #expect(Set(codes) == Set(Self.rows.map(\.code) + ["internal"]))
  }
}
