import CEL
package import Catalog
package import Items
package import Source

/// A step that is ready to run.
package struct CompiledStep {
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

  package struct Branch {
    package let condition: CompiledExpression
    package let body: [CompiledStep]
  }

  package struct ForEach {
    package let list: CompiledValue
    package let variable: Int
    package let index: Int?
    /// How the passes run at once; nil when they run one after the other.
    package let parallel: ParallelPasses?
    package let body: LoopBody
  }

  package struct Menu {
    package let prompt: CompiledTemplate?
    package let options: [(label: CompiledTemplate, body: [CompiledStep])]
  }

  /// A call of an intent or a shortcut.
  package struct ActionCall {
    package let name: String
    /// The position of a parameter of the callee, and its value.
    package let arguments: [(parameter: Int, value: CompiledValue, span: Span)]
    package let speaks: Bool
  }

  package let kind: Kind
  /// How long the step may take and how often it is tried; nil for most steps.
  package let persistence: Persistence?
  package let id: StepID
  /// Its number in the document, in the order in which steps are written.
  package let index: Int
  /// What is done about it when it was going on as its run ended; nil for what its verb says.
  package let onResume: ResumePolicy?
  /// The slot that `as` names.
  package let binding: Int?
  /// The name after `as`.
  package let bindingName: String?
  package let label: String?
  package let displayName: String
  package let guardCondition: CompiledExpression?
  package let span: Span
}

/// The steps of a loop, and whether anything comes to use the values of its passes.
package final class LoopBody {
  package let steps: [CompiledStep]
  /// Whether the list of the passes' values is wanted; a loop for its effects alone keeps none.
  package internal(set) var keepsValues = true

  init(_ steps: [CompiledStep]) {
    self.steps = steps
  }
}

/// An argument of a verb.
package enum CompiledArgument {
  case value(CompiledValue, DataType, Span)
  /// Text as it stands.
  case literal(String)
  /// An expression over an item, which stands in the slot.
  case filter(CompiledExpression, selfSlot: Int)
  /// A template over an item, which stands in the slot.
  case itemTemplate(CompiledTemplate, selfSlot: Int)
  /// A name of an entity, an action, or one of a few words.
  case name(String)
  /// A name that is known when the step runs.
  case dynamicName(CompiledTemplate, Span)
  case type(DataType)
  case fields([Field])
  /// A map of names to values that is made when the step runs.
  case fieldMap(CompiledValue, Span)
  case sort([SortKey])

  /// A name with a value: a property or a variable to be set, a parameter to be given.
  package struct Field {
    package let name: String
    package let value: CompiledValue
    /// The declared type; nil when it is not known before the run.
    package let type: DataType?
    /// The slot of a variable.
    package let slot: Int?
    package let span: Span
  }
}

extension CompiledStep.Kind {
  /// The lists of steps within a block, in the order in which they are written.
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
  /// How long a step may take, and how often it is tried.
  package final class Persistence {
    /// The time that each attempt may take; for a block, all of it.
    package let timeout: CompiledValue?
    package let retry: Retry?

    init(timeout: CompiledValue?, retry: Retry?) {
      self.timeout = timeout
      self.retry = retry
    }
  }

  /// How often, when and after which errors a step is tried again.
  package struct Retry {
    package let times: CompiledValue
    package let delay: CompiledValue?
    package let backoff: CompiledValue?
    package let max: CompiledValue?
    package let jitter: CompiledValue?
    /// The codes of the errors; nil for those that may pass by themselves.
    package let codes: [String]?
  }

  /// Steps whose failure is handled.
  package struct Attempt {
    package let body: [CompiledStep]
    package let handlers: [Handler]
    /// The steps that run whatever happens.
    package let finally: [CompiledStep]
    /// The slot of `error` in `finally`.
    package let errorSlot: Int
  }

  /// What is done about some errors.
  package struct Handler {
    /// The codes that it is for; nil for all but a few.
    package let codes: [String]?
    package let condition: CompiledExpression?
    /// The slot of the error.
    package let slot: Int
    package let body: [CompiledStep]
  }

  /// Steps that run at once, each list under a name.
  package struct Parallel {
    package let branches: [(name: String, body: [CompiledStep])]
    package let limit: CompiledValue?
    package let settles: Bool
  }

  /// How the passes of a `for` run at once.
  package struct ParallelPasses {
    package let limit: CompiledValue
    package let pace: CompiledValue?
    package let key: CompiledExpression?
    package let settles: Bool
  }
}

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

extension CompiledAction {
  /// The calls that every run of it makes, whatever its values are.
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
  /// Whether the run may end well in it: by a word of the steps, or by one of the person.
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
/// A step with a name (`as`, else `name`) stands under that, another under its position. Errors,
/// events and traces name steps so. The text is made when it is asked for.
package final class StepID: Sendable, CustomStringConvertible {
  private let parent: StepID?
  private let component: Component

  private enum Component {
    case word(String)
    case position(Int)
  }

  /// The top of a document's steps.
  package static let root = StepID(nil, .word("steps"))

  private init(_ parent: StepID?, _ component: Component) {
    self.parent = parent
    self.component = component
  }

  /// The step of a name in this block.
  func named(_ name: String) -> StepID { StepID(self, .word(name)) }

  /// The step at a position in this block.
  func at(_ position: Int) -> StepID { StepID(self, .position(position)) }

  /// The path, its parts with dots between them.
  package var description: String {
    let own =
      switch component {
      case .word(let word): word
      case .position(let position): String(position)
      }
    return parent.map { "\($0).\(own)" } ?? own
  }
}
