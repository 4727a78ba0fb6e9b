import CEL
package import Catalog
package import Items
package import Source

/// A compiled step.
package struct CompiledStep {
  /// Kinds of steps.
  package indirect enum Kind {
    case action(ActionCall)
    case verb(VerbCall)
    case conditional([Branch], otherwise: [CompiledStep]?)
    case forEach(ForEach)
    case repeatCount(CompiledValue, index: Int?, body: LoopBody)
    case whileLoop(CompiledExpression, body: LoopBody)
    case menu(Menu)
    case attempt(Attempt)
    case parallel(Parallel)
    case atomic([CompiledStep])
  }

  /// A condition with its steps.
  package struct Branch {
    package let condition: CompiledExpression
    package let body: [CompiledStep]
  }

  /// A `for` loop.
  package struct ForEach {
    package let list: CompiledValue
    package let variable: Int
    package let index: Int?
    /// Concurrency of the iterations; nil for sequential ones.
    package let parallel: ParallelPasses?
    package let body: LoopBody
  }

  /// A menu: its prompt, and the steps of each option.
  package struct Menu {
    package let prompt: CompiledTemplate?
    package let options: [(label: CompiledTemplate, original: String?, body: [CompiledStep])]
  }

  /// A call of an intent or shortcut.
  package struct ActionCall {
    package let name: String
    /// Arguments, each with the position of the callee's parameter.
    package let arguments: [(parameter: Int, value: CompiledValue, span: Span)]
    package let speaks: Bool
  }

  package let kind: Kind
  /// Timeout and retries; nil for most steps.
  package let persistence: Persistence?
  package let id: StepID
  /// Its number in the document, in source order.
  package let index: Int
  /// Treatment if the run was interrupted during it; nil for the verb's default.
  package let onResume: ResumePolicy?
  /// Slot of `as`.
  package let binding: Int?
  /// Name after `as`.
  package let bindingName: String?
  package let label: String?
  /// The prompt as the definition has it, if a translation replaced it.
  package let originalPrompt: String?
  package let displayName: String
  package let guardCondition: CompiledExpression?
  package let span: Span
}

/// The steps of a loop, and whether the values of its iterations are used.
package final class LoopBody {
  package let steps: [CompiledStep]
  /// Whether to collect the values of the iterations; false for a loop run only for its effects.
  package internal(set) var keepsValues = true

  init(_ steps: [CompiledStep]) { self.steps = steps }
}

/// A compiled argument of a verb.
package enum CompiledArgument {
  case value(CompiledValue, DataType, Span)
  /// Literal text.
  case literal(String)
  /// An expression evaluated for each item, which is in the slot.
  case filter(CompiledExpression, selfSlot: Int)
  /// A template rendered for each item, which is in the slot.
  case itemTemplate(CompiledTemplate, selfSlot: Int)
  /// The name of an entity or action, or one of a fixed set of words.
  case name(String)
  /// A name computed when the step runs.
  case dynamicName(CompiledTemplate, Span)
  case type(DataType)
  case fields([Field])
  /// A map from names to values, computed when the step runs.
  case fieldMap(CompiledValue, Span)
  case sort([SortKey])

  /// A named value: of a property, a variable or a parameter.
  package struct Field {
    package let name: String
    package let value: CompiledValue
    /// Declared type; nil if unknown before the run.
    package let type: DataType?
    /// Slot of a variable.
    package let slot: Int?
    package let span: Span
  }
}

extension CompiledStep.Kind {
  /// Lists of steps within a block, in source order.
  package var blocks: [[CompiledStep]] {
    switch self {
    case .action, .verb: []
    case .conditional(let branches, let otherwise): branches.map(\.body) + [otherwise ?? []]
    case .forEach(let loop): [loop.body.steps]
    case .repeatCount(_, _, let body), .whileLoop(_, let body): [body.steps]
    case .menu(let menu): menu.options.map(\.body)
    case .attempt(let block): [block.body] + block.handlers.map(\.body) + [block.finally]
    case .parallel(let block): block.branches.map(\.body)
    case .atomic(let body): [body]
    }
  }
}

extension CompiledStep {
  /// Timeout and retry policy of a step.
  package final class Persistence {
    /// Time limit of each attempt; for a block, of all of it.
    package let timeout: CompiledValue?
    package let retry: Retry?

    init(timeout: CompiledValue?, retry: Retry?) {
      self.timeout = timeout
      self.retry = retry
    }
  }

  /// A retry policy: how often, after which delays and for which errors.
  package struct Retry {
    package let times: CompiledValue
    package let delay: CompiledValue?
    package let backoff: CompiledValue?
    package let max: CompiledValue?
    package let jitter: CompiledValue?
    /// Error codes; nil for transient errors.
    package let codes: [String]?
  }

