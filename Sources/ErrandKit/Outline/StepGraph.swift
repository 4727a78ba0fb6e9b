/// A flowchart of steps, for Mermaid and Graphviz.
package struct StepGraph: Sendable {
  private struct Node {
    let text: String
    let shape: StepOutline.Shape?
  }

  private struct Edge {
    let from: Int
    let to: Int
    let label: String
    let isDashed: Bool
  }

  /// A way that leads to the next step.
  private struct Exit {
    let node: Int
    var label = ""
  }

  private var nodes: [Node] = []
  private var edges: [Edge] = []

  /// Makes the flowchart of a definition.
  package init(_ name: String, _ steps: [StepOutline]) {
    let start = add(name, nil)
    let exits = add(steps, from: [Exit(node: start)])
    let end = add("end", nil)
    connect(exits, to: end)
  }

  private mutating func add(_ text: String, _ shape: StepOutline.Shape?) -> Int {
    nodes.append(Node(text: text, shape: shape))
    return nodes.count - 1
  }

  private mutating func connect(_ exits: [Exit], to node: Int, isDashed: Bool = false) {
    for exit in exits {
      edges.append(Edge(from: exit.node, to: node, label: exit.label, isDashed: isDashed))
    }
  }

  private mutating func add(_ steps: [StepOutline], from exits: [Exit]) -> [Exit] {
    steps.reduce(exits) { add($1, from: $0) }
  }

  private mutating func add(_ step: StepOutline, from exits: [Exit]) -> [Exit] {
    let node = add(step.line, step.shape)
    connect(exits, to: node)
    func inside(_ block: StepOutline.Block, label: String) -> [Exit] {
      add(block.steps, from: [Exit(node: node, label: label)])
    }
    switch step.shape {
    case .call: return [Exit(node: node)]
    case .choice:
      var ends = step.blocks.flatMap { inside($0, label: $0.label) }
      // Without an `else`, nothing may fit; a menu always has a choice.
      if step.head == "if", step.blocks.last?.label != "else" {
        ends.append(Exit(node: node, label: "else"))
      }
      return ends
    case .loop:
      for block in step.blocks { connect(inside(block, label: "each"), to: node) }
      return [Exit(node: node, label: "done")]
    case .parallel: return step.blocks.flatMap { inside($0, label: $0.label) }
    case .group: return step.blocks.reduce([Exit(node: node)]) { add($1.steps, from: $0) }
    case .attempt:
      var ends: [Exit] = [Exit(node: node)]
      var last: StepOutline.Block?
      for block in step.blocks {
        switch block.label {
        case "try": ends = add(block.steps, from: [Exit(node: node)])
        case "finally": last = block
        default:
          let first = nodes.count
          let caught = add(block.steps, from: [])
          edges.append(Edge(from: node, to: first, label: block.label, isDashed: true))
          ends += caught
        }
      }
      return last.map { add($0.steps, from: ends) } ?? ends
    }
  }

  /// The flowchart in Mermaid's syntax.
  package var mermaid: String {
    func quoted(_ text: String) -> String {
      // Mermaid reads entities with `#`.
      var escaped = ""
      for scalar in text.unicodeScalars {
        switch scalar {
        case "\"", "#", "&", "<", ">", "`", "\\", "[", "]", "{", "}", "|", ";":
          escaped += "#\(scalar.value);"
        default: escaped.unicodeScalars.append(scalar)
        }
      }
      return "\"\(escaped)\""
    }
    var lines = ["flowchart TD"]
    for (number, node) in nodes.enumerated() {
      let (open, close) =
        switch node.shape {
        case nil: ("([", "])")
        case .choice: ("{", "}")
        case .loop: ("{{", "}}")
        case .attempt, .parallel, .group: ("[/", "/]")
        case .call: ("[", "]")
        }
      lines.append("  n\(number)\(open)\(quoted(node.text))\(close)")
    }
    for edge in edges {
      let arrow = edge.isDashed ? "-.->" : "-->"
      let label = edge.label.isEmpty ? "" : "|\(quoted(edge.label))|"
      lines.append("  n\(edge.from) \(arrow)\(label) n\(edge.to)")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The flowchart in Graphviz's language.
  package var dot: String {
    func quoted(_ text: String) -> String {
      "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }
    var lines = ["digraph \(quoted(nodes.first?.text ?? "")) {", "  node [shape=box];"]
    for (number, node) in nodes.enumerated() {
      let shape =
        switch node.shape {
        case nil: ", shape=oval"
        case .choice: ", shape=diamond"
        case .loop: ", shape=hexagon"
        case .attempt, .parallel, .group: ", shape=parallelogram"
        case .call: ""
        }
      lines.append("  n\(number) [label=\(quoted(node.text))\(shape)];")
    }
    for edge in edges {
      var attributes: [String] = []
      if !edge.label.isEmpty { attributes.append("label=\(quoted(edge.label))") }
      if edge.isDashed { attributes.append("style=dashed") }
      let list = attributes.isEmpty ? "" : " [\(attributes.joined(separator: ", "))]"
      lines.append("  n\(edge.from) -> n\(edge.to)\(list);")
    }
    return (lines + ["}", ""]).joined(separator: "\n")
  }
}
