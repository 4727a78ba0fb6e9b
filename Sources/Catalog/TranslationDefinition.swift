import Source
package import YAML

/// The texts of a definition in another language.
package struct TranslationDefinition: Sendable {
  /// The texts of a parameter or a property.
  package struct Naming: Sendable {
    package let name: Scalar
    package private(set) var title: String?
    package private(set) var description: String?
    package private(set) var prompt: Template?
    /// Words for the values of an enum or a Boolean.
    package private(set) var say: [String: [Scalar]] = [:]
  }

  /// The name of the definition, such as `save`, `Link` or `widget:tasks`.
  package let name: Scalar
  package private(set) var language = ""
  package private(set) var title: Scalar?
  package private(set) var description: Scalar?
  package private(set) var phrases: [PhraseDefinition] = []
  package private(set) var parameters: [Naming] = []
  package private(set) var properties: [Naming] = []
  /// The singular and the plural name of an entity.
  package private(set) var displayName: String?
  package private(set) var displayNamePlural: String?
  package private(set) var titleTemplate: Template?
  package private(set) var subtitle: Template?
  package private(set) var warnings: [Template] = []
  package private(set) var marks: [Template] = []
  package private(set) var full: Template?
  package private(set) var short: Template?
  /// The arguments of steps by their `as` or `name`.
  package private(set) var steps: [(name: Scalar, arguments: Mapping)] = []
  /// The parts of a widget.
  package private(set) var empty: Scalar?
  package private(set) var buttons: [(title: Scalar, text: String)] = []
  package private(set) var families: [Mapping.Entry] = []
  package private(set) var item: Mapping?
  package private(set) var tests: [TestDefinition] = []

  init(_ name: Scalar, _ reader: inout DefinitionReader) {
    self.name = name
    reader.collector.check(name, form: .definition, of: "a translated definition")
    reader.read(Self.keys, into: &self)
    if reader.lacks("language") {
      reader.collector.report(
        "missing-argument", "a translation needs its `language`", at: name.span,
        help: "add `language: de`, or another one")
    }
  }

  /// Keys of its document.
  static let keys: [Key<Self>] = [
    Key(
      "language", "Its language, such as `de`.", isRequired: true,
      .other(.text) { $0.language = LanguageCode.read(&$1) ?? "" }),
    Key("title", "The title.", .scalar { $0.title = $1 }),
    Key("description", "The description.", .scalar { $0.description = $1 }),
    Key(
      "phrases", "Phrases that invoke it.",
      .other(PhraseDefinition.form) { $0.phrases = PhraseDefinition.read("phrases", &$1) }),
    Key(
      "parameters", "The texts of parameters, by name.",
      .entries(.keys { Naming.keys }) { translation, entries, collector in
        translation.parameters = entries.compactMap { Naming($0, collector) }
      }),
    Key(
      "properties", "The texts of properties, by name.",
      .entries(.keys { Naming.keys }) { translation, entries, collector in
        translation.properties = entries.compactMap { Naming($0, collector) }
      }),
    Key(
      "display", "The names and lines of an entity.",
      .other(.keys { displayKeys }) { $1.readMapping("display", displayKeys, into: &$0) }),
    Key(
      "dialog", "Text said when a run ends.",
      .other(.keys { dialogKeys }) { $1.readMapping("dialog", dialogKeys, into: &$0) }),
    Key(
      "steps", "The arguments of steps, by their `as` or `name`.",
      .entries(.names(of: .value)) { translation, entries, collector in
        translation.steps = entries.compactMap { entry in
          guard let mapping = entry.value.mapping else {
            collector.report(
              "wrong-type", "`\(entry.key.text)` must be a mapping, such as `{prompt: …}`",
              at: entry.value.span)
            return nil
          }
          return (entry.key, mapping)
        }
      }),
    Key("empty", "The text of a widget without items.", .scalar { $0.empty = $1 }),
    Key(
      "buttons", "The texts of a widget's buttons, by their titles.",
      .entries(.text) { translation, entries, _ in
        translation.buttons = entries.compactMap { entry in
          entry.value.scalar.map { (entry.key, $0.text) }
        }
      }),
    Key(
      "families", "The texts of a widget's families.",
      .entries(.template) { translation, entries, _ in translation.families = entries }),
    Key(
      "item", "The lines of a widget's items.",
      .other(.names(of: .template)) { $0.item = $1.node("item")?.mapping }),
    Key(
      "tests", "Sentences with what they ask for.",
      .other(.list(of: .keys { TestDefinition.keys })) { translation, reader in
        let tests = TestReader(collector: reader.collector)
        translation.tests = reader.node("tests").map { tests.tests($0) } ?? []
      }),
  ]

  private static let displayKeys: [Key<Self>] = [
    Key(
      "name", "Singular and plural name.",
      .other(.keys { nameKeys }) {
        $1.readMapping("name", nameKeys, what: "`display.name`", into: &$0)
      }),
    Key("title", "Line that represents an item.", .template { $0.titleTemplate = $1 }),
    Key("subtitle", "Text next to the title.", .template { $0.subtitle = $1 }),
    Key("warnings", "Texts before the subtitle.", .templates { $0.warnings = $1 }),
    Key("marks", "Texts after the subtitle.", .templates { $0.marks = $1 }),
  ]

  private static let nameKeys: [Key<Self>] = [
    Key("one", "Such as `Link`.", .text { $0.displayName = $1 }),
    Key("other", "Such as `Links`.", .text { $0.displayNamePlural = $1 }),
  ]

  private static let dialogKeys: [Key<Self>] = [
    Key("full", "Text that makes sense without the card.", .template { $0.full = $1 }),
    Key("short", "Text shown next to the card.", .template { $0.short = $1 }),
  ]
}

extension TranslationDefinition.Naming {
  /// The keys of a parameter's or property's texts.
  static let keys: [Key<Self>] = [
    Key("title", "The title.", .text { $0.title = $1 }),
    Key("description", "The description.", .text { $0.description = $1 }),
    Key("prompt", "The question that asks for it.", .template { $0.prompt = $1 }),
    SpokenValues.key { $0.say = $1 },
  ]

  fileprivate init?(_ entry: Mapping.Entry, _ collector: DiagnosticCollector) {
    name = entry.key
    let what = "`\(entry.key.text)`"
    guard var reader = DefinitionReader(entry.value, what: what, collector) else { return nil }
    reader.read(Self.keys, into: &self)
    reader.finish()
  }
}

/// The key `say`: words for the values of an enum or a Boolean.
enum SpokenValues {
  /// The row of the key.
  static func key<Subject>(
    _ store: @escaping @Sendable (inout Subject, [String: [Scalar]]) -> Void
  ) -> Key<Subject> {
    Key(
      "say", "Words for its values in phrases.",
      .entries(.list(of: .text)) { subject, entries, _ in
        var words: [String: [Scalar]] = [:]
        for entry in entries {
          words[entry.key.text] =
            (entry.value.sequence ?? [entry.value]).compactMap(\.scalar)
        }
        store(&subject, words)
      })
  }
}
