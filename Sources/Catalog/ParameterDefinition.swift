package import Items
import Source
package import YAML

/// A typed value that an intent or a shortcut takes (language §4).
package struct ParameterDefinition: Sendable {
  package let name: Scalar
  package let type: DataType
  package let title: String?
  package let description: String?
  package let defaultNode: Node?
  /// The question that asks for it.
  package let prompt: Template?
  package let constraints: Constraints
  package let suggestions: Node?
  /// Whether a step's scalar value is this parameter.
  package let isPrimary: Bool
  /// Whether trailing words of a command line join into it.
  package let isRest: Bool
  /// Whether it is what an automation is told of what set it off.
  package var isTrigger = false
  /// Where the input of a shortcut may come from; nil for other parameters.
  package let sources: [InputSource]?

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
      collector.checkVariable(name, of: "a parameter")
      if NameForm.givenVariables.contains(name.text) {
        collector.report(
          Diagnostic(
            "reserved-name", "`\(name.text)` is a name of the language's own", at: name.span,
            help: "choose another name"))
      }
    }
    if let scalar = entry.value.scalar, !scalar.isNull {
      guard let type = collector.type(scalar) else { return nil }
      self.type = type
      (title, description, defaultNode, prompt, suggestions) = (nil, nil, nil, nil, nil)
      constraints = Constraints()
      isPrimary = false
      isRest = false
      sources = isInput ? [.argument] : nil
      return
    }
    let what = isInput ? "`input`" : "a parameter"
    guard
      var reader = DefinitionReader(
        entry.value, what: what, collector, help: ListAdvice.type(entry.value, of: entry.key))
    else { return nil }
    let values = reader.enumValues()
    type = reader.type("type", values: values) ?? (isInput ? .any : .string)
    if !isInput, reader.lacks("type") {
      collector.report(
        Diagnostic(
          "missing-type", "the parameter `\(name.text)` has no `type`", at: name.span,
          help: "add `type: string`, or whatever it holds"))
    }
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
    } else {
      sources = nil
    }
    reader.finish()
  }

  /// What an automation is told of what set it off, which nobody else gives it.
  init(trigger automation: Scalar) {
    name = Scalar(text: "trigger", style: .plain, span: automation.span)
    isTrigger = true
    type = .any
    (title, description, defaultNode, prompt, suggestions) = (nil, nil, nil, nil, nil)
    constraints = Constraints()
    isPrimary = true
    isRest = false
    sources = nil
  }

  /// The input of what takes shares.
  init(shared accepts: ShareAcceptance, at span: Span) {
    name = Scalar(text: "input", style: .plain, span: span)
    type = accepts.max > 1 ? .list(.share) : .share
    title = nil
    description = "What was shared."
    defaultNode = nil
    prompt = nil
    constraints = Constraints()
    suggestions = nil
    isPrimary = false
    isRest = false
    sources = [.argument]
  }

  private static func source(_ scalar: Scalar, _ collector: DiagnosticCollector) -> InputSource? {
    if let source = InputSource(rawValue: scalar.text) { return source }
    collector.report(
      Diagnostic(
        "unknown-source", "input can't come from `\(scalar.text)`", at: scalar.span,
        help: Suggestion.help(for: scalar.text, in: InputSource.allCases.map(\.rawValue))))
    return nil
  }
}
