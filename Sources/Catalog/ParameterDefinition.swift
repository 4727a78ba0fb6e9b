package import Items
import Source
package import YAML

/// A typed parameter of an intent or a shortcut (language §4).
package struct ParameterDefinition: Sendable {
  package let name: Scalar
  package internal(set) var type = DataType.any
  package internal(set) var title: String?
  package internal(set) var description: String?
  package internal(set) var defaultNode: Node?
  /// The question asked for a missing value.
  package internal(set) var prompt: Template?
  /// Words for the values of an enum or a Boolean in phrases.
  package internal(set) var say: [String: [Scalar]] = [:]
  /// Constraints on its values besides the type.
  package internal(set) var constraints = ValueConstraints()
  /// Condition on a value, as `self`.
  package internal(set) var filter: ExpressionSource?
  package internal(set) var suggestions: Node?
  /// The earlier parameter that a time of day follows, as an end its start.
  package internal(set) var following: Scalar?
  /// The earlier parameter with the time zone of its days and times.
  package internal(set) var zone: Scalar?
  /// Whether a step's scalar value sets this parameter.
  package internal(set) var isPrimary = false
  /// Whether trailing words of a command line are joined into it.
  package internal(set) var isRest = false
  /// Whether it is the `trigger` of an automation.
  package var isTrigger = false
  /// Allowed sources of a shortcut's input; nil for other parameters.
  package internal(set) var sources: [InputSource]?

  /// Sources of a shortcut's input (language §5).
  package enum InputSource: String, Sendable, CaseIterable {
    case argument, clipboard
  }

  /// Whether a run needs a value for it.
  package var isRequired: Bool { defaultNode == nil && !type.isOptional && !isTrigger }

  /// Title shown to people.
  package var displayTitle: String { title ?? name.text }

  init?(_ entry: Mapping.Entry, _ collector: DiagnosticCollector, isInput: Bool = false) {
    name = entry.key
    if !isInput { collector.checkNew(name, of: "a parameter") }
    if let scalar = entry.value.scalar, !scalar.isNull {
      guard let type = collector.type(scalar) else { return nil }
      self.type = type
      sources = isInput ? [.argument] : nil
      return
    }
    let what = isInput ? "`input`" : "a parameter"
    guard
      var reader = DefinitionReader(
        entry.value, what: what, collector, help: ListAdvice.type(entry.value, of: entry.key))
    else { return nil }
    let given = reader.type(of: name, isInput ? nil : "the parameter")
    // An unknown type is reported; a default of any type then fits.
    type = given ?? (isInput || reader.mapping["type"] != nil ? .any : .string)
    if isInput { sources = [.argument] }
    reader.read(isInput ? Self.inputKeys : Self.keys, into: &self)
    constraints = reader.constraints(of: name, given ?? (isInput ? .any : nil))
    reader.refuseRequired()
    reader.finish()
  }

  /// Keys of a parameter.
  static let keys =
    [Key<Self>("type", "Its type.", isRequired: true, .beside(.type))] + commonKeys

  /// Keys of an input, which may be of any type.
  static let inputKeys =
    [Key<Self>("type", "Its type.", .beside(.type))] + commonKeys
    + [
      Key(
        "from", "Allowed sources.",
        .other(.list(of: .choice(InputSource.allCases.map(\.rawValue)))) { input, reader in
          guard let scalars = reader.scalars("from") else { return }
          input.sources = scalars.compactMap { source($0, reader.collector) }
        })
    ]

  private static let commonKeys: [Key<Self>] =
    [
      Key("values", "The values of an `enum`.", .beside(.list(of: .text))),
      Key("title", "Title shown to people.", .text { $0.title = $1 }),
      Key("description", "Its meaning, in a sentence.", .text { $0.description = $1 }),
      Key("prompt", "The question that asks for it.", .template { $0.prompt = $1 }),
      SpokenValues.key { $0.say = $1 },
      Key("default", "Default value.", .value { $0.defaultNode = $1 }),
      Key("where", "Condition on a value, as `self`.", .expression { $0.filter = $1 }),
      Key("suggestions", "Values to choose from.", .value { $0.suggestions = $1 }),
      Key(
        "after", "The earlier parameter that a time of day follows, as an end its start.",
        .scalar { $0.following = $1 }),
      Key(
        "zone", "The earlier parameter with the time zone of its days and times.",
        .scalar { $0.zone = $1 }),
      Key("primary", "Whether a step's scalar value sets it.", .bool { $0.isPrimary = $1 }),
      Key("rest", "Whether trailing words are joined into it.", .bool { $0.isRest = $1 }),
    ] + DefinitionReader.constraintKeys()

  /// Creates the `trigger` of an automation, which no caller can set.
  init(trigger automation: Scalar) {
    name = Scalar(text: "trigger", style: .plain, span: automation.span)
    isTrigger = true
    type = .any
    isPrimary = true
  }

  /// Creates a parameter of a widget's run, which no caller can set.
  init(widget name: String, _ type: DataType, at span: Span) {
    self.name = Scalar(text: name, style: .plain, span: span)
    self.type = type
  }

  /// Creates the input of an intent or shortcut that accepts shares.
  init(shared accepts: ShareAcceptance, at span: Span) {
    name = Scalar(text: "input", style: .plain, span: span)
    type = accepts.max > 1 ? .list(.share) : .share
    description = "The shared content."
    sources = [.argument]
  }

  private static func source(_ scalar: Scalar, _ collector: DiagnosticCollector) -> InputSource? {
    if let source = InputSource(rawValue: scalar.text) { return source }
    collector.report(
      "unknown-source", "input cannot come from `\(scalar.text)`", at: scalar.span,
      help: Suggestion.help(for: scalar.text, in: InputSource.allCases.map(\.rawValue)))
    return nil
  }
}
