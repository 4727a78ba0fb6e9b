/// An error or warning about an expression.
package struct Problem: Sendable, Hashable {
  /// The kinds of problems, as stable names.
  package enum Code: String, Sendable {
    case syntax
    case tooLarge = "too-large"
    case unknownName = "unknown-name"
    case unknownFunction = "unknown-function"
    case unknownField = "unknown-field"
    case wrongArguments = "wrong-arguments"
    case wrongType = "wrong-type"
    /// A value that may be null, where null is not allowed.
    case maybeNull = "maybe-null"
    /// A comparison with a value that never occurs.
    case unknownValue = "unknown-value"
    /// A part that fails for all values of the variables.
    case fails
    /// A condition that is the same for all values of the variables.
    case constantCondition = "constant-condition"
    /// A string with template braces, which are not evaluated.
    case templateInText = "template-in-text"
    /// A division of whole numbers as written, of which a remainder is dropped.
    case droppedRemainder = "dropped-remainder"
    /// A part of a moment that counts from 0, beside a number.
    case countsFromZero = "counts-from-zero"
  }

  /// The severity of a problem.
  package enum Severity: String, Sendable {
    /// The expression cannot be used.
    case error
    /// The expression can be used, but is probably not intended.
    case warning
  }

  /// The kind of problem.
  package var code: Code
  /// Error or warning.
  package var severity: Severity
  /// One sentence without a full stop.
  package var message: String
  /// The UTF-8 offsets in the expression's text.
  package var range: Range<Int>
  /// The suggested fix, if any.
  package var help: String?
  /// The part that a text to write in the fix stands for.
  package var mendedRange: Range<Int>

  /// Creates a problem.
  ///
  /// - Parameter mended: The part that a text to write in the help stands for; nil for that at fault.
  package init(
    _ code: Code, _ message: String, at range: Range<Int>, help: String? = nil,
    severity: Severity = .error, mending mended: Range<Int>? = nil
  ) {
    mendedRange = mended ?? range
    self.code = code
    self.severity = severity
    self.message = message
    self.range = range
    self.help = help
  }
}

/// The problems of a text that is not an expression, or of an expression that cannot be compiled.
package struct ExpressionError: Error, Sendable {
  /// The problems, at least one.
  package let problems: [Problem]

  /// Creates an error from problems.
  package init(_ problems: [Problem]) { self.problems = problems }

  /// Returns a syntax error with one problem.
  static func syntax(
    _ message: String, _ range: Range<Int>, help: String? = nil
  ) -> ExpressionError {
    ExpressionError([Problem(.syntax, message, at: range, help: help)])
  }
}

extension ExpressionError: CustomStringConvertible {
  /// The problems, one per line.
  package var description: String {
    problems.map { problem in
      problem.help.map { "\(problem.message) (\($0))" } ?? problem.message
    }.joined(separator: "\n")
  }
}
