import CEL
import Catalog
import Items
import Program
import Store
import YAML

/// Steps of which a journal or an observer hears.
extension Runner {
  /// Runs a step, and tells how it ends; one that the journal has the end of is not done again.
  func watched(_ step: CompiledStep) throws -> Flow {
    let place = StepPlace(step, in: scope)
    let text = place.text
    if let line = run.lines?.line(text) { return try replay(line, step) }
    let start = run.host.machine.monotonic()
    do {
      guard try isWanted(step, text) else {
        if let binding = step.binding { frame.slots[binding] = .null }
        try run.note(text, .skipped, step, took: 0)
        try run.tellObservers(.skipped, step, at: place)
        return .next
      }
      // What is decided in a block names it where the run can go on; else it needs a line for that.
      if !step.notesItsEnd, run.journal?.isDurable == false {
        try run.note(text + "?", .decided, step, took: 0)
      }
      for observer in run.observers {
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
      // An error with a path came from a step within, which has a line of its own.
      if error.path.isEmpty || step.isTransaction {
        error.line = run.nextLine
        try run.note(text, .failed, step, took: elapsed(since: start)) {
          failure(error, step)
        }
      }
      try run.tellObservers(.failed(error), step, at: place)
      throw error
    } catch let cancellation as Cancellation {
      if cancellation.reason.runsFinally {
        try run.tellObservers(.cancelled, step, at: place)
      }
      throw cancellation
    }
  }

  /// Whether the guard of a step holds, or held when the run was here before.
  private func isWanted(_ step: CompiledStep, _ place: String) throws -> Bool {
    guard let condition = step.guardCondition else { return true }
    // What began had a guard that held.
    if run.lines?.has(place + "<") == true { return true }
    // What is within has lines of its own, so that its guard needs one, too.
    guard step.holdsSteps else { return try holds(condition) }
    return try decided("when", step) { .bool(try holds(condition)) } == .bool(true)
  }

  private func elapsed(since start: Int64) -> Int64 {
    (run.host.machine.monotonic() - start) / 1000
  }

  /// What was found out at a place when the run was here before, else what is found out now.
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

  /// Runs a body in which steps stand in another place.
  func within<Result>(
    _ kind: StepScope.Kind, of step: CompiledStep, _ body: () throws -> Result
  ) rethrows -> Result {
    guard run.isWatched else { return try body() }
    let outer = scope
    scope = StepScope(kind, of: step, in: outer)
    defer { scope = outer }
    return try body()
  }

  // MARK: Ends

  /// The value of a step that was done; nil where it has none.
  private func value(of step: CompiledStep) -> Value? {
    if let binding = step.binding { return frame.slots[binding] }
    if case .verb(let call) = step.kind, !call.verb.setsIt { return nil }
    return it
  }

  /// The arguments of a call.
  private func arguments(of step: CompiledStep) throws -> [(name: String, value: Value)] {
    switch step.kind {
    case .verb(let call):
      return try zip(call.verb.arguments, call.arguments).compactMap { declaration, argument in
        guard let argument, let value = try value(of: argument) else { return nil }
        return (declaration.name, value)
      }
    case .action(let call):
      let parameters = try run.workspace.action(call.name).definition.allParameters
      return try call.arguments.map { argument in
        (parameters[argument.parameter].name.text, try value(of: argument.value))
      }
    default: return []
    }
  }

  private func value(of argument: CompiledArgument) throws -> Value? {
    switch argument {
    case .value(let value, _, _), .fieldMap(let value, _): return try self.value(of: value)
    case .literal(let text), .name(let text): return .string(text)
    case .dynamicName(let template, _): return .string(try text(of: template))
    case .fields(let fields):
      return .map(MapValue(try fields.map { ($0.name, try value(of: $0.value)) }))
    case .type(let type): return .string(type.description)
    case .filter(let expression, _): return .string(expression.source.text)
    case .sort(let keys):
      return .list(keys.map { .string(($0.isDescending ? "-" : "") + $0.property) })
    case .itemTemplate: return nil
    }
  }

  /// What a step that was done changed: how the steps go on, and values with the slots they went to.
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
      // What is called is mostly what `it` is, too.
      let isIt = step.changesIt && !step.bindsApart && !frame.slots[binding].isNull
      fields.append((String(binding), isIt ? "=" : frame.slots[binding]))
      if isIt { fields.append(("same", true)) }
    }
    return fields.isEmpty ? nil : .map(MapValue(fields))
  }

  /// The error of a step, with the values of a block, in which something may have been assigned.
  private func failure(_ error: RunError, _ step: CompiledStep) -> Value {
    var fields: [(String, Value)] = [("error", error.journalValue)]
    if !step.notesItsEnd { fields.append(("frame", savedFrame)) }
    return .map(MapValue(fields))
  }

  /// The values of the call, but for those that are null.
  var savedFrame: Value {
    .map(
      MapValue(
        frame.slots.enumerated().compactMap { slot, value in
          value.isNull ? nil : (String(slot), value)
        }))
  }

  /// Gives the call the values that it had.
  func restoreFrame(_ value: Value) {
    guard case .map(let map) = value else { return }
    for slot in frame.slots.indices { frame.slots[slot] = map[String(slot)] ?? .null }
  }

  /// Does to the values what a step did that the journal has the end of.
  private func replay(_ line: JournalLine, _ step: CompiledStep) throws -> Flow {
    guard let journal = run.lines else { return .next }
    let value: Value = line.data.isEmpty ? .null : try journal.value(of: line)
    guard case .map(let map) = value else {
      if line.kind == .skipped, let binding = step.binding { frame.slots[binding] = .null }
      return .next
    }
    if line.kind == .failed {
      if let saved = map["frame"] { restoreFrame(saved) }
      guard let error = map["error"].flatMap({ RunError(journal: $0) }) else {
        throw RunError(.store, "a line of the journal has no error where one should be")
      }
      throw error
    }
    if let saved = map["frame"] { restoreFrame(saved) }
    for (key, value) in map.entries {
      guard case .string(let name) = key, let slot = Int(name), frame.slots.indices.contains(slot)
      else { continue }
      frame.slots[slot] = slot != 0 && map["same"] != nil && slot == step.binding ? it : value
    }
    return Flow(map, returning: "returned")
  }

  /// What an `atomic` block did, as it is written in its own transaction.
  func noteTransaction(_ step: CompiledStep, _ flow: Flow, since start: Int64) throws {
    try run.note(StepPlace(step, in: scope).text, .done, step, took: elapsed(since: start)) {
      .map(MapValue([("frame", savedFrame)] + flow.fields(returning: "returned")))
    }
  }
}

