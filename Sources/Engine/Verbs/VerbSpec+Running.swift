import CEL
import Catalog
import Items
import Program

extension VerbSpec {
  /// A verb after which the steps go on: `run` gives its value, or nil when it has none.
  convenience init(
    _ name: String, _ arguments: [ArgumentDeclaration] = [], effect: Effect, setsIt: Bool = false,
    mayRepeat: Bool = true, repeats: (@Sendable (VerbCall) -> Bool)? = nil,
    touches: (@Sendable (VerbCall) -> [Touch])? = nil,
    confirms: (@Sendable (VerbCall) -> Bool)? = nil, calls: Bool = false,
    enqueues: Bool = false, onResume: ResumePolicy? = nil,
    resumes: (@Sendable (VerbCall) -> ResumePolicy)? = nil,
    alternatives: Alternatives? = nil,
    conflict: (@Sendable (VerbCall) -> ArgumentConflict?)? = nil,
    resultType: ResultType = .unknown,
    run: @escaping @Sendable (VerbArguments, CompiledStep) throws -> Value?
  ) {
    self.init(
      name, arguments, effect: effect, setsIt: setsIt, mayRepeat: mayRepeat, repeats: repeats,
      touches: touches, confirms: confirms, calls: calls, enqueues: enqueues,
      onResume: resumes ?? onResume.map { policy in { @Sendable _ in policy } },
      alternatives: alternatives, conflict: conflict,
      resultType: resultType
    ) { context, call, step in
      // Only a `Runner` runs programs.
      let runner = unsafeDowncast(context, to: Runner.self)
      return (.next, try run(VerbArguments(runner, call), step))
    }
  }

  /// A verb that decides how the steps go on.
  convenience init(
    _ name: String, _ arguments: [ArgumentDeclaration] = [], form: Form = .usual,
    usesIt: Bool = false, flow: @escaping @Sendable (VerbArguments) throws -> Flow
  ) {
    self.init(name, arguments, form: form, effect: .pure, endsBlock: true, usesIt: usesIt) {
      context, call, _ in
      (try flow(VerbArguments(unsafeDowncast(context, to: Runner.self), call)), nil)
    }
  }
}
