/// Why a step can't be part of a transaction, during which no other program can write.
package enum AtomicHindrance: Sendable {
  case asks
  case confirms
  case reachesOutside
  case isNamedLate
  case retries
  case isParallel

  /// What a call does that does not fit; nil where nothing does.
  init?(_ call: VerbCall) {
    if call.verb.calls {
      guard case .dynamicName? = call.arguments.first ?? nil else { return nil }
      self = .isNamedLate
      return
    }
    switch call.verb.effect {
    case .ask: self = .asks
    case .outside: self = .reachesOutside
    case .pure, .read, .write, .tell:
      guard call.verb.asks(call) else { return nil }
      self = .confirms
    }
  }

  /// What a step does, but for those within it, that does not fit; nil where nothing does.
  package init?(_ step: CompiledStep) {
    if step.persistence?.retry != nil {
      self = .retries
      return
    }
    switch step.kind {
    case .verb(let call):
      guard let hindrance = AtomicHindrance(call) else { return nil }
      self = hindrance
    case .menu: self = .asks
    case .parallel: self = .isParallel
    case .forEach(let loop):
      guard loop.parallel != nil else { return nil }
      self = .isParallel
    case .action, .conditional, .repeatCount, .whileLoop, .attempt, .atomic: return nil
    }
  }

  /// What the step does, after its name in a sentence.
  package var words: String {
    switch self {
    case .asks: "asks the person"
    case .confirms: "asks before it deletes"
    case .reachesOutside: "reaches outside of the store"
    case .isNamedLate: "runs what is named only then"
    case .retries: "is tried again"
    case .isParallel: "runs several steps at once"
    }
  }

  /// What to do about it; nil where moving the step is all there is.
  package var help: String? {
    switch self {
    case .confirms: "ask with `confirm` before the `atomic`, and add `confirm: false` here"
    case .isNamedLate: "write the name itself, or put it before the `atomic`, or after it"
    case .asks, .reachesOutside, .retries, .isParallel: nil
    }
  }
}
