/// The state of one evaluation: variables and remaining budget.
struct Frame {
  /// The program's variables; nil for one without a value.
  let variables: [Value?]
  /// The macro variables; nil for a part of a block that is not evaluated yet.
  var locals: [Value?]
  /// The remaining steps.
  private(set) var steps: Int
  /// The number of remaining steps at which `mustStop` is polled next.
  private var nextPoll = 0
  /// The limits of the evaluation.
  let limits: EvaluationLimits

  /// Whether the evaluation is to be interrupted; nil if nothing interrupts it.
  let mustStop: (() -> Bool)?

  /// Steps between two polls of `mustStop`: a few milliseconds.
  private static let stepsBetweenPolls = 1 << 15

  /// Starts an evaluation.
  init(
    variables: [Value?], localCount: Int, limits: EvaluationLimits,
    mustStop: (() -> Bool)? = nil
  ) {
    self.variables = variables
    locals = localCount == 0 ? [] : Array(repeating: nil, count: localCount)
    self.limits = limits
    self.mustStop = mustStop
    steps = limits.steps
    nextPoll = max(0, steps - Self.stepsBetweenPolls)
  }

  /// Deducts a cost from the remaining steps.
  mutating func charge(_ cost: Int) throws(EvaluationError) {
    steps -= cost
    if steps < nextPoll { try poll() }
  }

  /// Throws if no steps are left or the evaluation is interrupted; both abort it as a whole.
  @inline(never)
  private mutating func poll() throws(EvaluationError) {
    if steps < 0 {
      throw EvaluationError(.stated(.boundExceeded, "the expression takes too many steps"))
    }
    if mustStop?() == true {
      throw EvaluationError("the evaluation was interrupted", code: .interrupted)
    }
    nextPoll = max(0, steps - Self.stepsBetweenPolls)
  }

  /// Deducts the cost of creating a list or map of `count` elements.
  mutating func charge(elements count: Int) throws(EvaluationError) {
    try limits.expect(elements: count)
    try charge(count)
  }

  /// Deducts the cost of creating a string of `count` bytes.
  mutating func charge(bytes count: Int) throws(EvaluationError) {
    try limits.expect(bytes: count)
    try charge(count / 16)
  }
}
