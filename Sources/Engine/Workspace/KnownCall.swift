import Catalog
import Items
import Program
import Source
import YAML

/// A call of an intent or a shortcut whose name is known before the run.
struct KnownCall {
  let name: String
  let span: Span
  /// The positions of the parameters that it gives, and their names.
  var positions: Set<Int> = []
  var names: Set<String> = []
  /// Whether it gives the input by that word.
  var givesInput = false
  /// Whether which ones it gives is known only in the run.
  var givesAny = false

  init?(_ step: CompiledStep) {
    span = step.span
    switch step.kind {
    case .action(let call):
      name = call.name
      positions = Set(call.arguments.map(\.parameter))
    case .verb(let call) where call.verb.calls:
      guard case .name(let known)? = call.arguments.first ?? nil else { return nil }
      name = known
      for (declaration, argument) in zip(call.verb.arguments, call.arguments).dropFirst() {
        switch argument {
        case nil: break
        case .fields(let fields)?: names = Set(fields.map(\.name))
        case .fieldMap?: givesAny = true
        default: givesInput = givesInput || declaration.name == "input"
        }
      }
    default: return nil
    }
  }

  /// The first parameter of the callee that it leaves out, so that a person is asked for it.
  func missingParameter(of callee: CompiledAction) -> ParameterDefinition? {
    let primary = callee.definition.primaryParameter?.name.text
    for (index, parameter) in callee.parameters.enumerated() {
      let definition = parameter.definition
      let isGiven =
        givesAny || positions.contains(index) || givesInput && primary == definition.name.text
        || names.contains(definition.name.text)
      if isGiven || parameter.defaultValue != nil || definition.type.isOptional { continue }
      return definition
    }
    return nil
  }
}
