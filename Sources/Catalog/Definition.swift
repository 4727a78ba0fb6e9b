package import Source
package import YAML

/// One document of the language, read into what it defines.
package enum Definition: Sendable {
  case entity(EntityDefinition)
  case action(ActionDefinition)

  /// What kinds of documents there are, by their key.
  package enum Kind: String, CaseIterable, Sendable {
    case entity, intent, shortcut, automation

    /// How messages call one.
    package var phrase: String {
      switch self {
      case .entity: "an entity"
      case .intent: "an intent"
      case .shortcut: "a shortcut"
      case .automation: "an automation"
      }
    }
  }

  package var kind: Kind {
    switch self {
    case .entity: .entity
    case .action(let action): action.kind.kind
    }
  }

  package var name: Scalar {
    switch self {
    case .entity(let entity): entity.name
    case .action(let action): action.name
    }
  }

  /// Reads a document.
  ///
  /// - Throws: everything that is wrong with the document's YAML and its form.
  package static func parse(_ slice: DocumentSlice) throws(Diagnostics) -> Definition {
    let node: Node
    do throws(Diagnostics) {
      node = try slice.parse()
    } catch {
      throw Diagnostics(error.all.map(StepAdvice.onRepeatedKey))
    }
    return try parse(node)
  }

  /// Reads a parsed document.
  package static func parse(_ node: Node) throws(Diagnostics) -> Definition {
    let collector = DiagnosticCollector()
    guard let definition = read(node, collector), !collector.hasErrors else {
      throw Diagnostics(collector.all)
    }
    return definition
  }

  /// Reads what can be read of a document, whatever else is wrong with it.
  static func partial(_ slice: DocumentSlice) -> Definition? {
    guard let node = try? slice.parse() else { return nil }
    return read(node, DiagnosticCollector())
  }

  private static func read(_ node: Node, _ collector: DiagnosticCollector) -> Definition? {
    guard let mapping = node.mapping else {
      collector.report(
        "no-kind",
        "a document must be a mapping with one of the keys "
          + "`entity`, `intent`, `shortcut`, `automation`",
        at: node.span)
      return nil
    }
    let kinds = mapping.entries.compactMap { entry in
      Kind(rawValue: entry.key.text).map { ($0, entry) }
    }
    guard let (kind, entry) = kinds.first else {
      let near = mapping.entries.lazy.compactMap { entry in
        Suggestion.nearest(to: entry.key.text, in: Kind.allCases.map(\.rawValue))
          .map { (entry, $0) }
      }.first
      collector.report(
        "no-kind",
        "this document has none of the keys `entity`, `intent`, `shortcut`, `automation`",
        at: near?.0.key.span ?? mapping.entries.first?.key.span ?? node.span,
        help: near.map { "did you mean `\($0.1)`?" } ?? firstLine(for: mapping))
      return nil
    }
    if kinds.count > 1 {
      collector.report(
        "two-kinds", "a document is one `\(kind.rawValue)` or one `\(kinds[1].0.rawValue)`",
        at: kinds[1].1.key.span, help: "put a line `---` between two documents")
      return nil
    }
    guard let name = entry.value.scalar, !name.isNull else {
      collector.report("bad-name", "`\(kind.rawValue)` is followed by a name", at: entry.value.span)
      return nil
    }
    var reader = DefinitionReader(
      mapping, at: node.span, what: kind.phrase, collector)
    _ = reader.node(kind.rawValue)
    let definition: Definition =
      switch kind {
      case .entity: .entity(EntityDefinition(name, &reader))
      case .intent: .action(ActionDefinition(kind: .intent, name, &reader))
      case .shortcut: .action(ActionDefinition(kind: .shortcut, name, &reader))
      case .automation: .action(ActionDefinition(kind: .automation, name, &reader))
      }
    reader.finish()
    return definition
  }

  /// The line that says what a document is, by the keys that it has; nil where they don't tell.
  private static func firstLine(for mapping: Mapping) -> String? {
    let lines = [
      ("on", "automation: NAME"), ("steps", "shortcut: NAME"), ("properties", "entity: Name"),
    ]
    return lines.first { mapping[$0.0] != nil }.map { "add a line `\($0.1)` at the top" }
  }
}
