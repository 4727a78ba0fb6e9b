import CEL
import Catalog
import Items
import Program
import YAML

/// Steps of which an observer hears.
extension Runner {
  /// Runs a step, and tells how it ends.
  func watched(_ step: CompiledStep) throws -> Flow {
    let place = StepPlace(step, in: scope)
    do {
      if let condition = step.guardCondition, try !holds(condition) {
        if let binding = step.binding { frame.slots[binding] = .null }
        try run.tellObservers(.skipped, step, at: place)
        return .next
      }
      for observer in run.observers {
        try observer.stepBegins(step, at: place) { try arguments(of: step) }
      }
      if depth == 0, run.front.observesSteps { run.front.step([step.displayName]) }
      let flow =
        if let persistence = step.persistence {
          try persist(step, persistence)
        } else {
          try perform(step)
        }
      try run.tellObservers(.done(value(of: step)), step, at: place)
      return flow
    } catch let error as RunError {
      try run.tellObservers(.failed(error), step, at: place)
      throw error
    } catch let cancellation as Cancellation {
      try run.tellObservers(.cancelled, step, at: place)
      throw cancellation
    }
  }

  /// Runs a body in which steps stand in another place.
  func within<Result>(
    _ kind: StepScope.Kind, of step: CompiledStep, _ body: () throws -> Result
  ) rethrows -> Result {
    guard run.isWatched else { return try body() }
    let outer = scope
    scope = StepScope(kind, of: step, in: outer)
    defer { scope = outer }
    return try body()
  }

  // MARK: Ends

  /// The value of a step that was done; nil where it has none.
  private func value(of step: CompiledStep) -> Value? {
    if let binding = step.binding { return frame.slots[binding] }
    if case .verb(let call) = step.kind, !call.verb.setsIt { return nil }
    return it
  }

  /// The arguments of a call.
  private func arguments(of step: CompiledStep) throws -> [(name: String, value: Value)] {
    switch step.kind {
    case .verb(let call):
      return try zip(call.verb.arguments, call.arguments).compactMap { declaration, argument in
        guard let argument, let value = try value(of: argument) else { return nil }
        return (declaration.name, value)
      }
    case .action(let call):
      let parameters = try run.workspace.action(call.name).definition.allParameters
      return try call.arguments.map { argument in
        (parameters[argument.parameter].name.text, try value(of: argument.value))
      }
    default: return []
    }
  }

  private func value(of argument: CompiledArgument) throws -> Value? {
    switch argument {
    case .value(let value, _, _): return try self.value(of: value)
    case .literal(let text), .name(let text): return .string(text)
    case .dynamicName(let template, _): return .string(try text(of: template))
    case .fields(let fields):
      return .map(MapValue(try fields.map { ($0.name, try value(of: $0.value)) }))
    case .type(let type): return .string(type.description)
    case .filter(let expression, _): return .string(expression.source.text)
    case .sort(let keys):
      return .list(keys.map { .string(($0.isDescending ? "-" : "") + $0.property) })
    case .itemTemplate: return nil
    }
  }
}
