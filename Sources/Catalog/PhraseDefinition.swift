import Source
package import YAML

/// A sentence template that invokes an intent or a shortcut, with the values that it implies.
package struct PhraseDefinition: Sendable {
  /// The template.
  package private(set) var scalar: Scalar
  /// Values of parameters besides those in the sentence.
  package private(set) var values: [Mapping.Entry] = []

  /// The text of the template.
  package var text: String { scalar.text }

  /// Reads the phrases of a key: templates, or mappings with `say` and `with`.
  static func read(_ key: String, _ reader: inout DefinitionReader) -> [PhraseDefinition] {
    guard let node = reader.node(key) else { return [] }
    let collector = reader.collector
    return (node.sequence ?? [node]).compactMap { node in
      if let scalar = node.scalar { return PhraseDefinition(scalar: scalar) }
      guard var reader = DefinitionReader(node, what: "a phrase", collector) else { return nil }
      var phrase = PhraseDefinition(scalar: Scalar(text: "", style: .plain, span: node.span))
      reader.read(keys, into: &phrase)
      reader.finish()
      if reader.lacks("say") {
        collector.report(
          "missing-argument", "a phrase needs `say`", at: node.span,
          help: "write `say: 'do {something}'`")
      }
      return phrase.text.isEmpty ? nil : phrase
    }
  }

  /// The keys of a phrase with implied values.
  static let keys: [Key<Self>] = [
    Key("say", "The sentence template.", isRequired: true, .scalar { $0.scalar = $1 }),
    Key(
      "with", "Values of parameters that it implies.",
      .entries(.value) { phrase, entries, _ in phrase.values = entries }),
  ]

  /// The form of a list of phrases.
  static let form = ValueForm.list(of: .either([.text, .keys { keys }]))
}