  /// A `try` block: steps, error handlers and cleanup.
  package struct Attempt {
    package let body: [CompiledStep]
    package let handlers: [Handler]
    /// Steps that always run.
    package let finally: [CompiledStep]
    /// Slot of `error` in `finally`.
    package let errorSlot: Int
  }

  /// A `catch` handler for some errors.
  package struct Handler {
    /// Error codes it handles; nil for all that can be caught.
    package let codes: [String]?
    package let condition: CompiledExpression?
    /// Slot of the error.
    package let slot: Int
    package let body: [CompiledStep]
  }

  /// Named branches that run concurrently.
  package struct Parallel {
    package let branches: [(name: String, body: [CompiledStep])]
    package let limit: CompiledValue?
    package let settles: Bool
  }

  /// Concurrent iterations of a `for`.
  package struct ParallelPasses {
    package let limit: CompiledValue
    package let pace: CompiledValue?
    package let key: CompiledExpression?
    package let settles: Bool
  }
}

/// A reason why a step cannot be part of a transaction, which blocks all other writers.
package enum AtomicViolation: Sendable {
  case asks
  case confirms
  case reachesOutside
  case isNamedLate
  case retries
  case isParallel

  /// The violation by a call itself; nil if it may run in a transaction.
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

  /// The violation by a step, apart from the steps within it; nil if it may run in a transaction.
  package init?(_ step: CompiledStep) {
    if step.persistence?.retry != nil {
      self = .retries
      return
    }
    switch step.kind {
    case .verb(let call):
      guard let violation = AtomicViolation(call) else { return nil }
      self = violation
    case .menu: self = .asks
    case .parallel: self = .isParallel
    case .forEach(let loop):
      guard loop.parallel != nil else { return nil }
      self = .isParallel
    case .action, .conditional, .repeatCount, .whileLoop, .attempt, .atomic: return nil
    }
  }

  /// Predicate for a message, after the step's name.
  package var words: String {
    switch self {
    case .asks: "asks the person"
    case .confirms: "asks before it deletes"
    case .reachesOutside: "reaches outside of the store"
    case .isNamedLate: "calls an action whose name is computed"
    case .retries: "is tried again"
    case .isParallel: "runs several steps at once"
    }
  }

  /// Advice; nil if the step can only be moved.
  package var help: String? {
    switch self {
    case .confirms: "ask with `confirm` before the `atomic`, and add `confirm: false` here"
    case .isNamedLate: "write the name itself, or put it before the `atomic`, or after it"
    case .asks, .reachesOutside, .retries, .isParallel: nil
    }
  }
}

extension CompiledAction {
  /// Calls that every run makes, for any parameter values.
  package var certainCalls: [(name: String, span: Span)] {
    var calls: [(name: String, span: Span)] = []
    _ = Self.collect(steps, into: &calls)
    return calls
  }

  /// Collects the calls of steps up to the first one that may end the run.
  private static func collect(
    _ steps: [CompiledStep], into calls: inout [(name: String, span: Span)]
  ) -> Bool {
    for step in steps {
      if step.guardCondition == nil {
        switch step.kind {
        case .action(let call): calls.append((call.name, step.span))
        case .verb(let call) where call.verb.calls:
          if case .name(let name)? = call.arguments.first { calls.append((name, step.span)) }
        case .atomic(let body): if collect(body, into: &calls) { return true }
        case .parallel(let block):
          for branch in block.branches where collect(branch.body, into: &calls) { return true }
        default: break
        }
      }
      if step.mayEnd { return true }
    }
    return false
  }
}

extension CompiledStep {
  /// Whether it may end the run successfully: by a step, or by a choice of the person.
  package var mayEnd: Bool {
    if case .verb(let call) = kind {
      if case .ask = call.verb.effect { return true }
      return call.verb.exit != .next
    }
    if case .menu = kind { return true }
    return kind.blocks.contains { $0.contains(where: \.mayEnd) }
  }
}

/// The path of a step in its document, such as `steps.page` or `steps.2.then.0`.
///
/// A part is the step's name (`as`, else `name`), or its position. Errors, events and traces use
/// it. The text is built on demand.
package final class StepID: Sendable, CustomStringConvertible {
  private let parent: StepID?
  private let component: Component

  /// A part of a path.
  private enum Component {
    case word(String)
    case position(Int)
  }

  /// The top-level steps.
  package static let root = StepID(nil, .word("steps"))

  private init(_ parent: StepID?, _ component: Component) {
    self.parent = parent
    self.component = component
  }

  /// Returns the path of a named step in this block.
  func named(_ name: String) -> StepID { StepID(self, .word(name)) }

  /// Returns the path of the step at a position in this block.
  func at(_ position: Int) -> StepID { StepID(self, .position(position)) }

  /// The parts joined by dots.
  package var description: String {
    let own =
      switch component {
      case .word(let word): word
      case .position(let position): String(position)
      }
    return parent.map { "\($0).\(own)" } ?? own
  }
}
