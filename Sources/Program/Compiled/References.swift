import Catalog
import Items

/// What an intent or a shortcut names beside itself: what it calls, and the entities it deals with.
package struct References {
  /// The intents and shortcuts whose names are known before the run.
  package private(set) var actions: Set<String> = []
  /// The entities of its types and of its steps.
  package private(set) var entities: Set<String> = []

  init(of action: CompiledAction) {
    for parameter in action.definition.allParameters { add(parameter.type) }
    for variable in action.variables { add(variable.type) }
    if let returns = action.definition.returns { add(returns) }
    add(action.steps)
  }

  private mutating func add(_ type: DataType) {
    entities.formUnion(type.entityNames)
  }

  private mutating func add(_ steps: [CompiledStep]) {
    for step in steps {
      switch step.kind {
      case .action(let call): actions.insert(call.name)
      case .verb(let call): add(call)
      default: for block in step.kind.blocks { add(block) }
      }
    }
  }

  private mutating func add(_ call: VerbCall) {
    for (declaration, argument) in zip(call.verb.arguments, call.arguments) {
      switch (declaration.kind, argument) {
      case (.actionName, .name(let name)): actions.insert(name)
      case (.entityName, .name(let name)): entities.insert(name)
      case (_, .type(let type)): add(type)
      default: break
      }
    }
  }
}

extension CompiledAction {
  /// What it names beside itself.
  package var references: References { References(of: self) }
}

extension CompiledStep.Kind {
  /// The lists of steps within a block, in the order in which they are written.
  package var blocks: [[CompiledStep]] {
    switch self {
    case .action, .verb: []
    case .conditional(let branches, let otherwise): branches.map(\.body) + [otherwise ?? []]
    case .forEach(let loop): [loop.body.steps]
    case .repeatCount(_, let body), .whileLoop(_, let body): [body.steps]
    case .menu(let menu): menu.options.map(\.body)
    case .attempt(let block): [block.body] + block.handlers.map(\.body) + [block.finally]
    case .parallel(let block): block.branches.map(\.body)
    case .atomic(let body): [body]
    }
  }
}
