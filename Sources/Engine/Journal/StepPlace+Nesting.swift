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

  /// Each block adds its word to the path.
  private static func nesting(of id: StepID) -> Int {
    let words = ["then", "else", "do", "options", "try", "catch", "finally", "parallel", "atomic"]
    // What comes last is the step's own.
    return id.description.split(separator: ".").dropLast().count { words.contains(String($0)) }
  }
}
