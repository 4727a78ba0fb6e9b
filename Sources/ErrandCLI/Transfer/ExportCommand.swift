import Engine

/// `errand export [ENTITY…]`: writes items as JSON Lines.
enum ExportCommand {
  /// Writes all items of the entities, or of all entities; the status to exit with.
  static func run(entities: [String], session: Session, console: Console) throws -> Int32 {
    throw RunError(.failed, "nothing can be exported")
  }
}
