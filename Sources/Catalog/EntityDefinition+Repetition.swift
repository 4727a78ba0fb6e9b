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
    /// The references to what must be done first.
    package internal(set) var after: Scalar?

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
      Key(
        "after", "The property that refers to what must be done first.", .scalar { $0.after = $1 }),
    ]
  }

  /// Reports properties of `repeats` that are missing or of another type.
  func checkRepetition(_ collector: DiagnosticCollector) {
    guard let repetition else { return }
    if let identity = identities.first {
      collector.report(
        "invalid-value", "an item with an identity cannot repeat: its successor would be the same",
        at: identity.span, help: "remove `identity`, or `repeats`")
    }
    expect(in: "repeats", repetition.done, "a bool", { $0 == .bool }, collector)
    expect(in: "repeats", repetition.rule, "a recurrence", Self.isRecurrence, collector)
    for day in [repetition.day].compactMap({ $0 }) + repetition.moves {
      expect(in: "repeats", day, "a date or a when", \.hasDays, collector)
    }
    expect(
      in: "repeats", repetition.parts, "a reference to a \(name.text)",
      { $0 == .entity(name.text) },
      collector)
    expect(
      in: "repeats", repetition.after, "a list<\(name.text)>",
      { $0 == .list(.entity(name.text)) }, collector)
  }

  /// Reports a property, named in a mapping, that is missing or of another type.
  private func expect(
    in key: String, _ scalar: Scalar?, _ type: String, _ fits: (DataType) -> Bool,
    _ collector: DiagnosticCollector
  ) {
    guard let scalar else { return }
    guard let property = property(scalar.text) else {
      return collector.report(
        "unknown-property", "`\(key)` names `\(scalar.text)`, which is not a property",
        at: scalar.span, help: Suggestion.help(for: scalar.text, in: properties.map(\.name.text)))
    }
    if fits(property.type.unwrapped) { return }
    collector.report(
      "invalid-value",
      "`\(key)` needs \(type) here; `\(scalar.text)` is \(property.type.description)",
      at: scalar.span, help: "name another property, or give this one another type")
  }

  private static func isRecurrence(_ type: DataType) -> Bool {
    if case .refined(let refined) = type { refined.name == "recurrence" } else { false }
  }
}

extension EntityDefinition {
  /// The properties that say when an item takes place.
  package struct Occurrence: Sendable {
    /// A day or a moment.
    package internal(set) var start: Scalar?
    /// The last day, or the end.
    package internal(set) var end: Scalar?
    /// Whether it takes whole days.
    package internal(set) var allDay: Scalar?
    /// The name of the time zone of a series.
    package internal(set) var zone: Scalar?
    /// The rule of a series.
    package internal(set) var rule: Scalar?
    /// The component of a calendar that it came from.
    package internal(set) var source: Scalar?

    static let keys: [Key<Self>] = [
      Key(
        "start", "The property with its day or its start.", isRequired: true,
        .scalar { $0.start = $1 }),
      Key("end", "The property with its last day or its end.", .scalar { $0.end = $1 }),
      Key(
        "allDay", "The property that says whether it takes whole days.", .scalar { $0.allDay = $1 }),
      Key("zone", "The property with the name of its time zone.", .scalar { $0.zone = $1 }),
      Key("rule", "The property with the rule of a series.", .scalar { $0.rule = $1 }),
      Key("source", "The property with the component of a calendar.", .scalar { $0.source = $1 }),
    ]
  }

  /// Reports properties of `occurs` that are missing or of another type.
  func checkOccurrence(_ collector: DiagnosticCollector) {
    guard let occurrence else { return }
    for day in [occurrence.start, occurrence.end] {
      expect(in: "occurs", day, "a date or a when", \.hasDays, collector)
    }
    expect(in: "occurs", occurrence.allDay, "a bool", { $0 == .bool }, collector)
    expect(in: "occurs", occurrence.rule, "a recurrence", Self.isRecurrence, collector)
    for text in [occurrence.zone, occurrence.source] {
      expect(in: "occurs", text, "a string", { $0 == .string }, collector)
    }
  }
}
