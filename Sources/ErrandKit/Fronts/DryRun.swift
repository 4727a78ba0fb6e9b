package import CEL
package import Engine
package import Program

/// Collects the effects a run would have outside and in the store, without performing them.
package final class DryRun: StepObserver {
  /// A step that is skipped.
  package struct Omission {
    package let verb: String
    package let place: StepPlace
    package let arguments: [(name: String, value: Value)]

    /// The step for machine-readable output.
    package var value: Value {
      .record([
        "would": verb, "step": place.id.description, "place": place.description,
        "arguments": Value.record(Record(arguments.map { ($0.name, $0.value) })),
      ])
    }
  }

  private let tell: (Omission) throws -> Void
  /// Whether read-only requests are performed instead of listed.
  private let makesRequests: Bool
  /// Whether a skipped step would have returned a value from outside.
  package private(set) var lacksValues = false
  /// Whether a read-only request was skipped that could have been performed.
  package private(set) var skippedRequest = false
  /// The arguments of the current enqueuing step; such steps do not nest.
  private var enqueuing: [(name: String, value: Value)] = []

  /// - Parameter tell: Called with each skipped step.
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
    if call.verb.effect == .outside, call.verb.setsIt, !call.verb.traits.contains(.foreseeable) {
      lacksValues = true
    }
    // Whether a job is enqueued is known only at its end.
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
