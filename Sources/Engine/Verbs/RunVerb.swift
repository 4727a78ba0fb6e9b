import CEL
import Catalog
import Items
import Program

/// `run`: calls an intent or a shortcut by a name that may be computed at run time.
enum RunVerb: Verb {
  static let word = "run"
  static let name = Argument<ArgumentName>("name", at: 0, .actionName, required: true)
  static let input = Argument<Value>("input", at: 1, .value(.any), takesSecrets: true)
  static let with = Argument<[CompiledArgument.Field]>("with", at: 2, .fields(.parameters))

  static let signature = VerbSignature(
    word, [name, input, with], effect: .outside,
    traits: [.setsIt, .calls], capabilities: capabilities)

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let runner = arguments.runner
    let called: String
    switch arguments[name] {
    case .name(let text): called = text
    case .dynamicName(let template, _):
      called = try runner.decided("name", step) { .string(try runner.text(of: template)) }.text
      // A computed name was not checked at compile time.
      try runner.run.workspace.check(action: called)
      try runner.run.keepDefinitions(of: called)
      try runner.authorize(named: called)
    default: return .null
    }
    let callee = try runner.run.workspace.action(called)
    return try runner.invoke(callee, step, speaks: false) {
      try CallArguments(arguments: arguments, input: input, with: with).given(to: callee.definition)
    }
  }

  private static func capabilities(_ call: VerbCall) -> [Capability] {
    guard case .dynamicName(let template, _) = call[name] else { return [] }
    // A constant in an expression need not exist yet, but is known.
    if case .string(let called)? = template.lone?.program.constant {
      return [Capability(.run, called)]
    }
    return [Capability(any: .run, because: "what it runs is named when the step runs")]
  }
}
