package import CEL
package import Engine
import Exchange
import Items
package import Program
import Source

/// Text for a step of a run: its position, its callee and its arguments.
package struct StepText {
  private let json: ItemJSON

  /// The maximum number of characters shown of a value.
  private static let limit = 80

  package init(_ clock: LocalClock) { json = ItemJSON(clock) }

  /// A value on one line, shortened if necessary.
  package func text(of value: Value) -> String {
    let text = (try? json.text(of: value.withReferences)) ?? value.text
    return text.count > Self.limit ? text.prefix(Self.limit) + "…" : text
  }

  /// A value as complete JSON.
  ///
  /// - Throws: `JSONError` if it is nested too deeply.
  package func json(of value: Value) throws -> String { try json.text(of: value) }

  /// Arguments as `name: value`, separated by commas.
  package func text(of arguments: [(name: String, value: Value)]) -> String {
    arguments.map { "\($0.name): \(text(of: $0.value))" }.joined(separator: ", ")
  }

  /// The step with its position in the document.
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
