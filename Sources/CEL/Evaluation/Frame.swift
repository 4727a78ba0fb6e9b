/// What one evaluation holds: its variables, and what it may still cost.
struct Frame {
  /// The program's variables; nil for one that has no value.
  let variables: [Value?]
  /// The variables of its macros; nil for a part of a block that was not needed yet.
  var locals: [Value?]
  /// The steps that are left until somebody is asked whether to go on.
  private var untilLook: Int
  /// The steps that are left after those.
  private var reserve: Int
  /// What it may cost in all.
  let limits: EvaluationLimits

  /// Tells whether the evaluation is to end; nil where nobody ends it.
  let mustStop: (() -> Bool)?

  /// How many steps pass between two such questions: a few milliseconds.
  private static let stepsBetweenLooks = 1 << 15

  /// The steps that are left.
  var steps: Int { untilLook + reserve }

  /// Begins an evaluation.
  init(
    variables: [Value?], localCount: Int, limits: EvaluationLimits,
    mustStop: (() -> Bool)? = nil
  ) {
    self.variables = variables
    locals = localCount == 0 ? [] : Array(repeating: nil, count: localCount)
    self.limits = limits
    self.mustStop = mustStop
    untilLook = min(limits.steps, Self.stepsBetweenLooks)
    reserve = limits.steps - untilLook
  }

  /// Pays for so many steps.
  mutating func charge(_ cost: Int) throws(EvaluationError) {
    untilLook -= cost
    if untilLook < 0 { try look() }
  }

  /// Goes on with the steps in reserve, unless there are none or the evaluation is to end; then all
  /// that follows ends, too.
  @inline(never)
  private mutating func look() throws(EvaluationError) {
    if steps < 0 { throw EvaluationError(.steps) }
    if mustStop?() == true { throw EvaluationError(.interrupted) }
    let left = steps
    untilLook = min(left, Self.stepsBetweenLooks)
    reserve = left - untilLook
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
