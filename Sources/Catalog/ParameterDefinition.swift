package import Items
import Source
package import YAML

/// A typed value that an intent or a shortcut takes (language §4).
package struct ParameterDefinition: Sendable {
  package let name: Scalar
  package let type: DataType
  package private(set) var title: String?
  package private(set) var description: String?
  package private(set) var defaultNode: Node?
  /// The question that asks for it.
  package private(set) var prompt: Template?
  package private(set) var constraints = Constraints()
  package private(set) var suggestions: Node?
  /// Whether a step's scalar value is this parameter.
  package private(set) var isPrimary = false
  /// Whether trailing words of a command line join into it.
  package private(set) var isRest = false
  /// Whether it is what an automation is told of what set it off.
  package var isTrigger = false
  /// Where the input of a shortcut may come from; nil for other parameters.
  package private(set) var sources: [InputSource]?

  /// What a value must be beside its type.
  package struct Constraints: Sendable {
    package var min: Double?
    package var max: Double?
    package var minLength: Int?
    package var maxLength: Int?
    package var pattern: Scalar?
    package var filter: ExpressionSource?
  }

  /// Where the input of a shortcut may come from (language §5).
  package enum InputSource: String, Sendable, CaseIterable {
    case argument, clipboard
  }

  /// Whether a run can do without a value.
  package var isRequired: Bool { defaultNode == nil && !type.isOptional && !isTrigger }

  /// How people call it.
  package var displayTitle: String { title ?? name.text }

  init?(_ entry: Mapping.Entry, _ collector: DiagnosticCollector, isInput: Bool = false) {
    name = entry.key
    if !isInput {
      collector.checkNew(name, of: "a parameter")
    }
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
    type = reader.type(of: name, isInput ? nil : "the parameter") ?? (isInput ? .any : .string)
    title = reader.text("title")
    description = reader.text("description")
    prompt = reader.template("prompt")
    defaultNode = reader.node("default")
    constraints = Constraints(
      min: reader.double("min"), max: reader.double("max"), minLength: reader.int("minLength"),
      maxLength: reader.int("maxLength"), pattern: reader.scalar("pattern"),
      filter: reader.expression("where"))
    suggestions = reader.node("suggestions")
    isPrimary = reader.bool("primary") ?? false
    isRest = reader.bool("rest") ?? false
    reader.refuseRequired()
    if isInput {
      sources =
        reader.scalars("from").map { scalars in
          scalars.compactMap { Self.source($0, collector) }
        } ?? [.argument]
    }
    reader.finish()
  }

  /// What an automation is told of what set it off, which nobody else gives it.
  init(trigger automation: Scalar) {
    name = Scalar(text: "trigger", style: .plain, span: automation.span)
    isTrigger = true
    type = .any
    isPrimary = true
  }

  /// The input of what takes shares.
  init(shared accepts: ShareAcceptance, at span: Span) {
    name = Scalar(text: "input", style: .plain, span: span)
    type = accepts.max > 1 ? .list(.share) : .share
    description = "What was shared."
    sources = [.argument]
  }

  private static func source(_ scalar: Scalar, _ collector: DiagnosticCollector) -> InputSource? {
    if let source = InputSource(rawValue: scalar.text) { return source }
    collector.report(
      "unknown-source", "input can't come from `\(scalar.text)`", at: scalar.span,
      help: Suggestion.help(for: scalar.text, in: InputSource.allCases.map(\.rawValue)))
    return nil
  }
}
