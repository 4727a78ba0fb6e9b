import FoundationEssentials
import TestSupport
import Testing

@Suite struct DrawingTests {
  private static let every = """
    shortcut: every
    parameters: {n: int}
    steps:
      - say: 'A "b" <c> [d] 漢'
        when: n > 1
      - if: n > 2
        then: [say: Two]
        elif: n > 1
        else: [say: None]
      - for: x
        in: '{{ [1, 2] }}'
        do: [say: '{{ x }}']
      - menu: Which?
        options:
          one: [say: One]
          other: [stop]
      - try: [exec: ['true']]
        catch: [say: Failed]
        finally: [log: Over]
      - parallel:
          left: [value: 1]
          right: [value: 2]
        as: both

    """

  private func drawn(_ form: String) throws -> String {
    let text = Self.every.replacing("    elif: n > 1\n", with: "")
    let sandbox = try Sandbox([".config/errand/every.yaml": text])
    let run = try sandbox.run("show", "every", "--as", form)
    #expect(run.err.isEmpty)
    return run.out
  }

  @Test func drawsATree() throws {
    #expect(
      try drawn("tree") == """
        every
        ├─ say A "b" <c> [d] 漢 when n > 1
        ├─ if n > 2
        │  ├─ then
        │  │  └─ say Two
        │  └─ else
        │     └─ say None
        ├─ for x in {{ [1, 2] }}
        │  └─ say {{ x }}
        ├─ menu Which?
        │  ├─ one
        │  │  └─ say One
        │  └─ other
        │     └─ stop
        ├─ try
        │  ├─ try
        │  │  └─ exec ['true']
        │  ├─ catch
        │  │  └─ say Failed
        │  └─ finally
        │     └─ log Over
        └─ parallel → both
           ├─ left
           │  └─ value 1
           └─ right
              └─ value 2

        """)
  }

  @Test func drawsAFlowchartForMermaid() throws {
    let lines = try drawn("mermaid").split(separator: "\n")
    #expect(lines.first == "flowchart TD")
    #expect(lines.contains(#"  n1["say A #34;b#34; #60;c#62; #91;d#93; 漢 when n #62; 1"]"#))
    #expect(lines.contains(#"  n2{"if n #62; 2"}"#))
    #expect(lines.contains(#"  n2 -->|"then"| n3"#))
    #expect(lines.contains(#"  n2 -->|"else"| n4"#))
    #expect(lines.contains(#"  n6 --> n5"#))
    #expect(lines.contains { $0.hasPrefix("  n10 -.->|\"catch\"|") })
    #expect(
      lines.last?.hasSuffix("--> n\(lines.count { $0.contains("[") || $0.contains("{") } - 1)")
        == true)
  }

  @Test func drawsAFlowchartForGraphviz() throws {
    let text = try drawn("dot")
    #expect(text.hasPrefix("digraph \"every\" {\n"))
    #expect(text.contains(#"  n1 [label="say A \"b\" <c> [d] 漢 when n > 1"];"#))
    #expect(text.contains(#"  n2 -> n3 [label="then"];"#))
    #expect(text.hasSuffix("}\n"))
    let sandbox = try Sandbox(["every.dot": text])
    // Graphviz is optional; where it is installed, it validates the drawing.
    let dot = try sandbox.shell(
      "command -v dot >/dev/null || exit 0; dot -Tsvg every.dot >every.svg")
    #expect(dot.status == 0, "\(dot.err)")
  }

  @Test func givesJSON() throws {
    let text = try drawn("json")
    #expect(text.contains(#""name":"every""#))
    #expect(
      text.contains(
        #"{"blocks":[{"name":"then","steps":[{"step":"say","text":"say Two"}]},"#
          + #"{"name":"else","steps":[{"step":"say","text":"say None"}]}],"step":"if","text":"if n > 2"}"#
      ))
    #expect(
      text.contains(
        #""parameters":{"additionalProperties":false,"properties":{"n":{"type":"integer"}}"#))
  }

  @Test func saysWhatHasNoSteps() throws {
    let sandbox = try Sandbox([:])
    #expect(
      try sandbox.run("show", "Link", "--as", "tree").err == """
        errand: error: Link is an entity, and has no steps [usage]
          help: errand show Link

        """)
    #expect(try sandbox.run("show", "add-not", "--as", "tree").err.contains("did you mean"))
    #expect(try sandbox.run("show", "save", "--as", "tre").status == 2)
  }
}
