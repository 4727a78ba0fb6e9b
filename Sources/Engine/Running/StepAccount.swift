import Program

/// What one call of an intent or a shortcut spends, beside what its own calls spend.
struct StepAccount {
  private let spent: Int
  private let charged: Int

  /// Begins with what a run has spent so far.
  init(of run: Run) {
    spent = run.budget.spent
    charged = run.chargedSteps
  }

  /// Charges what was spent meanwhile, and not charged to a callee.
  func charge(to action: CompiledAction, of run: Run) {
    let own = (run.budget.spent - spent) - (run.chargedSteps - charged)
    run.chargedSteps += own
    run.stepUses[ObjectIdentifier(action), default: (action, 0)].steps += own
  }
}
