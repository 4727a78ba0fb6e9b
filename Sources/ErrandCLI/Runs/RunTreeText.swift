import CEL
import Engine
import ErrandKit
import Source

/// A tree of steps as lines for a person.
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
      let text = renderer.text(of: value).inOneLine
      if !text.isEmpty { parts.append("→ \(text)") }
    }
    if let error = node.error { parts.append(RunListing.text(error)) }
    return parts.joined(separator: "  ")
  }
}
