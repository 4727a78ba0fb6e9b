package import CEL

/// A type that restricts a base type to values in a specific format, such as a calendar period.
///
/// Adding such a type takes a parser and an entry in `all`. Columns, expressions, filters and JSON
/// use its base type; definitions, flags, imports and messages use this value.
package struct RefinedType: Sendable {
  /// The name in definitions.
  package let name: String
  /// The type for storage, comparison and calculation.
  package let base: DataType
  /// The noun for messages, such as `a period`.
  package let noun: String
  /// The purpose, worded to follow the noun; empty if the noun is enough.
  package let purpose: String
  /// Examples for messages and help.
  package let examples: String
  private let read: @Sendable (String) -> Value?
  private let show: (@Sendable (Value) -> String)?

  /// Creates a type from its wording and parser.
  ///
  /// - Parameter show: formats a value for display; nil to format it as the base type.
  init(
    _ name: String, of base: DataType = .string, noun: String, purpose: String = "",
    examples: String, show: (@Sendable (Value) -> String)? = nil,
    read: @escaping @Sendable (String) -> Value?
  ) {
    self.name = name
    self.base = base
    self.noun = noun
    self.purpose = purpose
    self.examples = examples
    self.show = show
    self.read = read
  }

  /// The canonical value; nil if the given one is invalid.
  ///
  /// A number is passed to the parser as text.
  package func value(of given: Value) -> Value? {
    switch (base, given) {
    case (_, .map(let range)) where self == .range:
      RangeText.text(of: range).map { .string($0) }
    case (_, .string(let text)): read(text)
    case (.int, .int), (.double, .int), (.double, .double): read(given.text)
    default: nil
    }
  }

  /// The display text of a value; nil to format it as the base type.
  package func text(of value: Value) -> String? { value.isNull ? nil : show?(value) }

  /// All refined types.
  package static let all = [
    RefinedType("period", noun: "a period", examples: Period.examples) { text in
      Period(text).map { .string($0.text) }
    },
    RefinedType(
      "recurrence", noun: "a rule", purpose: " by which something repeats",
      examples: RepeatRule.examples
    ) { text in
      RepeatRule(text).map { .string($0.text) }
    },
    RefinedType(
      "reminder", noun: "a reminder", purpose: " of what is due", examples: ReminderRule.examples
    ) { text in
      ReminderRule(text).map { .string($0.text) }
    },
    range,
  ]

  /// A range of days or of time.
  package static let range = RefinedType(
    "range", noun: "a range", purpose: " of days", examples: RangeText.examples
  ) { text in
    RangeText.canonical(text).map { .string($0) }
  }
}

extension RefinedType: Hashable {
  package static func == (a: RefinedType, b: RefinedType) -> Bool { a.name == b.name }

  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
