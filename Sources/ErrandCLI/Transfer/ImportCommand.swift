import Engine

/// `errand import FILE|-`: takes in items from JSON Lines.
enum ImportCommand {
  /// Takes in a file, or standard input for nil and `-`; the status to exit with.
  static func run(
    path: String?, session: Session, console: Console, mode: OutputMode = .plain
  ) throws -> Int32 {
    throw RunError(.failed, "nothing can be imported")
  }
}