extension CompiledStep {
  /// Whether steps within it have lines of their own.
  var holdsSteps: Bool {
    switch kind {
    case .verb(let call): call.verb.calls
    case .action: true
    default: true
    }
  }

  /// Whether `it` may be another value after it.
  fileprivate var changesIt: Bool {
    switch kind {
    case .verb(let call): call.verb.setsIt
    case .action, .parallel: true
    case .forEach(let loop): loop.parallel != nil
    // What the steps within did to it is in their own lines.
    default: false
    }
  }

  /// Whether what `as` names is not what `it` is.
  fileprivate var bindsApart: Bool {
    if case .verb(let call) = kind { !call.verb.setsIt } else { false }
  }

  /// Whether the steps within it write nothing of their own.
  fileprivate var isTransaction: Bool {
    if case .atomic = kind { true } else { false }
  }

  /// Whether a line tells that it was done. What other blocks do is told by what is in them, and an
  /// `atomic` writes its line into its transaction.
  fileprivate var notesItsEnd: Bool {
    switch kind {
    case .verb, .action, .parallel: true
    case .forEach(let loop): loop.parallel != nil
    default: false
    }
  }
}

/// Steps that were going on when an earlier process of the run ended.
extension Runner {
  /// Writes the line before a step that reaches outside, and tells whether the step is left out since
  /// an earlier process may have done it.
  ///
  /// - Throws: `Cancellation` when nobody can tell what is to be done, so that the run stays suspended.
  func isSkippedOnResume(_ step: CompiledStep, _ call: VerbCall) throws -> Bool {
    guard let journal = run.lines, call.verb.isSeenOutside else { return false }
    let policy = step.onResume ?? call.verb.onResume(call)
    if policy == .retry { return false }
    let key = StepPlace(step, in: scope).text + "<"
    if journal.has(key) {
      let isDone = try policy == .skip || isTakenForDone(step)
      if isDone {
        bind(.null, step)
        return true
      }
    }
    try journal.note(key, .begun, name: step.displayName)
    return false
  }

  /// Asks the person whether a step that was going on is to be done again.
  private func isTakenForDone(_ step: CompiledStep) throws -> Bool {
    let prompt =
      "`\(step.displayName)` was going on when the run ended, and may have been done. What now?"
    let choices = ["Do it again", "Take it for done", "Leave the run suspended"]
      .map { Question.Choice(title: $0) }
    let keys = step.answerKeys + ["onResume"]
    guard run.asker.canAnswer(keys) else {
      run.suspension =
        "`\(step.displayName)` was going on when it ended, and nobody can say whether to do it again"
      throw Cancellation(.suspended)
    }
    let answer: Int?
    do {
      answer = try run.asker.choose(choices, prompt: prompt, keys: keys, many: false).first
    } catch let error as RunError {
      // No answer, or none of these, is no failure of the step: it stays a question.
      run.suspension = "`\(step.displayName)` was going on when it ended: \(error.message)"
      throw Cancellation(.suspended)
    }
    switch answer {
    case 0: return false
    case 1: return true
    default: throw Cancellation(.suspended)
    }
  }
}

extension VerbSignature {
  /// Whether somebody or something outside of the store notices a call.
  fileprivate var isSeenOutside: Bool {
    switch effect {
    case .tell, .outside: !calls
    case .pure, .read, .write, .ask: false
    }
  }
}
