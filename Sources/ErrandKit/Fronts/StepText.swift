package import CEL
package import Engine
import Exchange
import Items
package import Program
import Source

/// Words a step of a run: its place, what it calls, and its arguments.
package struct StepText {
  private let json: ItemJSON

  /// How many characters of a value are shown.
  private static let limit = 80

  package init(_ clock: LocalClock) {
    json = ItemJSON(clock)
  }

  /// A value on a line.
  package func text(of value: Value) -> String {
    let text = (try? json.text(of: value.withReferences)) ?? value.text
    return text.count > Self.limit ? text.prefix(Self.limit) + "…" : text
  }

  /// A value as JSON, all of it.
  ///
  /// - Throws: `JSONError` when it is nested too deep.
  package func json(of value: Value) throws -> String { try json.text(of: value) }

  /// Names with their values.
  package func text(of arguments: [(name: String, value: Value)]) -> String {
    arguments.map { "\($0.name): \(text(of: $0.value))" }.joined(separator: ", ")
  }

  /// The step with its place in its document.
  package func head(_ step: CompiledStep, _ place: StepPlace) -> String {
    "\(place.id) (\(step.displayName))"
  }

  /// The step with its arguments.
  package func line(
    _ step: CompiledStep, _ place: StepPlace, _ arguments: [(name: String, value: Value)]
  ) -> String {
    head(step, place) + (arguments.isEmpty ? "" : "  " + text(of: arguments))
  }
}
