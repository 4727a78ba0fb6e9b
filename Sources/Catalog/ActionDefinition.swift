package import Items
package import Source
package import YAML

/// An intent, shortcut or automation: its parameters, steps and dialog (language §4 and §5).
package struct ActionDefinition: Sendable {
  /// Kinds of actions.
  package enum Kind: String, Sendable {
    case intent, shortcut, automation, widget

    /// Document kind.
    package var kind: Definition.Kind {
      switch self {
      case .intent: .intent
      case .shortcut: .shortcut
      case .automation: .automation
      case .widget: .widget
      }
    }
  }

  /// The text said when a run ends.
  package struct Dialog: Sendable {
    /// Text that makes sense without the card.
    package internal(set) var full: Template?
    /// Text shown next to the card.
    package internal(set) var short: Template?
    /// The card.
    package internal(set) var snippet: Node?
  }

  /// A variable declared with a type.
  package struct Variable: Sendable {
    package let name: Scalar
    package internal(set) var type = DataType.any
    package internal(set) var valueNode: Node?
  }

  package let kind: Kind
  package let name: Scalar
  /// The language of its texts; nil for English.
  package internal(set) var language: String?
  package internal(set) var title: String?
  package internal(set) var description: String?
  package internal(set) var icon: String?
  /// Phrases that invoke it.
  package internal(set) var phrases: [PhraseDefinition] = []
  package internal(set) var parameters: [ParameterDefinition] = []
  /// Input of a shortcut, or of an intent that accepts shares.
  package internal(set) var input: ParameterDefinition?
  /// Accepted shares; nil if it accepts none.
  package internal(set) var accepts: ShareAcceptance?
  package internal(set) var variables: [Variable] = []
  package internal(set) var steps: [Step] = []
  /// The form of values in its texts.
  package internal(set) var textForm = TextForm.plain
  /// Whether a run resumes at its last step after its process ended.
  package internal(set) var isDurable = false
  /// Concurrency mode for overlapping runs; nil for no limit.
  package internal(set) var runMode: RunMode?
  /// Maximum number of runs at once (`parallel`) or waiting (`queued`).
  package internal(set) var maxRuns: Int?
  /// Time limit of a run.
  package internal(set) var timeout: Node?
  package internal(set) var returns: DataType?
  package internal(set) var returnsSpan: Span?
  package internal(set) var output: Node?
  package internal(set) var dialog = Dialog()
  package internal(set) var tests: [TestDefinition] = []
  /// Triggers and requirements; nil unless it is an automation.
  package internal(set) var automation: AutomationDefinition?
  /// Sizes, clicks and the source of items; nil unless it is a widget.
  package internal(set) var widget: WidgetDefinition?

  /// Title shown to people.
  package var displayTitle: String {
    if let title { return title }
    // Built character by character: joining arrays of strings is slow on first use in a process.
    var title = ""
    var isFirst = true
    for letter in name.text {
      if letter == "-" {
        title.append(" ")
      } else if isFirst {
        title.append(letter.uppercased())
      } else {
        title.append(letter)
      }
      isFirst = letter == "-"
    }
    return title
  }

  /// The input first, then the parameters.
  package var allParameters: [ParameterDefinition] { (input.map { [$0] } ?? []) + parameters }

  /// The parameter set by a step's scalar value or the first word of a command line.
  package var primaryParameter: ParameterDefinition? {
    input ?? parameters.first { $0.isPrimary } ?? parameters.first
  }

  init(kind: Kind, _ name: Scalar, _ reader: inout DefinitionReader) {
    let collector = reader.collector
    self.kind = kind
    // The names of widgets are their own: `widget:tasks` is not the intent `tasks`.
    self.name =
      kind == .widget
      ? Scalar(text: WidgetDefinition.prefix + name.text, style: name.style, span: name.span)
      : name
    let what = kind.kind.phrase
    collector.check(name, form: .kebab, of: what)
    if kind != .widget, ReservedWord.isBlockWord(name.text) || collector.isVerb(name.text) {
      collector.report(
        "reserved-name", "`\(name.text)` is a reserved word", at: name.span,
        help: "choose another name for \(what)")
    }
    reader.read(Self.headKeys, into: &self)
    switch kind {
    case .automation:
      automation = AutomationDefinition(name, &reader)
      parameters = [ParameterDefinition(trigger: name)]
    case .intent: reader.read(Self.phraseKeys + Self.callKeys, into: &self)
    case .shortcut:
      reader.read(Self.phraseKeys + Self.callKeys + Self.inputKeys, into: &self)
    case .widget:
      let widget = WidgetDefinition(name, &reader)
      self.widget = widget
      parameters = widget.parameters
      steps = widget.steps(collector)
    }
    if kind != .widget { reader.read(Self.stepKeys, into: &self) }
    // The result of an automation is neither read nor shown.
    if kind != .automation, kind != .widget { reader.read(Self.resultKeys, into: &self) }
    reader.read(Self.testKeys, into: &self)
    for parameter in parameters.dropLast() where parameter.isRest {
      guard parameter.name.text != parameters.filter({ !$0.isPrimary }).first?.name.text else {
        continue
      }
      collector.report(
        "rest-not-first", "only the first or the last parameter can have `rest: true`",
        at: parameter.name.span,
        help: "move `\(parameter.name.text)` to the front, or to the end")
    }
  }
}

