import CEL
import Catalog
import Items
import Program
import Store
import YAML

/// Steps with a journal or observers.
extension Runner {
  /// Runs a step and reports its end, or replays it from the journal.
  func watched(_ step: CompiledStep) throws -> Flow {
    let place = StepPlace(step, in: scope)
    let text = place.text
    if let line = run.lines?.line(text) { return try replay(line, step) }
    let start = run.host.machine.monotonic()
    do {
      guard try meetsCondition(step, text) else {
        if let binding = step.binding { frame.slots[binding] = .null }
        try run.note(text, .skipped, step, took: .zero)
        try run.tellObservers(.skipped, step, at: place)
        return .next
      }
      // Decisions within a block identify it if the run can be resumed; otherwise the block needs a
      // line.
      if !step.notesItsEnd, run.recorder.journal?.isDurable == false {
        try run.note(text + "?", .decided, step, took: .zero)
      }
      for observer in run.recorder.observers {
        try observer.stepBegins(step, at: place) { try arguments(of: step) }
      }
      if depth == 0, run.front.observesSteps { run.front.step([step.displayName]) }
      let flow =
        if let persistence = step.persistence {
          try persist(step, persistence)
        } else {
          try perform(step)
        }
      if step.notesItsEnd {
        try run.note(text, .done, step, took: elapsed(since: start)) {
          try outcome(of: step, flow)
        }
      }
      try run.tellObservers(.done(value(of: step)), step, at: place)
      return flow
    } catch var error as RunError {
      // An error with a path comes from a nested step, which has its own line.
      if error.path.isEmpty || step.isTransaction {
        error.line = run.nextLine
        try run.note(text, .failed, step, took: elapsed(since: start)) {
          failure(error, step)
        }
      }
      try run.tellObservers(.failed(error), step, at: place)
      throw error
    } catch let cancellation as Cancellation {
      if cancellation.reason.runsFinally { try run.tellObservers(.cancelled, step, at: place) }
      throw cancellation
    }
  }

  /// Whether the condition of a step holds, or held before the run was resumed.
  private func meetsCondition(_ step: CompiledStep, _ place: String) throws -> Bool {
    guard let condition = step.guardCondition else { return true }
    // A step that was started had passed its condition.
    if run.lines?.has(place + "<") == true { return true }
    // Nested steps have separate lines, so this condition needs one too.
    guard step.holdsSteps else { return try holds(condition) }
    return try decided("when", step) { .bool(try holds(condition)) } == .bool(true)
  }

  private func elapsed(since start: Int64) -> Duration {
    .nanoseconds(run.host.machine.monotonic() - start)
  }

  /// The recorded decision at a place, or a new one, which is then recorded.
  func decided(
    _ what: @autoclosure () -> String, _ step: CompiledStep, _ find: () throws -> Value
  ) throws -> Value {
    guard let journal = run.lines else { return try find() }
    let what = what()
    let key = "\(scope.text)\(step.index)?\(what)"
    if let line = journal.line(key) { return try journal.value(of: line) }
    let value = try find()
    try journal.note(key, .decided, name: step.displayName, value: value)
    return value
  }

  /// The recorded index at a place, or a new one; nil for none.
  func decided(
    _ what: String, of count: Int, _ step: CompiledStep, _ find: () throws -> Int?
  ) throws -> Int? {
    let index = try decided(what, step) { .int(Int64(try find() ?? -1)) }.asInt
    return index.flatMap { (0..<Int64(count)).contains($0) ? Int($0) : nil }
  }

  /// Runs a body with a nested scope.
  func within<Result>(
    _ kind: StepScope.Kind, of step: CompiledStep, _ body: () throws -> Result
  ) rethrows -> Result {
    guard run.recorder.isWatched else { return try body() }
    let outer = scope
    scope = StepScope(kind, of: step, in: outer)
    defer { scope = outer }
    return try body()
  }

  // MARK: Ends

  /// The value of a completed step; nil when it has none.
  private func value(of step: CompiledStep) -> Value? {
    if let binding = step.binding { return frame.slots[binding] }
    if case .verb(let call) = step.kind, !call.verb.setsIt { return nil }
    return it
  }

