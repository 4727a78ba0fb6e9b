import FoundationEssentials
import Source
import TestSupport
import Testing

@testable import YAML

@Suite struct LayoutTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private func layout(_ text: String) throws -> String {
    try CanonicalLayout.text(of: SourceFile(name: "a.yaml", text: text))
  }

  @Test(arguments: [
    ("a:   1\nb:\t2", "a: 1\nb: 2\n"), ("a: 'x'\nb: \"y z\"", "a: x\nb: y z\n"),
    ("a: 'yes'\nb: '1'\nc: ''\nd: '- x'", "a: 'yes'\nb: '1'\nc: ''\nd: '- x'\n"),
    (
      "a: 'x: y'\nb: 'x #y'\nc: 'x:y'\nd: '{{ x }}'", "a: 'x: y'\nb: 'x #y'\nc: x:y\nd: '{{ x }}'\n"
    ),
    ("a: \"it's: 1\"\nb: 'it''s'", "a: \"it's: 1\"\nb: it's\n"),
    ("a: \"x\\ty\"\nb: \"\\u00e9\"", "a: \"x\\ty\"\nb: é\n"),
    ("a: [ 'x' ,'y, z' ]\nb: {c:   1 , 'd' : 2}", "a: [x, 'y, z']\nb: {c: 1, d: 2}\n"),
    ("a:\n- x\n-   y", "a:\n  - x\n  - y\n"),
    (
      "a:\n    b:\n        c: 1\n    d:\n    -   e: 1\n        f: 2",
      "a:\n  b:\n    c: 1\n  d:\n    - e: 1\n      f: 2\n"
    ),
    (
      "\n\n# one\n\n\na: 1   # two\n\n\n\n# three\nb: 2\n# four\n",
      "# one\n\na: 1 # two\n\n# three\nb: 2\n# four\n"
    ),
    ("a:\n- x\n# - y\n- z\n  # end\nb: 1", "a:\n  - x\n  # - y\n  - z\n  # end\nb: 1\n"),
    ("a:\n  - x\n# out\nb: 1", "a:\n  - x\n# out\nb: 1\n"),
    ("a: # one\n  b: 1\n-", nil), ("a: # one\n\n  b: 1", "a: # one\n  b: 1\n"),
    ("- # one\n  a: 1\n- - x\n  - y", "- # one\n  a: 1\n- - x\n  - y\n"),
    ("a:\n- # one\n  # two\n  b: 1\n- x # y", "a:\n  - # one\n    # two\n    b: 1\n  - x # y\n"),
    ("a: |\n     x\n       y\n\n\nb: 1", "a: |\n  x\n    y\n\nb: 1\n"),
    ("- >-\n      x\n\n      y\n- z", "- >-\n  x\n\n  y\n- z\n"),
    ("a: |+\n  x\n\n\nb: 1", "a: |+\n  x\n\n\nb: 1\n"),
    ("a: |2\n    x\nb:   1", "a: |2\n    x\nb:   1\n"),
    ("a: x\n   y\n\n   z\nb: 'x\n  y'", "a: x\n  y\n\n  z\nb: 'x\n  y'\n"),
    ("a: [x,\n  y, # why\n  {z: 1}\n]\nb: {\n}", "a: [\n  x,\n  y, # why\n  {z: 1}\n]\nb: {}\n"),
    ("a: &x\n   b: 1\nc: *x\nd: &y  'e'\nf: *y", "a: &x\n  b: 1\nc: *x\nd: &y e\nf: *y\n"),
    ("---\na: 1\n---\n\n# two\nb:  2\n...\n", "---\na: 1\n---\n# two\nb: 2\n...\n"),
    ("# only\n", "# only\n"), ("", ""), ("a:\nb: ~\nc: null", "a:\nb: ~\nc: null\n"),
    ("a:\r\n  - b\r\n", "a:\n  - b\n"), ("? a\n: 1\n", "? a\n: 1\n"), ("a: [", nil),
  ])
  func hasOneLayout(_ text: String, _ expected: String?) throws {
    guard let expected else {
      #expect(throws: Diagnostics.self) { try layout(text) }
      return
    }
    #expect(try layout(text) == expected)
    #expect(try layout(expected) == expected)
  }

  /// The shipped files, and the YAML of the documentation.
  private static func samples() throws -> [(name: String, text: String)] {
    var samples: [(name: String, text: String)] = []
    let files = FileManager.default
    for folder in ["schemas", "shortcuts", "automations", "docs", "Tests/Samples/wrong"] {
      for name in try files.subpathsOfDirectory(atPath: root.path + "/" + folder).sorted() {
        let path = "\(root.path)/\(folder)/\(name)"
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { continue }
        if name.hasSuffix(".yaml") {
          samples.append((folder + "/" + name, text))
        } else if name.hasSuffix(".md") {
          let parts = ("\n" + text).split(separator: "\n```", omittingEmptySubsequences: false)
          for (number, part) in parts.enumerated() where part.hasPrefix("yaml") {
            let body = part.drop { $0 != "\n" }.dropFirst()
            samples.append(("\(name) \(number)", body + "\n"))
          }
        }
      }
    }
    return samples
  }

  @Test func shippedFilesHaveIt() throws {
    var count = 0
    for (name, text) in try Self.samples() where name.hasPrefix("s") || name.hasPrefix("a") {
      guard name.hasSuffix(".yaml") else { continue }
      #expect(try layout(text) == text, "\(name): run `errand fmt schemas shortcuts automations`")
      count += 1
    }
    #expect(count > 30)
  }

  @Test func keepsMeaningAndComments() throws {
    var changed = 0
    for (name, text) in try Self.samples() {
      changed += try Self.isKept(Array(text.utf8), name) == true ? 1 : 0
    }
    #expect(changed > 20)
  }

  /// `LAYOUT_MUTATIONS` sets the number of files.
  @Test(arguments: 0..<4)
  func keepsMeaningOfMutations(_ part: Int) throws {
    let samples = try Self.samples()
    var mutator = DocumentMutator(seed: UInt64(part))
    var accepted = 0
    let count = Amount.of("LAYOUT_MUTATIONS", quick: 800, whole: 12_000) / 4
    for round in 0..<count {
      let bytes = mutator.mutate(Array(samples[(round * 4 + part) % samples.count].text.utf8))
      if try Self.isKept(bytes, "mutation \(round) of \(part)") != nil { accepted += 1 }
    }
    #expect(accepted > count / 20)
  }

  /// Whether the layout of a file differs, after checking that it means the same; nil for a file
  /// that is not valid.
  private static func isKept(_ bytes: [UInt8], _ name: String) throws -> Bool? {
    let file = SourceFile(name: "a.yaml", bytes: bytes)
    guard let text = try? CanonicalLayout.text(of: file) else { return nil }
    let copy = SourceFile(name: "a.yaml", text: text)
    func shown(_ file: SourceFile) throws -> [String] {
      try DocumentSlice.split(file).map { Self.shown(try $0.parse()) }
    }
    let source = String(decoding: bytes, as: UTF8.self)
    let before = try shown(file)
    let after = try? shown(copy)
    #expect(after == before, "\(name):\n\(source)\n→\n\(text)")
    let again = try? CanonicalLayout.text(of: copy)
    #expect(again == text, "\(name), twice:\n\(source)\n→\n\(text)\n→\n\(again ?? "invalid")")
    let comments = [source, text].map { $0.count { $0 == "#" } }
    #expect(comments[0] == comments[1], "\(name), comments:\n\(source)\n→\n\(text)")
    return text != source
  }

  /// A node without spans and quotes; text that means something else without quotes is marked.
  private static func shown(_ node: Node) -> String {
    switch node.content {
    case .scalar(let scalar):
      let isPlainValue = scalar.style == .plain && (scalar.isNull || scalar.bool != nil)
      let isBlock = scalar.style == .literal || scalar.style == .folded
      return "\(isPlainValue ? "!" : isBlock ? "|" : "")\(scalar.text.debugDescription)"
    case .sequence(let nodes): return "[" + nodes.map(shown).joined(separator: ", ") + "]"
    case .mapping(let mapping):
      return "{"
        + mapping.entries.map { "\($0.key.text.debugDescription): \(shown($0.value))" }
        .joined(separator: ", ") + "}"
    }
  }
}
