package import CEL
package import Engine
package import Program

/// Reports the begin and end of each step to another program.
package final class TraceEvents: StepObserver {
  private let front: EventsFront

  package init(_ front: EventsFront) { self.front = front }

  package func stepBegins(
    _ step: CompiledStep, at place: StepPlace,
    arguments: () throws -> [(name: String, value: Value)]
  ) throws {
    let arguments = Record(((try? arguments()) ?? []).map { ($0.name, $0.value) })
    emit(step, place, "begins", fields: ["arguments": Value.record(arguments)])
  }

  package func stepEnds(_ step: CompiledStep, at place: StepPlace, _ end: StepEnd) throws {
    switch end {
    case .skipped: emit(step, place, "skipped", fields: [:])
    case .done(let value): emit(step, place, "done", fields: ["value": value])
    case .attemptFailed(let error, _):
      emit(step, place, "repeated", fields: ["error": error.valueWithCauses])
    case .failed(let error): emit(step, place, "failed", fields: ["error": error.valueWithCauses])
    case .cancelled: emit(step, place, "cancelled", fields: [:])
    }
  }

  private func emit(_ step: CompiledStep, _ place: StepPlace, _ state: String, fields: Record) {
    front.emit(
      "trace",
      [
        "step": place.id.description, "place": place.description, "calls": step.displayName,
        "state": state, "depth": place.nesting,
      ], fields)
  }
}
