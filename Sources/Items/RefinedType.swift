package import CEL

/// A type whose values are those of a plainer one in a form of their own, such as a length of the
/// calendar.
///
/// One value tells all of it, so a new type is its reader and a row of `all`. Columns, expressions,
/// filters and JSON take it as its base; definitions, flags, imports and messages find it here.
package struct RefinedType: Sendable {
  /// The name in definitions.
  package let name: String
  /// The type by which its values are stored, compared and calculated with.
  package let base: DataType
  /// It in a sentence, such as `a period`.
  package let noun: String
  /// What it is for, as it follows the noun; empty where the noun tells it.
  package let purpose: String
  /// Ways to write it, for messages and help.
  package let examples: String
  private let read: @Sendable (String) -> Value?

  init(
    _ name: String, of base: DataType = .string, noun: String, purpose: String = "",
    examples: String, read: @escaping @Sendable (String) -> Value?
  ) {
    self.name = name
    self.base = base
    self.noun = noun
    self.purpose = purpose
    self.examples = examples
    self.read = read
  }

  /// The value in its one form; nil for a value that is none of the type.
  ///
  /// A number is read as its text, so that its reader judges it, too.
  package func value(of given: Value) -> Value? {
    switch (base, given) {
    case (_, .string(let text)): read(text)
    case (.int, .int), (.double, .int), (.double, .double): read(given.text)
    default: nil
    }
  }

  /// All of them.
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
  ]
}

extension RefinedType: Hashable {
  package static func == (a: RefinedType, b: RefinedType) -> Bool { a.name == b.name }

  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
