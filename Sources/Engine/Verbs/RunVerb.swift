import CEL
import Catalog
import Items
import Program

/// `run`: runs an intent or a shortcut by its name, which may be made when the step runs.
enum RunVerb: PlainVerb {
  static let word = "run"
  static let name = Argument<ArgumentName>("name", at: 0, .actionName, required: true)
  static let input = Argument<Value>("input", at: 1, .value(.any), takesSecrets: true)
  static let with = Argument<[CompiledArgument.Field]>("with", at: 2, .fields(.parameters))

  static let signature = VerbSignature(
    word, [name.declaration, input.declaration, with.declaration], effect: .outside,
    traits: [.setsIt, .calls], touches: touches)

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let runner = arguments.runner
    let called: String
    switch arguments[name] {
    case .name(let text): called = text
    case .dynamicName(let template, _):
      let name = try runner.decided("name", step) { .string(try runner.text(of: template)) }
      guard case .string(let text) = name else { return .null }
      called = text
    default: return .null
    }
    // A name that was made just now is that of something whose mistakes are not known yet.
    if case .dynamicName = arguments[name] {
      try runner.run.workspace.check(action: called)
      try runner.run.keepDefinitions(of: called)
      try runner.authorize(named: called)
    }
    let callee = try runner.run.workspace.action(called)
    return try runner.invoke(callee, step, speaks: false) {
      try CallArguments(arguments, input: input, with: with).given(to: callee.definition)
    }
  }

  private static func touches(_ call: VerbCall) -> [Touch] {
    guard case .dynamicName = call[name] else { return [] }
    return [Touch(any: .run, because: "what it runs is named when the step runs")]
  }
}
