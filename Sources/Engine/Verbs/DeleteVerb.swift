import CEL
import Catalog
import Items
import Program
import Store

/// `delete`: deletes an item, once the person agreed.
enum DeleteVerb: PlainVerb {
  static let word = "delete"
  static let item = Argument<Item>("item", at: 0, .value(.any), required: true, role: .item)
  static let confirm = Argument<Bool>("confirm", at: 1, .value(.bool))

  static let signature = VerbSignature(
    word, [item.declaration, confirm.declaration], effect: .write, confirms: confirms,
    unanswered: unanswered)

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let run = arguments.runner.run
    let (item, reference) = try arguments.savedItem(item)
    if try arguments.value(confirm) != .bool(false) {
      let prompt = "Delete \(arguments.runner.renderer.title(of: item)) (\(reference))?"
      guard try run.asker.confirm(prompt, keys: step.answerKeys, danger: false) else {
        throw RunError.declined(prompt, "Nothing deleted.")
      }
    }
    let store = try run.store(for: item.entity)
    try RunError.translating { try store.delete(reference) }
    return nil
  }

  /// Whether the person is certainly asked.
  @Sendable
  private static func unanswered(_ call: VerbCall) -> String? {
    if case .value(let value, _, _)? = call[confirm], value.known != .bool(true) { return nil }
    return "add `confirm: false`"
  }

  /// Whether the person is asked, for all that is known before the run.
  @Sendable
  private static func confirms(_ call: VerbCall) -> Bool {
    if case .value(.constant(.bool(false)), _, _)? = call[confirm] { false } else { true }
  }
}
