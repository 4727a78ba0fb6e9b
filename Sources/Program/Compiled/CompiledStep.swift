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
