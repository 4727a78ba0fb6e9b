/// Says why an expression has no value.
package struct EvaluationError: Error, Sendable {
  /// The kinds of failures, by stable names.
  package enum Code: String, Sendable {
    /// An operation met null, which it has no meaning for.
    case nullOperand = "null-operand"
    case unknownVariable = "unknown-variable"
    case unknownFunction = "unknown-function"
    case noSuchKey = "no-such-key"
    case noSuchField = "no-such-field"
    case noMatchingOverload = "no-matching-overload"
    case overflow
    case divisionByZero = "division-by-zero"
    case invalidArgument = "invalid-argument"
    case boundExceeded = "bound-exceeded"
    /// Whoever asked for the value ended it.
    case interrupted
    /// A function of the host failed.
    case failed
    /// There is no secret of the name.
    case noSecret = "no-secret"
  }

  /// The facts are shared, so that an error costs one word while it passes through `&&` and `||`.
  private final class Facts: Sendable {
    let reason: Reason
    let origin: Expression?
    let help: String?

    init(_ reason: Reason, _ origin: Expression?, help: String?) {
      self.reason = reason
      self.origin = origin
      self.help = help
    }
  }

  private let facts: Facts

  /// The kind of failure.
  package var code: Code { facts.reason.code }

  /// What failed, with which value, and what to do, in words.
  package var message: String { facts.reason.message(at: facts.origin) }

  /// Advice, where the message does not give it; nil where nothing is known.
  package var help: String? { facts.help }

  /// Where in the expression's text it failed, as UTF-8 offsets.
  package var range: Range<Int>? { facts.origin?.range }

  /// The part of the text that a message points at, such as an operator or a name.
  package var focus: Range<Int>? { facts.origin?.focus }

  /// Whether it ends the whole evaluation, whatever another operand says.
  var isFinal: Bool { code == .boundExceeded || code == .interrupted }

  /// Makes the error of a function, which the call then locates.
  package init(_ message: String, code: Code = .invalidArgument, help: String? = nil) {
    facts = Facts(.stated(code, message), nil, help: help)
  }

  /// Makes an error of facts, at a place if it is known.
  init(_ reason: Reason, at origin: Expression? = nil, help: String? = nil) {
    facts = Facts(reason, origin, help: help)
  }

  /// The same failure, at this place unless a nearer one is known.
  func located(at origin: Expression) -> EvaluationError {
    facts.origin == nil ? EvaluationError(facts.reason, at: origin, help: help) : self
  }

  /// The facts of a failure; words are made only when someone reads them.
  enum Reason: Sendable {
    case stated(Code, String)
    case operands(String, [String])
    case arguments(String, [String], signatures: [String])
    case notBool(String)
    case unknownVariable(String)
    case unknownFunction(String)
    case noSuchKey(Value)
    case noSuchField(String, type: String, known: [String])
    case noFields(String)
    case notIndexable(String)
    case badIndex(String)
    case outOfRange(Int64, count: Int)
    case notIterable(String)
    case overflow(String)
    case divisionByZero
    case emptyOptional
    case steps
    case interrupted
    case tooLarge(String)
    case badKey(String)
    case repeatedKey(Value)
    case notOptional(String)
    case conversion(Value, to: String)

    var code: Code {
      switch self {
      case .stated(let code, _): code
      case .operands(_, let kinds), .arguments(_, let kinds, _):
        kinds.contains("null") ? .nullOperand : .noMatchingOverload
      case .notBool(let kind), .noFields(let kind), .notIndexable(let kind),
        .notIterable(let kind), .badIndex(let kind), .notOptional(let kind):
        kind == "null" ? .nullOperand : .noMatchingOverload
      case .unknownVariable: .unknownVariable
      case .unknownFunction: .unknownFunction
      case .noSuchKey: .noSuchKey
      case .noSuchField: .noSuchField
      case .outOfRange, .emptyOptional, .repeatedKey, .badKey: .invalidArgument
      case .overflow: .overflow
      case .divisionByZero: .divisionByZero
      case .steps, .tooLarge: .boundExceeded
      case .interrupted: .interrupted
      case .conversion(let value, _): value.isNull ? .nullOperand : .invalidArgument
      }
    }
  }
}

extension EvaluationError: CustomStringConvertible {
  /// The message.
  package var description: String { message }
}
