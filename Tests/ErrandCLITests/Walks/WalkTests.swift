import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// The walks of `docs/architecture.md`, compared with a traced run of the release. `RECORD=1` rewrites
/// the lists and fails.
@Suite(
  .enabled(
    if: Sandbox.products.hasSuffix("/release"), "the walks are those of the release: scripts/test"),
  .enabled(if: CallTrace.nestedViolation == nil, "\(CallTrace.nestedViolation ?? "")"), .serialized)
struct WalkTests {
  /// Maximum number of files on the way of a save.
  private static let limit = 25

  @Test func save() throws {
    let sandbox = try Sandbox()
    let files = try walk(
      "A save", [try CallTrace(["save", "https://swift.org"], in: sandbox)])
    #expect(files.count <= Self.limit)
  }

  @Test func httpStep() throws {
    let server = try LoopbackServer { _, peer in peer.reply(json: "{\"name\": \"Ann\"}") }
    let sandbox = try Sandbox([
      "who.yaml": "shortcut: who\nsteps:\n  - http: '\(server.url("/"))'\n  - say: '{{ it }}'\n"
    ])
    try walk("A step `http`", [try CallTrace(["run", "who.yaml"], in: sandbox)])
  }

  @Test func share() throws {
    let server = try LoopbackServer { _, peer in
      peer.reply(200, ["Content-Type: text/html"], body: "<title>The Lamp</title><p>Ninety steps.")
    }
    let sandbox = try Sandbox()
    try walk(
      "A share",
      [
        try CallTrace(["share-in", server.url("/lamp")], in: sandbox),
        try CallTrace(["inbox", "drain"], in: sandbox),
        try CallTrace(["enrich", "--pace", "1ms", "--local", "127.0.0.1"], in: sandbox),
      ])
    #expect(try sandbox.run("find", "links", "--format", "{{ self }}").out == "The Lamp\n")
  }

  @Test func job() throws {
    let sandbox = try Sandbox([
      ".config/errand/later.yaml":
        "shortcut: later\nsteps:\n  - enqueue: {name: note}\n---\n"
        + "shortcut: note\nsteps:\n  - create: {entity: Note, set: {text: Later}}\n"
    ])
    try walk(
      "A job",
      [
        try CallTrace(["later"], in: sandbox), try CallTrace(["worker", "--once"], in: sandbox),
      ])
    #expect(try sandbox.run("find", "notes", "--count").out == "1\n")
  }

  // MARK: The page

  private static let page: String = {
    let folder = #filePath[..<(#filePath.firstRange(of: "/Tests/")?.lowerBound ?? "".endIndex)]
    return folder + "/docs/architecture.md"
  }()

  /// Compares the list under a heading with the files on the way to the functions it names.
  @discardableResult
  private func walk(_ heading: String, _ traces: [CallTrace]) throws -> [String] {
    for trace in traces { #expect(trace.run.status == 0, "\(trace.run)") }
    let text = String(decoding: try Data(contentsOf: URL(filePath: Self.page)), as: UTF8.self)
    let section = try #require(text.firstRange(of: "\n### \(heading)\n"), "no heading \(heading)")
    let rest = text[section.upperBound...]
    let end = rest.firstRange(of: "\n#")?.lowerBound ?? rest.endIndex
    let stationLine = try #require(rest[..<end].split(separator: "\n").first)
    let named = try #require(stationLine.firstRange(of: "Stations: "))
    let stations = stationLine[named.upperBound...].split(separator: "`").enumerated()
      .filter { $0.offset % 2 == 0 }.map { String($0.element) }
    var files: [String] = []
    for station in stations {
      let ways = traces.compactMap { $0.files(to: station) }
      #expect(!ways.isEmpty, "\(station) was not entered; name another station on the page")
      for file in ways.joined() where !files.contains(file) && !Self.isInside(file) {
        files.append(file)
      }
    }
    let entered = Set(traces.flatMap(\.entered)).count
    let known = rest[..<end].split(separator: "\n").first { $0.hasPrefix("| ") }?
      .split(separator: " ").compactMap { Int($0) }.last
    // Fewer are welcome; the page says the most, rounded up.
    let most = getenv("RECORD") == nil ? max(entered, known ?? 0) : entered / 10 * 10 + 10
    let body = "\n" + stationLine + "\n\n" + Self.table(files, entered: most)
    if rest[..<end] != body {
      guard getenv("RECORD") != nil else {
        Issue.record("the page has another list; RECORD=1 writes\n\(body)")
        return files
      }
      let new = text[..<section.upperBound] + body + text[end...]
      try Data(new.utf8).write(to: URL(filePath: Self.page))
      Issue.record("\(heading): written anew")
    }
    return files
  }

  /// Whether a file belongs to a part that walks omit: YAML and expression parsing.
  private static func isInside(_ file: String) -> Bool {
    file.hasPrefix("YAML/") || file.hasPrefix("CEL/")
  }

  private static func table(_ files: [String], entered: Int) -> String {
    var rows: [(target: Substring, names: [String])] = []
    for file in files {
      let parts = file.split(separator: "/", maxSplits: 1)
      let name = String(parts[1].dropLast(".swift".count))
      if let row = rows.firstIndex(where: { $0.target == parts[0] }) {
        rows[row].names.append(name)
      } else {
        rows.append((parts[0], [name]))
      }
    }
    return "| \(files.count) files on the stack, at most \(entered) entered | |\n|---|---|\n"
      + rows.map { "| `\($0.target)` | \($0.names.map { "`\($0)`" }.joined(separator: ", ")) |\n" }
      .joined()
  }
}
