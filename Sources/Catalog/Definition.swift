package import Source
package import YAML

/// A parsed document of the language.
package enum Definition: Sendable {
  case entity(EntityDefinition)
  case action(ActionDefinition)
  case translation(TranslationDefinition)
  case vocabulary(VocabularyDefinition)

  /// Document kinds, by the key that names the document.
  package enum Kind: String, CaseIterable, Sendable {
    case entity, intent, shortcut, automation, widget, translation, vocabulary

    /// Whether its definitions can be run.
    package var isAction: Bool {
      switch self {
      case .intent, .shortcut, .automation, .widget: true
      case .entity, .translation, .vocabulary: false
      }
    }

    /// Whether it only supplies wording for other definitions.
    package var isWording: Bool { self == .translation || self == .vocabulary }

    /// Noun phrase for messages.
    package var phrase: String {
      switch self {
      case .entity: "an entity"
      case .intent: "an intent"
      case .shortcut: "a shortcut"
      case .automation: "an automation"
      case .widget: "a widget"
      case .translation: "a translation"
      case .vocabulary: "a vocabulary"
      }
    }

    /// Kind of the names of its definitions.
    private var nameKind: NameKind {
      switch self {
      case .entity: .entity
      case .translation: .definition
      default: .action
      }
    }

    /// Form of the names of its definitions.
    package var nameForm: NameForm { nameKind.form }

    /// Keys of its documents, starting with the one that names them.
    package var keys: [KeyDeclaration] {
      let own =
        switch self {
        case .entity: EntityDefinition.keys.map(\.declaration)
        case .intent: ActionDefinition.keys(of: .intent)
        case .shortcut: ActionDefinition.keys(of: .shortcut)
        case .automation: ActionDefinition.keys(of: .automation)
        case .widget: ActionDefinition.keys(of: .widget)
        case .translation: TranslationDefinition.keys.map(\.declaration)
        case .vocabulary: VocabularyDefinition.keys.map(\.declaration)
        }
      return [KeyDeclaration(rawValue, .name(nameKind), "Its name.", isRequired: true)] + own
    }
  }

  package var kind: Kind {
    switch self {
    case .entity: .entity
    case .action(let action): action.kind.kind
    case .translation: .translation
    case .vocabulary: .vocabulary
    }
  }

  package var name: Scalar {
    switch self {
    case .entity(let entity): entity.name
    case .action(let action): action.name
    case .translation(let translation): translation.name
    case .vocabulary(let vocabulary): vocabulary.name
    }
  }

  /// The language of its texts; nil for English.
  package var language: String? {
    switch self {
    case .entity(let entity): entity.language
    case .action(let action): action.language
    case .translation(let translation): translation.language
    case .vocabulary(let vocabulary): vocabulary.language
    }
  }

  /// Parses a document.
  ///
  /// - Parameters:
  ///   - root: its root node, if it is known.
  ///   - verbs: the words of verbs.
  /// - Throws: all errors in the document's YAML and structure.
  package static func parse(
    _ slice: DocumentSlice, root: Node? = nil, verbs: VerbWords
  ) throws(Diagnostics) -> Definition {
    let collector = DiagnosticCollector(verbs: verbs)
    let node: Node
    do throws(Diagnostics) {
      node = if let root { root } else { try slice.parse() }
    } catch {
      throw Diagnostics(error.all.map { StepAdvice.onRepeatedKey($0, collector) })
    }
    guard let definition = read(node, collector), !collector.hasErrors else {
      throw Diagnostics(collector.all)
    }
    return definition
  }

  /// Parses as much of a document as possible, ignoring errors.
  static func partial(_ slice: DocumentSlice, verbs: VerbWords) -> Definition? {
    (try? slice.parse()).flatMap { read($0, DiagnosticCollector(verbs: verbs)) }
  }

  private static func read(_ node: Node, _ collector: DiagnosticCollector) -> Definition? {
    guard let mapping = node.mapping else {
      collector.report(
        "no-kind",
        "a document must be a mapping with one of the keys "
          + "`entity`, `intent`, `shortcut`, `automation`, `widget`",
        at: node.span.firstLine, help: DocumentAdvice.help(onRoot: node))
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
        "this document has none of the keys `entity`, `intent`, `shortcut`, `automation`, `widget`",
        at: near?.0.key.span ?? mapping.entries.first?.key.span ?? node.span,
        help: near.map { "did you mean `\($0.1)`?" }
          ?? DocumentAdvice.help(onKeysOf: mapping)
          ?? "begin with a line `shortcut: NAME`, and the steps below `steps:`")
      return nil
    }
    if kinds.count > 1 {
      collector.report(
        "two-kinds", "a document cannot have both `\(kind.rawValue)` and `\(kinds[1].0.rawValue)`",
        at: kinds[1].1.key.span, help: "put a line `---` between two documents")
      return nil
    }
    guard let name = entry.value.scalar, !name.isNull else {
      collector.report(
        "bad-name", "`\(kind.rawValue)` must be followed by a name", at: entry.value.span,
        help: "write `\(kind.rawValue): \(kind == .entity ? "Name" : "name")`"
          + (entry.value.mapping == nil
            ? "" : ", and below it, in line with it, the keys such as `steps:`"))
      return nil
    }
    var reader = DefinitionReader(mapping, at: node.span, what: kind.phrase, collector)
    _ = reader.node(kind.rawValue)
    let definition: Definition =
      switch kind {
      case .entity: .entity(EntityDefinition(name, &reader))
      case .intent: .action(ActionDefinition(kind: .intent, name, &reader))
      case .shortcut: .action(ActionDefinition(kind: .shortcut, name, &reader))
      case .automation: .action(ActionDefinition(kind: .automation, name, &reader))
      case .widget: .action(ActionDefinition(kind: .widget, name, &reader))
      case .translation: .translation(TranslationDefinition(name, &reader))
      case .vocabulary: .vocabulary(VocabularyDefinition(name, &reader))
      }
    reader.finish()
    definition.language.map { node.span.file.note(language: $0, in: node.span.range) }
    return definition
  }
}
