package import CEL
package import Engine
package import Program

/// Finds what a run would do outside and in the store, where it does neither.
package final class DryRun: StepObserver {
  /// A step that is not done.
  package struct Omission {
    package let verb: String
    package let place: StepPlace
    package let arguments: [(name: String, value: Value)]

    /// The same for a program.
    package var value: Value {
      .map(
        MapValue([
          ("would", .string(verb)), ("step", .string(place.id.description)),
          ("place", .string(place.description)),
          ("arguments", .map(MapValue(arguments.map { ($0.name, $0.value) }))),
        ]))
    }
  }

  private let tell: (Omission) throws -> Void
  /// Whether requests that only read are made, and not listed.
  private let makesRequests: Bool
  /// Whether a step was passed whose value only the world outside could have given.
  package private(set) var lacksValues = false
  /// Whether a request that only reads was passed over, which might have been made.
  package private(set) var skippedRequest = false
  /// With what the step is called that puts something into the queue; none runs within another.
  private var enqueuing: [(name: String, value: Value)] = []

  /// - Parameter tell: Hears of each step that is not done.
  package init(makesRequests: Bool, tell: @escaping (Omission) throws -> Void) {
    self.makesRequests = makesRequests
    self.tell = tell
  }

  package func stepBegins(
    _ step: CompiledStep, at place: StepPlace,
    arguments: () throws -> [(name: String, value: Value)]
  ) throws {
    guard case .verb(let call) = step.kind,
      call.verb.effect == .outside || call.verb.effect == .write
    else { return }
    let arguments = (try? arguments()) ?? []
    if call.verb.onlyReads(arguments) {
      if makesRequests { return }
      skippedRequest = true
    }
    if call.verb.effect == .outside, call.verb.setsIt { lacksValues = true }
    // Only its end tells whether anything is put into the queue.
    if call.verb.enqueues {
      enqueuing = arguments
    } else {
      try tell(Omission(verb: call.verb.name, place: place, arguments: arguments))
    }
  }

  package func stepEnds(_ step: CompiledStep, at place: StepPlace, _ end: StepEnd) throws {
    guard case .verb(let call) = step.kind, call.verb.enqueues, case .done(let value) = end
    else { return }
    if value?.isNull == false {
      try tell(Omission(verb: call.verb.name, place: place, arguments: enqueuing))
    }
    enqueuing = []
  }
}