extension ActionDefinition {
  /// Keys of a document of a kind, except the one that names it.
  static func keys(of kind: Kind) -> [KeyDeclaration] {
    let own =
      switch kind {
      case .intent: phraseKeys + callKeys
      case .shortcut: phraseKeys + callKeys + inputKeys
      case .automation, .widget: [Key<Self>]()
      }
    if kind == .widget {
      return (headKeys + testKeys).map(\.declaration) + WidgetDefinition.keys.map(\.declaration)
    }
    let automation = kind == .automation ? AutomationDefinition.keys.map(\.declaration) : []
    let result = kind == .automation ? [] : resultKeys
    return automation + (headKeys + own + stepKeys + result + testKeys).map(\.declaration)
  }

  /// Whether a key is one of an intent, a shortcut or an automation.
  static func hasKey(_ name: String) -> Bool {
    [resultKeys, callKeys, inputKeys, stepKeys, headKeys, phraseKeys].contains { keys in
      keys.contains { $0.name == name }
    }
  }

  private static let headKeys: [Key<Self>] = [
    Key("title", "Title shown to people.", .text { $0.title = $1 }),
    Key("description", "Its purpose, in a sentence.", .text { $0.description = $1 }),
    Key("icon", "Icon name.", .text { $0.icon = $1 }),
    Key(
      "language", "The language of its texts; English by default.",
      .other(.text) { $0.language = LanguageCode.read(&$1) }),
  ]

  private static let phraseKeys: [Key<Self>] = [
    Key(
      "phrases", "Phrases that invoke it.",
      .other(PhraseDefinition.form) { $0.phrases = PhraseDefinition.read("phrases", &$1) })
  ]

  private static let callKeys: [Key<Self>] = [
    Key(
      "parameters", "Parameters by name: a type, or a mapping.",
      .entries(.either([.type, .keys { ParameterDefinition.keys }]), named: .parameter) {
        action, entries, collector in
        action.parameters = entries.compactMap { ParameterDefinition($0, collector) }
      }),
    Key(
      "accepts", "Accepted shares.",
      .other(.keys { ShareAcceptance.keys }) { $0.readAcceptance(&$1) }),
  ]

  private static let inputKeys: [Key<Self>] = [
    Key(
      "input", "Its input: a type, or a mapping.",
      .other(
        .either([.type, .keys { ParameterDefinition.inputKeys }])
      ) { action, reader in
        guard action.accepts == nil, let entry = reader.mapping.entry("input") else { return }
        _ = reader.node("input")
        action.input = ParameterDefinition(entry, reader.collector, isInput: true)
      })
  ]

  private static let stepKeys: [Key<Self>] = [
    Key(
      "variables", "Variables with their types, by name.",
      .entries(.keys { Variable.keys }, named: .variable) { action, entries, collector in
        action.variables = entries.compactMap { Variable($0, collector) }
        collector.checkDistinct(
          action.parameters.map(\.name) + action.variables.map(\.name),
          of: "the parameters and variables")
      }),
    Key(
      "steps", "Its steps.", isRequired: true,
      .other(.steps) { action, reader in
        let collector = reader.collector
        action.steps = reader.node("steps").map { StepReader(collector: collector).steps($0) } ?? []
        guard reader.lacks("steps") else { return }
        collector.report(
          "no-steps", "\(action.kind.kind.phrase) needs `steps`", at: action.name.span,
          help: "add `steps:` and a list of calls")
      }),
    Key(
      "texts",
      "The form of values in its texts: `plain`, or `apple` for that of Apple's Shortcuts.",
      .other(.choice(TextForm.allCases.map(\.rawValue))) { action, reader in
        action.textForm = reader.choice("texts") ?? .plain
      }),
    Key("durable", "Whether interrupted runs resume.", .bool { $0.isDurable = $1 }),
    Key(
      "mode", "Concurrency mode for overlapping runs.",
      .other(.choice(RunMode.allCases.map(\.rawValue))) { $0.readMode(&$1) }),
    Key("max", "Maximum number of runs or waiting runs.", .beside(.int)),
    Key("timeout", "Time limit of a run.", .value { $0.timeout = $1 }),
  ]