  /// The arguments of a call.
  func arguments(of step: CompiledStep) throws -> [(name: String, value: Value)] {
    switch step.kind {
    case .verb(let call):
      let values: [(name: String, value: Value)] = try zip(
        call.verb.arguments, call.arguments
      ).compactMap { declaration, argument in
        guard let argument, let value = try value(of: argument) else { return nil }
        return (declaration.name, value)
      }
      guard call.verb.properties != nil, let entity = entity(of: values) else { return values }
      return values.map { ($0.name, withDays($0.value, of: entity)) }
    case .action(let call):
      let parameters = try run.workspace.action(call.name).definition.allParameters
      return try call.arguments.map { argument in
        (parameters[argument.parameter].name.text, try value(of: argument.value))
      }
    default: return []
    }
  }

  /// The entity that is named in arguments, or whose item is.
  private func entity(of arguments: [(name: String, value: Value)]) -> EntityDefinition? {
    guard let value = arguments.first(where: { $0.name == "entity" || $0.name == "item" })?.value
    else { return nil }
    let text = value.item?.entity ?? value.asText ?? ""
    return (try? run.catalog.entity(text)) ?? run.catalog.entity(ofReference: text)
  }

  /// The properties in a map with days as such, not as the moments at which they begin.
  private func withDays(_ value: Value, of entity: EntityDefinition) -> Value {
    guard let map = value.asMap else { return value }
    return .record(
      map.entries.map { key, value in
        guard case .timestamp(let moment) = value, let type = entity.property(key.text)?.type,
          type.unwrapped == .date || type.unwrapped == .when && moment.isDay
        else { return (key.text, value) }
        return (key.text, .string(run.host.clock.time(at: moment).date.iso8601))
      })
  }

  private func value(of argument: CompiledArgument) throws -> Value? {
    switch argument {
    case .value(let value, _, _), .fieldMap(let value, _): return try self.value(of: value)
    case .literal(let text), .name(let text): return .string(text)
    case .dynamicName(let template, _): return .string(try text(of: template))
    case .fields(let fields): return .record(try fields.map { ($0.name, try value(of: $0.value)) })
    case .type(let type): return .string(type.description)
    case .filter(let expression, _): return .string(expression.source.text)
    case .sort(let keys):
      return .list(keys.map { .string(($0.isDescending ? "-" : "") + $0.property) })
    case .itemTemplate: return nil
    }
  }

  /// The effects of a completed step: control flow, and values by slot.
  private func outcome(of step: CompiledStep, _ flow: Flow) throws -> Value? {
    var fields = flow.fields(returning: "returned")
    if case .verb(let call) = step.kind, case .fields(let assigned)? = call.arguments.first,
      call.verb.form == .assignment
    {
      for slot in Set(assigned.compactMap(\.slot)).sorted() {
        fields.append((String(slot), frame.slots[slot]))
      }
    }
    if step.changesIt { fields.append(("0", it)) }
    if let binding = step.binding {
      // A binding usually has the same value as `it`, which is written only once.
      let isIt = step.changesIt && !frame.slots[binding].isNull
      fields.append((String(binding), isIt ? "=" : frame.slots[binding]))
      if isIt { fields.append(("same", true)) }
    }
    return fields.isEmpty ? nil : .record(fields)
  }

  /// The error of a step, with the values of a block, which may have assigned some.
  private func failure(_ error: RunError, _ step: CompiledStep) -> Value {
    var fields: [(String, Value)] = [("error", error.journalValue)]
    if !step.notesItsEnd { fields.append(("frame", savedFrame)) }
    return .record(fields)
  }

  /// The values of the call that are not null.
  var savedFrame: Value {
    .record(frame.slots.enumerated().compactMap { $1.isNull ? nil : (String($0), $1) })
  }

  /// Restores the values of the call.
  func restoreFrame(_ value: Value) {
    guard let map = value.asMap else { return }
    for slot in frame.slots.indices { frame.slots[slot] = map[String(slot)] ?? .null }
  }

