extension EvaluationError {
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
