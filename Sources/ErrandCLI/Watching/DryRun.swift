import CEL
import Engine
import Items
import JSON
import Program
import Source

/// Lists what a run would do outside and in the store, where it does neither.
final class DryRun: StepObserver {
  private let console: Console
  private let text: StepText
  private let isJSON: Bool
  /// Whether requests that only read are made, and not listed.
  private let makesRequests: Bool
  /// Whether a step was passed whose value only the world outside could have given.
  private(set) var lacksValues = false
  /// Whether a request that only reads was passed over, which might have been made.
  private(set) var skippedRequest = false
  /// With what the step is called that puts something into the queue; none runs within another.
  private var enqueuing: [(name: String, value: Value)] = []

  init(_ console: Console, clock: LocalClock, isJSON: Bool, makesRequests: Bool = false) {
    self.makesRequests = makesRequests
    self.console = console
    self.isJSON = isJSON
    text = StepText(clock)
  }

  func stepBegins(
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
      try list(call.verb, place, arguments)
    }
  }

  func stepEnds(_ step: CompiledStep, at place: StepPlace, _ end: StepEnd) throws {
    guard case .verb(let call) = step.kind, call.verb.enqueues, case .done(let value) = end
    else { return }
    if value?.isNull == false { try list(call.verb, place, enqueuing) }
    enqueuing = []
  }

  private func list(
    _ verb: VerbSignature, _ place: StepPlace, _ arguments: [(name: String, value: Value)]
  ) throws {
    console.flush()
    guard isJSON else {
      let shown = arguments.isEmpty ? "" : "  " + text.text(of: arguments)
      let style = console.errorStyle
      console.err(
        style.bold("would \(verb.name)") + "\(shown)" + style.dim("  \(place.description)")
          + "\n")
      return
    }
    let line = MapValue([
      ("would", .string(verb.name)), ("step", .string(place.id.description)),
      ("place", .string(place.description)),
      ("arguments", .map(MapValue(arguments.map { ($0.name, $0.value) }))),
    ])
    console.err("\(try text.json(of: .map(line)))\n")
  }
}
