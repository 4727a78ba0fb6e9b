import CEL
import Catalog
import Items
import Program

/// `confirm`: asks for a yes.
enum ConfirmVerb: PlainVerb {
  static let word = "confirm"
  static let prompt = Argument<String>("prompt", at: 0, .value(.string), required: true)
  static let danger = Argument<Bool>("danger", at: 1, .value(.bool))
  static let isOptional = Argument<Bool>("optional", at: 2, .value(.bool))

  static let signature = VerbSignature(
    word, [prompt.declaration, danger.declaration, isOptional.declaration],
    effect: .ask, traits: [.setsIt, .onlyTells], unanswered: unanswered,
    resultType: .fixed(.bool)
  )

  /// What is left out fails nothing.
  @Sendable
  private static func unanswered(_ call: VerbCall) -> String? {
    guard case .value(let value, _, _)? = call[isOptional] else { return VerbSignature.askLater }
    return value.known == .bool(false) ? VerbSignature.askLater : nil
  }

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
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