  /// Applies the recorded effects of a completed step.
  private func replay(_ line: JournalLine, _ step: CompiledStep) throws -> Flow {
    guard let journal = run.lines else { return .next }
    guard !line.data.isEmpty, let map = try journal.value(of: line).asMap else {
      if line.kind == .skipped, let binding = step.binding { frame.slots[binding] = .null }
      return .next
    }
    if let saved = map["frame"] { restoreFrame(saved) }
    if line.kind == .failed {
      guard let error = map["error"].flatMap({ RunError(journal: $0) }) else {
        throw RunError(.store, "a failed step in the journal has no error")
      }
      throw error
    }
    for case (.string(let name), let value) in map.entries {
      guard let slot = Int(name), frame.slots.indices.contains(slot) else { continue }
      frame.slots[slot] = slot != 0 && map["same"] != nil && slot == step.binding ? it : value
    }
    return Flow(map, returning: "returned")
  }

  /// Writes the result of an `atomic` block in its own transaction.
  func noteTransaction(_ step: CompiledStep, _ flow: Flow, since start: Int64) throws {
    try run.note(StepPlace(step, in: scope).text, .done, step, took: elapsed(since: start)) {
      .record([("frame", savedFrame)] + flow.fields(returning: "returned"))
    }
  }
}

extension CompiledStep {
  /// Whether its nested steps have separate lines.
  var holdsSteps: Bool {
    if case .verb(let call) = kind { call.verb.calls } else { true }
  }

  /// Whether it may change `it`.
  fileprivate var changesIt: Bool {
    // Changes by nested steps are in their own lines.
    if case .verb(let call) = kind { call.verb.setsIt } else { notesItsEnd }
  }

  /// Whether its nested steps write no lines.
  fileprivate var isTransaction: Bool {
    if case .atomic = kind { true } else { false }
  }

  /// Whether its end has a line. For other blocks the nested lines suffice, and `atomic` writes its
  /// line in its transaction.
  fileprivate var notesItsEnd: Bool {
    switch kind {
    case .verb, .action, .parallel: true
    case .forEach(let loop): loop.parallel != nil
    default: false
    }
  }
}

/// Steps that were in progress when an earlier process of the run ended.
extension Runner {
  /// Writes a line before a step with outside effects. Returns whether to skip the step because an
  /// earlier process may have done it.
  ///
  /// - Throws: `Cancellation` when a person must decide and cannot, so that the run stays
  ///   suspended.
  func isSkippedOnResume(_ step: CompiledStep, _ call: VerbCall) throws -> Bool {
    guard let journal = run.lines, call.verb.isSeenOutside else { return false }
    let policy = step.onResume ?? call.verb.onResume(call)
    if policy == .retry { return false }
    let key = StepPlace(step, in: scope).text + "<"
    if journal.has(key) {
      if try policy == .skip || isTakenForDone(step) {
        bind(.null, step)
        return true
      }
    }
    try journal.note(key, .begun, name: step.displayName)
    return false
  }

  /// Asks whether an interrupted step counts as done.
  private func isTakenForDone(_ step: CompiledStep) throws -> Bool {
    let prompt =
      "`\(step.displayName)` was running when the run ended and may have completed. What now?"
    let choices = ["Do it again", "Treat it as done", "Leave the run suspended"]
      .map { Question.Choice(title: $0) }
    let keys = step.answerKeys + ["onResume"]
    guard run.asker.canAnswer(keys) else {
      run.recorder.suspension =
        "`\(step.displayName)` was running when it ended, and nobody can say whether to do it again; "
        + "answer `onResume` with “Do it again” or “Treat it as done”"
      throw Cancellation(.suspended)
    }
    do {
      let answer = try run.asker.choose(choices, prompt: prompt, keys: keys, many: false).first
      guard let answer, answer < 2 else { throw Cancellation(.suspended) }
      return answer == 1
    } catch let error as RunError {
      // The lack of a valid answer does not fail the step: the run stays suspended.
      run.recorder.suspension = "`\(step.displayName)` was running when it ended: \(error.message)"
      throw Cancellation(.suspended)
    }
  }
}

extension VerbSignature {
  /// Whether a call has an effect outside of the store.
  fileprivate var isSeenOutside: Bool { (effect == .tell || effect == .outside) && !calls }
}
