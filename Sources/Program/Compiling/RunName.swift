import CEL

/// The name `run`, which tells what is known of the run itself.
final class RunName {
  /// Its type, for the checker.
  static let type = ObjectType("run", fields: [("id", .string)])

  let slot: Int
  /// Whether an expression uses it, so that it must be given its value.
  var isUsed = false

  init(slot: Int) {
    self.slot = slot
  }
}
