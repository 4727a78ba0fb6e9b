/// What one evaluation holds: its variables, and what it may still cost.
struct Frame {
  /// The program's variables; nil for one that has no value.
  let variables: [Value?]
  /// The variables of its macros; nil for a part of a block that was not needed yet.
  var locals: [Value?]
  private(set) var steps: Int
  /// What it may cost in all.
  let limits: EvaluationLimits

  /// Begins an evaluation.
  init(variables: [Value?], localCount: Int, limits: EvaluationLimits) {
    self.variables = variables
    locals = localCount == 0 ? [] : Array(repeating: nil, count: localCount)
    self.limits = limits
    steps = limits.steps
  }

  /// Pays for so many steps.
  mutating func charge(_ cost: Int) throws(EvaluationError) {
    steps -= cost
    if steps < 0 { throw EvaluationError(.steps) }
  }

  /// Pays for making a list or map of so many elements.
  mutating func charge(elements count: Int) throws(EvaluationError) {
    if count > limits.elements { throw EvaluationError(.tooLarge("the list")) }
    try charge(count)
  }

  /// Pays for making a string of so many bytes.
  mutating func charge(bytes count: Int) throws(EvaluationError) {
    if count > limits.bytes { throw EvaluationError(.tooLarge("the text")) }
    try charge(count / 16)
  }
}
