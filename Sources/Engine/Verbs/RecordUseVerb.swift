import CEL
import Catalog
import Items
import Program
import Store

/// `record-use`: counts a use of an item for the rank in searches.
enum RecordUseVerb: PlainVerb {
  static let word = "record-use"
  static let item = Argument<Item>("item", at: 0, .value(.any), required: true, role: .item)
  static let how = Argument<ArgumentName>("how", at: 1, .choice(["open", "share", "save"]))

  static let signature = VerbSignature(
    word, [item.declaration, how.declaration], effect: .write)

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let (item, reference) = try arguments.savedItem(item)
    let use: Use =
      switch arguments.name(how) {
      case "share": .share
      case "save": .save
      default: .open
      }
    let store = try arguments.runner.run.store(for: item.entity)
    // A library that can only be read counts no use; that is no reason to fail.
    if store.isReadOnly { return nil }
    try RunError.translating { try store.recordUse(of: reference, as: use) }
    return nil
  }
}
