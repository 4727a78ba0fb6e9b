package import CEL
package import Catalog
package import Items

/// A compiled intent or shortcut.
package final class CompiledAction {
  package let definition: ActionDefinition
  /// Parameters in the order of `definition.allParameters`: the input first.
  package internal(set) var parameters: [CompiledParameter] = []
  /// Variables with a declared type.
  package internal(set) var variables: [(slot: Int, type: DataType, value: CompiledValue?)] = []
  package internal(set) var slotCount: Int = 0
  package internal(set) var steps: [CompiledStep] = []
  package internal(set) var output: CompiledValue?
  /// Slot of the result in the dialog.
  package internal(set) var outputSlot: Int = 0
  /// Time limit of a run.
  package internal(set) var timeout: CompiledValue?
  package internal(set) var full: CompiledTemplate?
  package internal(set) var short: CompiledTemplate?
  package internal(set) var snippet: CompiledValue?
  /// Slot of `run`; nil if unused.
  package internal(set) var runSlot: Int?
  /// Entities named by its steps and parameters.
  package internal(set) var entities: Set<String> = []
  /// Actions called by name.
  package internal(set) var callees: Set<String> = []
  /// Actions enqueued by name.
  package internal(set) var enqueued: Set<String> = []
  /// The steps of its outermost `atomic` blocks.
  package internal(set) var atomicBlocks: [[CompiledStep]] = []
  /// Capabilities used by its own steps, without those of its callees.
  package internal(set) var capabilities: Set<Capability> = []
  /// Triggers of an automation, in source order.
  package internal(set) var triggers: [CompiledTrigger] = []
  /// Retry policy for failed jobs of an automation; nil for the default one.
  package internal(set) var jobRetry: Value?
  /// Calls whose values are never used; only computed if warnings are on.
  package internal(set) var unusedCalls: [CompiledStep] = []
  /// Whether it came from elsewhere, or is built in and names the services it sends to, so that it
  /// needs permissions from the person.
  package var isForeign = false

  init(_ definition: ActionDefinition) { self.definition = definition }
}

extension CompiledAction {
  /// Whether its last step only shows or asks something, so that `it` is not the result.
  package var endsInTelling: Bool {
    guard definition.output == nil, definition.returns == nil, let last = steps.last,
      case .verb(let call) = last.kind
    else { return false }
    return call.verb.traits.contains(.onlyTells)
  }
}

/// A compiled parameter.
package struct CompiledParameter {
  package let definition: ParameterDefinition
  package let slot: Int
  package let defaultValue: CompiledValue?
  package let prompt: CompiledTemplate?
  package let suggestions: CompiledValue?
  /// CEL condition on the value, and the slot of `self`.
  package let filter: (expression: CompiledExpression, selfSlot: Int)?
}

/// A compiled entity; templates are compiled when first rendered.
package final class CompiledEntity {
  package let definition: EntityDefinition
  package private(set) lazy var title = definition.titleTemplate.flatMap(compile)
  package private(set) lazy var subtitle = definition.subtitleTemplate.flatMap(compile)
  package private(set) lazy var warnings = definition.warningTemplates.compactMap(compile)
  package private(set) lazy var marks = definition.markTemplates.compactMap(compile)
  /// Template for an item's `text/plain` form.
  package private(set) lazy var plainText = definition.transfer
    .first { $0.mediaType == "text/plain" }
    .flatMap { compile($0.template) }
  private let compile: (Template) -> CompiledTemplate?
  /// The only slot of the frame in which templates are rendered.
  package static let selfSlot = 0

  init(definition: EntityDefinition, compile: @escaping (Template) -> CompiledTemplate?) {
    self.definition = definition
    self.compile = compile
  }
}

