import CEL
import Catalog
import Source
import Store

/// A step that is ready to run.
struct CompiledStep {
  indirect enum Kind {
    case action(ActionCall)
    case verb(VerbCall)
    case conditional([Branch], otherwise: [CompiledStep]?)
    case forEach(ForEach)
    case repeatCount(CompiledValue, body: [CompiledStep])
    case whileLoop(CompiledExpression, body: [CompiledStep])
    case menu(Menu)
  }

  struct Branch {
    let condition: CompiledExpression
    let body: [CompiledStep]
  }

  struct ForEach {
    let list: CompiledValue
    let variable: Int
    let index: Int?
    let body: [CompiledStep]
  }

  struct Menu {
    let prompt: CompiledTemplate?
    let options: [(label: CompiledTemplate, body: [CompiledStep])]
  }

  /// A call of an intent or a shortcut.
  struct ActionCall {
    let name: String
    /// The position of a parameter of the callee, and its value.
    let arguments: [(parameter: Int, value: CompiledValue, span: Span)]
    let speaks: Bool
  }

  /// A call of a verb; the arguments stand in the order of their declaration.
  struct VerbCall {
    let verb: Verb
    /// The names of the arguments, in their order.
    let names: [String]
    let arguments: [CompiledArgument?]
  }

  let kind: Kind
  /// The slot that `as` names.
  let binding: Int?
  /// The name after `as`.
  let bindingName: String?
  let label: String?
  let displayName: String
  let guardCondition: CompiledExpression?
  let span: Span
}

/// An argument of a verb.
enum CompiledArgument {
  case value(CompiledValue, DataType, Span)
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
  case sort([SortKey])

  /// A name with a value: a property or a variable to be set, a parameter to be given.
  struct Field {
    let name: String
    let value: CompiledValue
    /// The declared type; nil when it is not known before the run.
    let type: DataType?
    /// The slot of a variable.
    let slot: Int?
    let span: Span
  }
}
