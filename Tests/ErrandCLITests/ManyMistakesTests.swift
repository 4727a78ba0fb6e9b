import TestSupport
import Testing

/// Files with thousands of errors: found in linear time, and only some are shown.
@Suite struct ManyMistakesTests {
  struct File: CustomTestStringConvertible {
    let name: String
    let text: String
    let count: Int
    let first: String

    var testDescription: String { name }
  }

  static let files = [
    File(
      name: "unknown steps on one line",
      text: "shortcut: t\nsteps: ["
        + (0..<8000).map { "{sya: \($0)}" }.joined(separator: ", ") + "]\n",
      count: 8000,
      first: "t.yaml:2:10: error: unknown step `sya` [unknown-step]"),
    File(
      name: "unknown names in one text",
      text: "shortcut: t\nsteps:\n  - say: '"
        + (0..<8000).map { "{{ nope\($0) }}" }.joined(separator: " ") + "'\n",
      count: 8000,
      first: "t.yaml:3:14: error: unknown name `nope0` [unknown-name]"),
    File(
      name: "tags on one line",
      text: "shortcut: t\nsteps: [" + (0..<8000).map { "!x \($0)" }.joined(separator: ", ") + "]\n",
      count: 8000,
      first: "t.yaml:2:9: error: YAML takes `!x` as a tag, and tags are not allowed [yaml-tag]"),
    File(
      name: "unknown keys",
      text: "shortcut: t\nsteps: [{say: h}]\n" + (0..<95_000).map { "kay\($0): 1\n" }.joined(),
      count: 95_000, first: "t.yaml:3:1: error: a shortcut has no key `kay0` [unknown-key]"),
    File(
      name: "unknown names beside known ones",
      text: "shortcut: t\nsteps:\n" + (0..<4000).map { "  - set: {v\($0): 1}\n" }.joined()
        + (0..<4000).map { "  - say: '{{ w\($0) }}'\n" }.joined(),
      count: 4000,
      first: "t.yaml:4003:14: error: unknown name `w0` [unknown-name]"),
    File(
      name: "names given twice",
      text: (0..<4000).map { _ in "shortcut: t\nsteps: [{say: h}]\n---\n" }.joined(),
      count: 3999, first: "t.yaml:4:11: error: shortcut `t` is defined twice [name-taken]"),
  ]

  @Test(arguments: files)
  func fiftyAreShown(_ file: File) throws {
    let run = try Sandbox(["t.yaml": file.text]).run("run", "t.yaml")
    #expect(run.status == 2)
    let lines = run.err.split(separator: "\n").map { String($0) }
    #expect(lines.first == file.first)
    #expect(lines.filter { $0.hasPrefix("t.yaml:") && $0.contains(": error: ") }.count == 50)
    #expect(lines.suffix(2) == ["… and \(file.count - 50) more in t.yaml", "\(file.count) errors"])
    #expect(run.err.utf8.count < 100_000)
  }

  @Test func programsHearOfFiftyToo() throws {
    let sandbox = try Sandbox(["t.yaml": Self.files[0].text])
    let run = try sandbox.run("run", "t.yaml", "--json")
    #expect(run.status == 2)
    #expect(run.err.hasPrefix("{\"error\":{\"code\":\"unknown-step\""), "\(run.err.prefix(200))")
    #expect(run.err.hasSuffix(",\"more\":7950}}\n"), "\(run.err.suffix(200))")
    #expect(run.err.ranges(of: "\"code\":").count == 51)
  }

  @Test func aLayerWithManyMistakesIsShortToo() throws {
    let sandbox = try Sandbox([
      ".config/errand/a.yaml": (0..<500).map { _ in "shortcut: T\nsteps: []\n---\n" }.joined()
    ])
    let run = try sandbox.shell("errand list > /dev/null")
    #expect(run.status == 0)
    #expect(run.err.ranges(of: "[bad-name]").count == 50)
    #expect(run.err.hasSuffix("\n… and 450 more in \(sandbox.path)/.config/errand/a.yaml\n"))
  }
}