  private static let resultKeys: [Key<Self>] = [
    Key(
      "returns", "The type of its result.",
      .other(.type) { action, reader in
        action.returnsSpan = reader.mapping["returns"]?.span
        action.returns = reader.type("returns", values: nil)
      }),
    Key("output", "Its result.", .value { $0.output = $1 }),
    Key(
      "dialog", "Text said when a run ends.",
      .other(.keys { dialogKeys }) { $0.readDialog(&$1) }),
  ]

  private static let dialogKeys: [Key<Dialog>] = [
    Key("full", "Text that makes sense without the card.", .template { $0.full = $1 }),
    Key("short", "Text shown next to the card.", .template { $0.short = $1 }),
    Key("snippet", "The card.", .value { $0.snippet = $1 }),
  ]

  private static let testKeys: [Key<Self>] = [
    Key(
      "tests", "Its tests.",
      .other(.list(of: .keys { TestDefinition.keys })) { action, reader in
        let tests = TestReader(collector: reader.collector)
        action.tests = reader.node("tests").map { tests.tests($0) } ?? []
      })
  ]

  private mutating func readAcceptance(_ reader: inout DefinitionReader) {
    accepts = reader.node("accepts").flatMap { ShareAcceptance($0, reader.collector) }
    guard let accepts, let span = reader.mapping["accepts"]?.span else { return }
    reader.refuse(
      "input", because: "its input is what was shared, since it has `accepts`"
    ) { _ in "remove `input`" }
    input = ParameterDefinition(shared: accepts, at: span)
  }

  private mutating func readMode(_ reader: inout DefinitionReader) {
    let mode: RunMode? = reader.choice("mode")
    // Concurrent runs of a durable action would resume each other's work.
    runMode = mode ?? (isDurable || kind == .automation ? .single : nil)
    maxRuns = reader.int("max")
    guard let maxRuns, let span = reader.mapping["max"]?.span else { return }
    if maxRuns < 1 {
      reader.collector.report("invalid-value", "`max` must be at least 1", at: span)
    } else if mode != .parallel, mode != .queued {
      reader.collector.report(
        "missing-argument", "`max` is for the modes `parallel` and `queued`", at: span,
        help: "add `mode: parallel`")
    }
  }

  private mutating func readDialog(_ reader: inout DefinitionReader) {
    guard let text = reader.mapping["dialog"]?.scalar, !text.isNull else {
      return reader.readMapping("dialog", Self.dialogKeys, into: &dialog)
    }
    _ = reader.node("dialog")
    let quoted = text.text.replacing("'", with: "''")
    let line = text.span.line(with: "{full: '\(quoted)'}")
    reader.collector.report(
      "wrong-type", "`dialog` must be a mapping of `full`, `short` and `snippet`, not text",
      at: text.span, help: "write `\(line ?? "dialog: {full: …}")`")
  }
}

extension ActionDefinition.Variable {
  /// The keys of a variable.
  static let keys: [Key<Self>] = [
    Key("type", "Its type.", isRequired: true, .beside(.type)),
    Key("values", "The values of an `enum`.", .beside(.list(of: .text))),
    Key("value", "Initial value.", .value { $0.valueNode = $1 }),
  ]

  fileprivate init?(_ entry: Mapping.Entry, _ collector: DiagnosticCollector) {
    name = entry.key
    collector.checkVariable(name, of: "a variable")
    guard
      var reader = DefinitionReader(
        entry.value, what: "a variable", collector,
        help: ListAdvice.type(entry.value, of: entry.key)
          ?? entry.value.scalar.map { value in
            let type = value.bool != nil ? "bool" : Int(value.text) != nil ? "int" : "string"
            // `Ada` may be the name of an entity, but here rather a text.
            if value.style == .plain, let type = DataType.parse(value.text), type.entityName == nil
            {
              return "write `\(entry.key.text): {type: '\(value.text)'}`"
            }
            return "write `\(entry.key.text): {type: \(type), value: \(value.span.text)}`"
          })
    else { return nil }
    let type = reader.type(of: name, "the variable")
    reader.read(Self.keys, into: &self)
    reader.finish()
    guard let type else { return nil }
    self.type = type
    if !type.isOptional, valueNode == nil, let span = reader.mapping["type"]?.span {
      collector.report(
        "unset-variable", "`\(name.text)` has no initial value", at: span,
        help: "give it a `value`, or write `\(type.description)?`")
    }
  }
}
