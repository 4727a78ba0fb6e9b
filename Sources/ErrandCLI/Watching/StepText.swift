import CEL
import Engine
import ErrandKit
import Exchange
import Items
import Program
import Source

/// Words a step of a run: its place, what it calls, and its arguments.
struct StepText {
  private let json: ItemJSON

  /// How many characters of a value are shown.
  private static let limit = 80

  init(_ clock: LocalClock) {
    json = ItemJSON(clock)
  }

  /// A value on a line.
  func text(of value: Value) -> String {
    let text = (try? json.text(of: value.withReferences)) ?? value.text
    return text.count > Self.limit ? text.prefix(Self.limit) + "…" : text
  }

  /// A value as JSON, all of it.
  ///
  /// - Throws: `JSONError` when it is nested too deep.
  func json(of value: Value) throws -> String { try json.text(of: value) }

  /// Names with their values.
  func text(of arguments: [(name: String, value: Value)]) -> String {
    arguments.map { "\($0.name): \(text(of: $0.value))" }.joined(separator: ", ")
  }

  /// The step with its place in its document.
  func head(_ step: CompiledStep, _ place: StepPlace) -> String {
    "\(place.id) (\(step.displayName))"
  }

  /// The step with its arguments.
  func line(
    _ step: CompiledStep, _ place: StepPlace, _ arguments: [(name: String, value: Value)]
  ) -> String {
    head(step, place) + (arguments.isEmpty ? "" : "  " + text(of: arguments))
  }
}
