import CEL
import Catalog
import Items
import Program

/// `return`: ends the intent or shortcut with a value, or with `it`.
enum ReturnVerb {
  static let value = Argument<Value>("value", at: 0, .value(.any), takesSecrets: true)

  static let spec = VerbSpec("return", [value.declaration], usesIt: true) { arguments in
    .returned(try arguments.value(value) ?? arguments.runner.it)
  }
}
