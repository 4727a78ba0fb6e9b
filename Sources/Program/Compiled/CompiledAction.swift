package import CEL
package import Catalog
package import Items

/// An intent or a shortcut that is ready to run.
package final class CompiledAction {
  package let definition: ActionDefinition
  /// The input first, then the parameters, as in `definition.allParameters`.
  package let parameters: [CompiledParameter]
  /// The variables that are declared with a type: slot, type and first value.
  package let variables: [(slot: Int, type: DataType, value: CompiledValue?)]
  package let slotCount: Int
  package let steps: [CompiledStep]
  package let output: CompiledValue?
  /// The slot in which the dialog finds the result.
  package let outputSlot: Int
  /// How long a run may take.
  package let timeout: CompiledValue?
  package let full: CompiledTemplate?
  package let short: CompiledTemplate?
  package let snippet: CompiledValue?
  /// The slot of `run`; nil when nothing uses it.
  package internal(set) var runSlot: Int?
  /// The entities that its steps and parameters name.
  package internal(set) var entities: Set<String> = []
  /// The intents and shortcuts that its steps call by name.
  package internal(set) var callees: Set<String> = []
  /// The intents and shortcuts that its steps put into the queue by name, to be run later by others.
  package internal(set) var enqueued: Set<String> = []
  /// The steps of its `atomic` blocks, those within another one left out.
  package internal(set) var atomicBlocks: [[CompiledStep]] = []
  /// What its steps may touch outside the store, leaving out what it calls.
  package internal(set) var touches: Set<Touch> = []
  /// What sets an automation off, in the order of its document.
  package internal(set) var triggers: [CompiledTrigger] = []
  /// When a job of an automation that failed is done again; nil for the usual times.
  package internal(set) var jobRetry: Value?
  /// The calls whose values nothing in it uses; only where doubts are looked for.
  package internal(set) var unusedCalls: [CompiledStep] = []
  /// Whether it came from elsewhere, so that a person decides what it may touch.
  package var isForeign = false

  init(
    definition: ActionDefinition, parameters: [CompiledParameter],
    variables: [(slot: Int, type: DataType, value: CompiledValue?)], slotCount: Int,
    steps: [CompiledStep], output: CompiledValue?, outputSlot: Int, timeout: CompiledValue?,
    full: CompiledTemplate?, short: CompiledTemplate?, snippet: CompiledValue?
  ) {
    self.definition = definition
    self.parameters = parameters
    self.variables = variables
    self.slotCount = slotCount
    self.steps = steps
    self.output = output
    self.outputSlot = outputSlot
    self.timeout = timeout
    self.full = full
    self.short = short
    self.snippet = snippet
  }
}

extension CompiledAction {
  /// Whether it ends in a step that only tells or asks something, so that `it` is nobody's answer.
  package var endsInTelling: Bool {
    guard definition.output == nil, definition.returns == nil, let last = steps.last,
      case .verb(let call) = last.kind
    else { return false }
    return call.verb.traits.contains(.onlyTells)
  }
}

/// A parameter that is ready to be given a value.
package struct CompiledParameter {
  package let definition: ParameterDefinition
  package let slot: Int
  package let defaultValue: CompiledValue?
  package let prompt: CompiledTemplate?
  package let suggestions: CompiledValue?
  /// CEL over `self`, the value, and the slot in which it stands.
  package let filter: (expression: CompiledExpression, selfSlot: Int)?
  /// Whether the text in the slot has the form it must have.
  package let pattern: (expression: CompiledExpression, selfSlot: Int)?
}

/// An entity whose templates are compiled when they are first rendered.
package final class CompiledEntity {
  package let definition: EntityDefinition
  package private(set) lazy var title = definition.titleTemplate.flatMap(compile)
  package private(set) lazy var subtitle = definition.subtitleTemplate.flatMap(compile)
  package private(set) lazy var warnings = definition.warningTemplates.compactMap(compile)
  package private(set) lazy var marks = definition.markTemplates.compactMap(compile)
  /// The text of an item for other programs: its `text/plain`.
  package private(set) lazy var plainText = definition.transfer
    .first { $0.mediaType == "text/plain" }
    .flatMap { compile($0.template) }
  private let compile: (Template) -> CompiledTemplate?
  /// A frame whose only slot is `self`.
  package static let selfSlot = 0

  init(definition: EntityDefinition, compile: @escaping (Template) -> CompiledTemplate?) {
    self.definition = definition
    self.compile = compile
  }
}

/// What sets an automation off, ready to be waited for.
package struct CompiledTrigger {
  /// What happens.
  package enum Event {
    /// Again and again, after so many microseconds.
    case every(Int64)
    /// At a time of day, on days that recur.
    case days(DaySchedule)
    /// At the times of a line of cron.
    case cron(CronPattern)
    /// An item of an entity is created.
    case created(entity: String)
    /// An item of an entity is changed.
    case changed(entity: String)
    /// A file comes into a folder, or is written there.
    case file(folder: String, match: String?)
    /// Something of one of some kinds is shared.
    case share(types: [String])
  }

  package let event: Event
  /// What tells it from every other one of its automation, and from itself once it is another.
  package let key: String
  /// The word that it begins with, and what steps know it by.
  package let kind: String
  package let id: String
  /// What must hold for the item now; `self` stands in the slot.
  package let condition: (expression: CompiledExpression, selfSlot: Int)?
  /// What must hold for the item as it was before.
  package let previousCondition: (expression: CompiledExpression, selfSlot: Int)?

  /// What steps are told of what happened.
  package func value(
    time: Value = .null, item: Value = .null, before: Value = .null, path: Value = .null
  ) -> Value {
    Self.value(kind: kind, id: id, time: time, item: item, before: before, path: path)
  }

  /// What steps are told when a person runs an automation.
  static let byHand = value(
    kind: "manual", id: "manual", time: .null, item: .null, before: .null, path: .null)

  private static func value(
    kind: String, id: String, time: Value, item: Value, before: Value, path: Value
  ) -> Value {
    .map(
      MapValue([
        ("kind", .string(kind)), ("id", .string(id)), ("item", item), ("before", before),
        ("path", path), ("time", time),
      ]))
  }
}

/// The maps whose keys the language says (docs/language.md).
package enum KnownRecord {
  /// An error, as `catch` and `finally` see it.
  package static let error = RecordType(
    "an error",
    [
      .init("code", .string), .init("message", .string), .init("step", .string),
      .init("data", .dyn), .init("cause", .dyn),
    ])

  /// What `settle` gives of a branch, or of the pass for an item; `ok` tells which of the two is
  /// there.
  package static func settled(_ value: CELType, item: CELType? = nil) -> RecordType {
    let fields: [RecordType.Field] = [
      .init("ok", .bool), .init("value", value.orNull, isPresumed: true),
      .init("error", .nullable(.record(error)), isPresumed: true),
    ]
    return RecordType(
      "a result of `settle`", (item.map { [.init("item", $0)] } ?? []) + fields)
  }

  /// An entry of a map, as `for` goes through it.
  package static func entry(of value: CELType) -> RecordType {
    RecordType("an entry of a map", [.init("key", .string), .init("value", value)])
  }

  /// The trigger of an automation.
  package static func trigger(item: CELType) -> RecordType {
    RecordType(
      "`trigger`",
      [
        .init("kind", .string), .init("id", .string),
        .init("item", item.orNull, isPresumed: true),
        .init("before", item.orNull, isPresumed: true),
        .init("path", .nullable(.string), isPresumed: true),
        .init("time", .nullable(.timestamp), isPresumed: true),
      ])
  }
}
