import Items
import Source
package import YAML

extension EntityDefinition {
  /// The properties by which an item that is done gets a successor.
  package struct Repetition: Sendable {
    /// Whether it is done.
    package internal(set) var done: Scalar?
    /// The rule, which moves to the successor.
    package internal(set) var rule: Scalar?
    /// The day from which the next one is counted.
    package internal(set) var day: Scalar?
    /// Further days, which keep their distance to the first.
    package internal(set) var moves: [Scalar] = []
    /// The reference of a part to its whole; parts are repeated with it.
    package internal(set) var parts: Scalar?

    static let keys: [Key<Self>] = [
      Key(
        "done", "The property that says whether it is done.", isRequired: true,
        .scalar { $0.done = $1 }),
      Key(
        "rule", "The property with the rule of repetition.", isRequired: true,
        .scalar { $0.rule = $1 }),
      Key(
        "day", "The day from which the next one is counted.", isRequired: true,
        .scalar { $0.day = $1 }),
      Key("moves", "Days that keep their distance to it.", .texts { $0.moves = $1 }),
      Key("parts", "The property by which parts refer to their whole.", .scalar { $0.parts = $1 }),
    ]
  }

  /// Reports properties of `repeats` that are missing or of another type.
  func checkRepetition(_ collector: DiagnosticCollector) {
    guard let repetition else { return }
    func expect(_ scalar: Scalar?, _ type: String, _ fits: (DataType) -> Bool) {
      guard let scalar else { return }
      guard let property = property(scalar.text) else {
        return collector.report(
          "unknown-property", "`repeats` names `\(scalar.text)`, which is not a property",
          at: scalar.span, help: Suggestion.help(for: scalar.text, in: properties.map(\.name.text)))
      }
      if fits(property.type.unwrapped) { return }
      collector.report(
        "invalid-value",
        "`repeats` needs \(type) here; `\(scalar.text)` is \(property.type.description)",
        at: scalar.span, help: "name another property, or give this one another type")
    }
    if let identity = identities.first {
      collector.report(
        "invalid-value", "an item with an identity cannot repeat: its successor would be the same",
        at: identity.span, help: "remove `identity`, or `repeats`")
    }
    expect(repetition.done, "a bool") { $0 == .bool }
    expect(repetition.rule, "a recurrence") { type in
      if case .refined(let refined) = type { refined.name == "recurrence" } else { false }
    }
    for day in [repetition.day].compactMap({ $0 }) + repetition.moves {
      expect(day, "a date or a when", \.hasDays)
    }
    expect(repetition.parts, "a reference to a \(name.text)") { $0 == .entity(name.text) }
  }
}
