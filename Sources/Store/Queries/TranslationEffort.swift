/// The steps that the translation of one condition may take: constants are evaluated and macros over
/// them written out, which would grow without end where they nest.
final class TranslationEffort {
  /// The steps that are left.
  var steps = 1_000_000
  /// What it costs to make a constant expression ready.
  static let ofProgram = 20

  /// Pays for so many steps; false when they are not left, and SQL is to be given up.
  func charge(_ cost: Int) -> Bool {
    steps -= cost
    return steps > 0
  }
}