/// A compiled trigger of an automation.
package struct CompiledTrigger {
  /// The event that fires the trigger.
  package enum Event {
    /// Repeatedly, at an interval in microseconds.
    case every(Int64)
    /// At a time of day, on recurring days.
    case days(DaySchedule)
    /// At the times of a cron pattern.
    case cron(CronPattern)
    /// An item of an entity is created.
    case created(entity: String)
    /// An item of an entity is changed.
    case changed(entity: String)
    /// An item is due, or will be.
    case due(DueMoments)
    /// A file is added to a folder, or written there.
    case file(folder: String, match: String?)
    /// A thing of one of these kinds is shared.
    case share(types: [String])
    /// The machine starts, wakes, or gets or loses its network.
    case machine(MachineEvent)
    /// A program sends a request to the address of this name, with a body of these fields; nil for any.
    case webhook(name: String, body: [(name: String, type: DataType)]?)
  }

  package let event: Event
  /// The part of the day in which it fires; nil for all of it.
  package let window: DayWindow?
  /// The time in microseconds for which the condition on the item must have been true; nil for none.
  package let hold: Int64?
  /// Whether changes of machines that share the library fire it, too.
  package let isFromAnyone: Bool
  /// Key of its cursor: unique in the automation, and different after an edit.
  package let key: String
  /// Keyword of the trigger, as `trigger.kind`.
  package let kind: String
  package let id: String
  /// Condition on the item after the change, and the slot of `self`.
  package let condition: (expression: CompiledExpression, selfSlot: Int)?
  /// Condition on the item before the change, and the slot of `self`.
  package let previousCondition: (expression: CompiledExpression, selfSlot: Int)?

  /// Whether it fires at a time of day.
  package func admits(_ time: Timestamp, in clock: LocalClock) -> Bool {
    window?.contains(clock.time(at: time)) ?? true
  }

  /// The start of the keys of jobs that wait until its condition has been true for long enough.
  package var holdPrefix: String { "for \(key) " }

  /// Returns the value of `trigger` for an event.
  package func value(
    time: Value = .null, item: Value = .null, before: Value = .null, path: Value = .null,
    body: Value = .null, isMissed: Bool = false
  ) -> Value {
    Self.value(
      kind: kind, id: id, time: time, item: item, before: before, path: path, body: body,
      isMissed: isMissed)
  }

  /// The value of `trigger` when a person runs an automation.
  static let byHand = value(
    kind: "manual", id: "manual", time: .null, item: .null, before: .null, path: .null, body: .null,
    isMissed: false)

  /// The value of `trigger` once an action of the automation's notification was chosen.
  package static func answered(_ trigger: Value, with answer: String) -> Value {
    guard case .map(let map) = trigger else { return trigger }
    let known = map.entries.filter { $0.key != .string("answer") }.map { ($0.key, $0.value) }
    return .map(MapValue(entries: known + [(.string("answer"), .string(answer))]))
  }

  /// The value of `trigger` of a job that an earlier version enqueued, with the fields that it lacks.
  package static func completed(_ trigger: Value) -> Value {
    guard case .map(let given) = trigger, case .map(let all) = byHand else { return trigger }
    let lacking = all.entries.filter { given[$0.key] == nil }
    return lacking.isEmpty
      ? trigger : .map(MapValue(entries: (given.entries + lacking).map { ($0.key, $0.value) }))
  }

  private static func value(
    kind: String, id: String, time: Value, item: Value, before: Value, path: Value, body: Value,
    isMissed: Bool
  ) -> Value {
    .map(
      MapValue([
        ("kind", .string(kind)), ("id", .string(id)), ("item", item), ("before", before),
        ("path", path), ("body", body), ("time", time), ("missed", .bool(isMissed)),
        ("answer", .null),
      ]))
  }
}

/// Maps with fixed keys (docs/language.md).
package enum KnownRecord {
  /// The error in `catch` and `finally`.
  package static let error = RecordType(
    "an error",
    [
      .init("code", .string), .init("message", .string), .init("step", .string),
      .init("data", .dyn), .init("cause", .dyn),
    ])

  /// Result of a branch or a pass under `settle`; `ok` says whether it has a value or an error.
  package static func settled(_ value: CELType, item: CELType? = nil) -> RecordType {
    let fields: [RecordType.Field] = [
      .init("ok", .bool), .init("value", value.orNull, isPresumed: true),
      .init("error", .nullable(.record(error)), isPresumed: true),
    ]
    return RecordType("a result of `settle`", (item.map { [.init("item", $0)] } ?? []) + fields)
  }

  /// An entry of a map in a `for`.
  package static func entry(of value: CELType) -> RecordType {
    RecordType("an entry of a map", [.init("key", .string), .init("value", value)])
  }

  /// The trigger of an automation.
  ///
  /// - Parameter body: The type of what a request to a webhook brings.
  package static func trigger(item: CELType, body: CELType = .dyn) -> RecordType {
    RecordType(
      "`trigger`",
      [
        .init("kind", .string), .init("id", .string),
        .init("item", item.orNull, isPresumed: true),
        .init("before", item.orNull, isPresumed: true),
        .init("path", .nullable(.string), isPresumed: true),
        .init("body", body.orNull, isPresumed: true),
        .init("time", .nullable(.timestamp), isPresumed: true),
        .init("missed", .bool), .init("answer", .nullable(.string)),
      ])
  }
}
