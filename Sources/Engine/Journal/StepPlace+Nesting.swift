import Program

extension StepPlace {
  /// How many blocks and calls stand around the step.
  package var nesting: Int {
    var nesting = Self.nesting(of: id)
    var scope: StepScope? = scope
    while let next = scope {
      if case .call = next.kind { nesting += 1 + (next.step.map(Self.nesting) ?? 0) }
      scope = next.parent
    }
    return nesting
  }

  /// Blocks add the word of the block and a name or a position to the path.
  private static func nesting(of id: StepID) -> Int {
    (id.description.split(separator: ".").count - 1) / 2
  }
}
