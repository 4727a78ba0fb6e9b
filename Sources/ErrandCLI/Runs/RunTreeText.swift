import CEL
import Engine
import Source
import Store

/// A tree of steps as lines for a person, or as a value for another program.
struct RunTreeText {
  private let renderer: Renderer

  init(_ renderer: Renderer) { self.renderer = renderer }

  /// The lines of what is below a node, each deeper one further to the right.
  func lines(of tree: RunTree, depth: Int = 0) -> [String] {
    tree.children.flatMap { child -> [String] in
      let own = String(repeating: "  ", count: depth) + line(of: child)
      return [own] + lines(of: child, depth: depth + 1)
    }
  }

  private func line(of node: RunTree) -> String {
    let mark =
      switch node.state {
      case .open: node.children.isEmpty ? "… " : ""
      case .done: ""
      case .failed: "✗ "
      case .skipped: "– "
      }
    var parts = [mark + node.name]
    if let took = node.took, node.state != .skipped, took > 0 {
      parts.append(RunListing.text(microseconds: took))
    }
    if let value = node.value, !value.isNull {
      let text = RunListing.short(renderer.text(of: value))
      if !text.isEmpty { parts.append("→ \(text)") }
    }
    if let error = node.error { parts.append(RunListing.text(error)) }
    return parts.joined(separator: "  ")
  }

  /// What is below a node, for another program.
  func value(of tree: RunTree) -> Value {
    .list(
      tree.children.map { child in
        .map(
          MapValue([
            ("name", .string(child.name)), ("state", .string(child.state.rawValue)),
            ("at", child.time.map(Value.timestamp) ?? .null),
            ("took", child.took.map { .double(Double($0) / 1e6) } ?? .null),
            ("value", child.value ?? .null),
            ("error", child.error.map(RunListing.value) ?? .null),
            ("steps", value(of: child)),
          ]))
      })
  }
}
