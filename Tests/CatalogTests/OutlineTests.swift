import FoundationEssentials
import Resources
import Source
import Testing

@testable import Catalog
@testable import YAML

/// The compact forms of the built-in definitions, against their texts. `RECORD=1` writes the file.
@Suite struct OutlineTests {
  @Test func fileIsUpToDate() throws {
    let made = try BuiltIn.makeOutlines()
    guard ProcessInfo.processInfo.environment["RECORD"] == nil else {
      let root = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
      try Data(made).write(to: URL(filePath: root + "/" + BuiltIn.outlines))
      Issue.record("recorded anew")
      return
    }
    let isUpToDate = Resource.bytes(of: BuiltIn.outlines) == made
    #expect(isUpToDate, "RECORD=1 scripts/test --filter OutlineTests writes it")
  }

  @Test(arguments: BuiltIn.names) func hasTheNodesOfTheText(name: String) throws {
    let definition = try #require(BuiltIn.named(name))
    let outline = try #require(definition.outline)
    let slice = definition.slice.upTo(line: "tests:")
    let root = try #require(outline.root(of: slice))
    #expect(Self.listing(of: root) == Self.listing(of: try slice.parse()))
  }

  @Test(arguments: [
    "a: [b, 'c''d', \"e\\tf\"]\n", "a: |\n  b\n  c\nd: >-\n  e\n  f\n", "a: &x b\nc: *x\nd: [*x]\n",
    "- \n- ''\n- {a: {b: [c]}}\n", "ä: ü\n",
  ])
  func hasTheNodesOfAnyText(text: String) throws {
    let slice = DocumentSlice(whole: SourceFile(name: "a.yaml", text: text))
    let outline = NodeOutline(try NodeOutline.bytes(of: slice))
    let root = try #require(outline.root(of: slice))
    #expect(Self.listing(of: root) == Self.listing(of: try slice.parse()))
    for other in [text + " ", text.replacing("b", with: "x") + (text.contains("b") ? "" : "x")] {
      let changed = DocumentSlice(whole: SourceFile(name: "a.yaml", text: other))
      #expect(outline.root(of: changed) == nil)
    }
  }

  /// Each node on a line of its own, with all that it has.
  private static func listing(of node: Node) -> String {
    let place = "\(node.span.range) \(node.weight)"
    switch node.content {
    case .scalar(let scalar): return "\(place) \(listing(of: scalar))\n"
    case .sequence(let nodes): return "\(place) [\n" + nodes.map(listing).joined() + "]\n"
    case .mapping(let mapping):
      let entries = mapping.entries.map { listing(of: $0.key) + ": " + listing(of: $0.value) }
      return "\(place) {\n" + entries.joined() + "}\n"
    }
  }

  private static func listing(of scalar: Scalar) -> String {
    "\(scalar.span.range) \(scalar.style) \(scalar.text)"
  }
}
