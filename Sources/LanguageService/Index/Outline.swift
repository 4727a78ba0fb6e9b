package import Catalog
package import Source
import YAML

/// An entry of a document outline.
package struct OutlineEntry: Sendable {
  /// The kinds of parts.
  package enum Kind: Sendable {
    case definition(Definition.Kind)
    case parameter, property, variable, step, test, query
  }

  package let name: String
  package let kind: Kind
  /// More about it, on one line.
  package var detail: String?
  /// All of it.
  package let span: Span
  /// Its name.
  package let nameSpan: Span
  package var children: [OutlineEntry] = []
}

extension DocumentIndex {
  /// The definitions of the file with their parts.
  package var outline: [OutlineEntry] { roots.compactMap(definition) }

  private func definition(_ root: Node) -> OutlineEntry? {
    guard let mapping = root.mapping,
      let (kind, name) = mapping.entries.lazy.compactMap({ entry in
        Definition.Kind(rawValue: entry.key.text).flatMap { kind in
          entry.value.scalar.map { (kind, $0) }
        }
      }).first
    else { return nil }
    var entry = OutlineEntry(
      name: name.text, kind: .definition(kind), detail: mapping["title"]?.scalar?.text,
      span: root.span, nameSpan: name.span)
    for part in mapping.entries {
      switch part.key.text {
      case "parameters": entry.children += names(part.value, .parameter)
      case "properties": entry.children += names(part.value, .property)
      case "variables": entry.children += names(part.value, .variable)
      case "queries": entry.children += names(part.value, .query)
      case "steps": entry.children += steps(part.value)
      case "tests": entry.children += tests(part.value)
      default: break
      }
    }
    return entry
  }

  private func names(_ node: Node, _ kind: OutlineEntry.Kind) -> [OutlineEntry] {
    (node.mapping?.entries ?? []).map { entry in
      OutlineEntry(
        name: entry.key.text, kind: kind,
        detail: entry.value.scalar?.text ?? entry.value.mapping?["type"]?.scalar?.text,
        span: entry.key.span.joined(entry.value.span), nameSpan: entry.key.span)
    }
  }

  private func steps(_ node: Node) -> [OutlineEntry] {
    (node.sequence ?? [node]).compactMap { node in
      if let scalar = node.scalar {
        guard !scalar.text.isEmpty else { return nil }
        return OutlineEntry(name: scalar.text, kind: .step, span: node.span, nameSpan: scalar.span)
      }
      guard let entries = node.mapping?.entries,
        let head = entries.first(where: { !ReservedWord.modifiers.contains($0.key.text) })
      else { return nil }
      let name = node.mapping?["as"]?.scalar ?? node.mapping?["name"]?.scalar
      var step = OutlineEntry(
        name: head.key.text, kind: .step, detail: name?.text, span: node.span,
        nameSpan: head.key.span)
      let block = Step.blocks.first { $0[0].name == head.key.text } ?? []
      for entry in entries where block.contains(where: { $0.name == entry.key.text }) {
        step.children += blockSteps(entry.value)
      }
      return step
    }
  }

  /// The steps of a block's keyword; those of `catch`, menus and branches are nested one level
  /// deeper.
  private func blockSteps(_ node: Node) -> [OutlineEntry] {
    if node.sequence != nil { return steps(node) }
    return (node.mapping?.entries ?? []).flatMap { entry in
      entry.value.sequence == nil ? [] : steps(entry.value)
    }
  }

  private func tests(_ node: Node) -> [OutlineEntry] {
    (node.sequence ?? []).enumerated().compactMap { position, node in
      guard let mapping = node.mapping else { return nil }
      let name = mapping["name"]?.scalar
      return OutlineEntry(
        name: name?.text ?? "test \(position + 1)", kind: .test, span: node.span,
        nameSpan: name?.span ?? mapping.entries.first?.key.span ?? node.span)
    }
  }

  /// The nodes that span several lines, for folding.
  package var foldable: [Span] {
    var spans: [Span] = []
    func visit(_ node: Node, from start: Span) {
      let span = start.joined(node.span)
      if span.position.line < span.file.position(of: span.range.upperBound).line {
        spans.append(span)
      }
      for entry in node.mapping?.entries ?? [] { visit(entry.value, from: entry.key.span) }
      for node in node.sequence ?? [] { visit(node, from: node.span) }
    }
    for root in roots { visit(root, from: root.span) }
    return spans
  }
}

extension Span {
  /// The range from the beginning of this one to the end of another.
  func joined(_ other: Span) -> Span {
    Span(
      file,
      min(range.lowerBound, other.range.lowerBound)..<max(range.upperBound, other.range.upperBound))
  }
}
