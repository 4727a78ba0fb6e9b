import CEL
import Catalog
import Items
import Program

/// `confirm`: asks for a yes.
enum ConfirmVerb {
  static let prompt = Argument<String>("prompt", at: 0, .value(.string), required: true)
  static let danger = Argument<Bool>("danger", at: 1, .value(.bool))
  static let isOptional = Argument<Bool>("optional", at: 2, .value(.bool))

  static let spec = VerbSpec(
    "confirm", [prompt.declaration, danger.declaration, isOptional.declaration],
    effect: .ask, setsIt: true, resultType: .fixed(.bool)
  ) { arguments, step in
    let prompt = try arguments.text(prompt) ?? "Continue?"
    let isOptional = try arguments.flag(isOptional)
    let isYes: Bool
    do {
      isYes = try arguments.runner.run.asker.confirm(
        prompt, keys: step.answerKeys, danger: try arguments.flag(danger))
    } catch let error as RunError where error.code == .needsValue && isOptional {
      // What is optional is left out when nobody can be asked.
      return .bool(false)
    }
    if isYes || isOptional { return .bool(isYes) }
    throw RunError.declined(prompt, "Stopped: you answered no.")
  }
}
