import CEL
import Catalog

/// An intent or a shortcut that is ready to run.
final class CompiledAction {
  let definition: ActionDefinition
  /// The input first, then the parameters, as in `definition.allParameters`.
  let parameters: [CompiledParameter]
  /// The variables that are declared with a type: slot, type and first value.
  let variables: [(slot: Int, type: DataType, value: CompiledValue?)]
  let slotCount: Int
  let steps: [CompiledStep]
  let output: CompiledValue?
  let full: CompiledTemplate?
  let short: CompiledTemplate?
  let snippet: CompiledValue?

  init(
    definition: ActionDefinition, parameters: [CompiledParameter],
    variables: [(slot: Int, type: DataType, value: CompiledValue?)], slotCount: Int,
    steps: [CompiledStep], output: CompiledValue?, full: CompiledTemplate?,
    short: CompiledTemplate?, snippet: CompiledValue?
  ) {
    self.definition = definition
    self.parameters = parameters
    self.variables = variables
    self.slotCount = slotCount
    self.steps = steps
    self.output = output
    self.full = full
    self.short = short
    self.snippet = snippet
  }
}

/// A parameter that is ready to be given a value.
struct CompiledParameter {
  let definition: ParameterDefinition
  let slot: Int
  let defaultValue: CompiledValue?
  let prompt: CompiledTemplate?
  let suggestions: CompiledValue?
  /// CEL over `self`, the value, and the slot in which it stands.
  let filter: (expression: CompiledExpression, selfSlot: Int)?
  /// Whether the text in the slot has the form it must have.
  let pattern: (expression: CompiledExpression, selfSlot: Int)?
}

/// An entity whose templates are compiled when they are first rendered.
final class CompiledEntity {
  let definition: EntityDefinition
  private(set) lazy var title = definition.titleTemplate.flatMap(compile)
  private(set) lazy var subtitle = definition.subtitleTemplate.flatMap(compile)
  /// The text of an item for other programs: its `text/plain`.
  private(set) lazy var plainText = definition.transfer
    .first { $0.mediaType == "text/plain" }
    .flatMap { compile($0.template) }
  private let compile: (Template) -> CompiledTemplate?
  /// A frame whose only slot is `self`.
  static let selfSlot = 0

  init(definition: EntityDefinition, compile: @escaping (Template) -> CompiledTemplate?) {
    self.definition = definition
    self.compile = compile
  }
}
