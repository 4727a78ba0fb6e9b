package import CEL
package import Engine
package import Program

/// Tells another program of each step as it begins and ends.
package final class TraceEvents: StepObserver {
  private let front: EventsFront

  package init(_ front: EventsFront) {
    self.front = front
  }

  package func stepBegins(
    _ step: CompiledStep, at place: StepPlace,
    arguments: () throws -> [(name: String, value: Value)]
  ) throws {
    let arguments = (try? arguments()) ?? []
    emit(
      step, place, "begins",
      [("arguments", .map(MapValue(arguments.map { ($0.name, $0.value) })))])
  }

  package func stepEnds(_ step: CompiledStep, at place: StepPlace, _ end: StepEnd) throws {
    switch end {
    case .skipped: emit(step, place, "skipped", [])
    case .done(let value): emit(step, place, "done", [("value", value ?? .null)])
    case .attemptFailed(let error, _):
      emit(step, place, "repeated", [("error", error.valueWithCauses)])
    case .failed(let error):
      emit(step, place, "failed", [("error", error.valueWithCauses)])
    case .cancelled: emit(step, place, "cancelled", [])
    }
  }

  private func emit(
    _ step: CompiledStep, _ place: StepPlace, _ state: String, _ fields: [(String, Value)]
  ) {
    front.emit(
      "trace",
      [
        ("step", .string(place.id.description)), ("place", .string(place.description)),
        ("calls", .string(step.displayName)), ("state", .string(state)),
        ("depth", .int(Int64(place.nesting))),
      ] + fields)
  }
}
