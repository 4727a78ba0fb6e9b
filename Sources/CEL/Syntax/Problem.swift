/// Something wrong with an expression: what, where, and what to do about it.
package struct Problem: Sendable, Hashable {
  /// The kinds of problems, by stable names.
  package enum Code: String, Sendable {
    case syntax
    case tooLarge = "too-large"
    case unknownName = "unknown-name"
    case unknownFunction = "unknown-function"
    case unknownField = "unknown-field"
    case wrongArguments = "wrong-arguments"
    case wrongType = "wrong-type"
    /// A value that may be null stands where null has no meaning.
    case maybeNull = "maybe-null"
    /// A value is compared with what it never is.
    case unknownValue = "unknown-value"
    /// A part has no value, whatever the values of the others are.
    case fails
    /// A condition that is the same whatever the values are.
    case constantCondition = "constant-condition"
    /// A text holds the braces of a template, in which nothing is filled in.
    case templateInText = "template-in-text"
  }

  /// How much a problem weighs.
  package enum Severity: String, Sendable {
    /// The expression can't be used.
    case error
    /// The expression works, and most likely not as it was meant.
    case warning
  }

  /// The kind of problem.
  package var code: Code
  /// Whether the expression can be used all the same.
  package var severity: Severity
  /// What is wrong, in one sentence without a full stop.
  package var message: String
  /// Where, as UTF-8 offsets into the expression's text.
  package var range: Range<Int>
  /// What to do about it, when there is something to say.
  package var help: String?

  /// Describes a problem.
  package init(
    _ code: Code, _ message: String, at range: Range<Int>, help: String? = nil,
    severity: Severity = .error
  ) {
    self.code = code
    self.severity = severity
    self.message = message
    self.range = range
    self.help = help
  }
}

/// Says why a text is not an expression, or an expression can't be compiled.
package struct ExpressionError: Error, Sendable {
  /// All that was found wrong, at least one.
  package let problems: [Problem]

  /// Gathers problems.
  package init(_ problems: [Problem]) {
    self.problems = problems
  }

  /// The error of a text that is no expression, with one problem.
  static func syntax(
    _ message: String, _ range: Range<Int>, help: String? = nil
  ) -> ExpressionError {
    ExpressionError([Problem(.syntax, message, at: range, help: help)])
  }
}

extension ExpressionError: CustomStringConvertible {
  /// The problems, one a line.
  package var description: String {
    problems.map { problem in
      problem.help.map { "\(problem.message) (\($0))" } ?? problem.message
    }.joined(separator: "\n")
  }
}
