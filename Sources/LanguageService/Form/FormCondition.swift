import CEL
import Items

/// A condition of one comparison, as a form has it.
package struct FormCondition: Equatable, Sendable {
  /// The comparisons, in words.
  package enum Comparison: String, CaseIterable, Sendable {
    case equals = "is"
    case differs = "is not"
    case contains = "contains"
    case exceeds = "is more than"
    case isBelow = "is less than"
    case isTrue = "is so"
    case isFalse = "is not so"
    case isEmpty = "is empty"
    case isFilled = "is not empty"

    /// Whether it compares with a value.
    package var takesValue: Bool { ![.isTrue, .isFalse, .isEmpty, .isFilled].contains(self) }

    fileprivate var sign: String {
      switch self {
      case .differs: "!="
      case .exceeds: ">"
      case .isBelow: "<"
      default: "=="
      }
    }
  }

  /// A name, or a property of the item such as `self.tags`.
  package var subject: String
  package var comparison: Comparison
  /// A text, or a name in `{{ }}`.
  package var value: String

  package init(subject: String, comparison: Comparison, value: String) {
    (self.subject, self.comparison, self.value) = (subject, comparison, value)
  }

  private static let name = #"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*"#
  private static let operand =
    #"("[^"\\]*"|'[^'\\]*'|-?[0-9][0-9.]*|date\("[^"\\]*"\)|date\('[^'\\]*'\)|"# + name + ")"

  /// Reads an expression; nil if it is not a single comparison.
  ///
  /// - Parameter names: The names and properties that it may be about.
  init?(_ expression: String, among names: [FormName]) {
    let text = expression.trimmed
    // What is long is no single comparison.
    guard text.utf8.count <= 200 else { return nil }
    func match(_ pattern: String) -> [String]? {
      guard let regex = try? Regex(pattern), let match = text.wholeMatch(of: regex) else {
        return nil
      }
      return match.output.dropFirst().map { String($0.substring ?? "") }
    }
    func subject(_ name: String) -> String? {
      names.first { $0.name == name || $0.name == "self." + name }?.name
    }
    func make(_ name: String, _ comparison: Comparison, _ value: String = "") -> FormCondition? {
      subject(name).map {
        FormCondition(subject: $0, comparison: comparison, value: Self.shown(value))
      }
    }
    let comparisons: [String: Comparison] = [
      "==": .equals, "!=": .differs, ">": .exceeds, "<": .isBelow,
    ]
    var found: FormCondition?
    if let parts = match("size\\((\(Self.name))\\)\\s*(==|>)\\s*0") {
      found = make(parts[0], parts[1] == "==" ? .isEmpty : .isFilled)
    } else if let parts = match("(\(Self.name))\\s*(==|!=)\\s*null") {
      found = make(parts[0], parts[1] == "==" ? .isEmpty : .isFilled)
    } else if let parts = match("(\(Self.name))\\s*(==|!=|>|<)\\s*\(Self.operand)") {
      found = comparisons[parts[1]].flatMap { make(parts[0], $0, parts[2]) }
    } else if let parts = match("\(Self.operand)\\s+in\\s+(\(Self.name))") {
      found = make(parts[1], .contains, parts[0])
    } else if let parts = match("(\(Self.name))\\.contains\\(\(Self.operand)\\)") {
      found = make(parts[0], .contains, parts[1])
    } else if let parts = match("(!?)(\(Self.name))") {
      found = make(parts[1], parts[0].isEmpty ? .isTrue : .isFalse)
    }
    guard let found else { return nil }
    self = found
  }

  /// An operand as it stands in a field.
  private static func shown(_ operand: String) -> String {
    var text = operand[...]
    if text.hasPrefix("date("), text.hasSuffix(")") { text = text.dropFirst(5).dropLast() }
    guard let first = text.first else { return "" }
    if "\"'".contains(first) { return String(text.dropFirst().dropLast()) }
    return first.isNumber || first == "-" || ["true", "false"].contains(text)
      ? String(text) : "{{ \(text) }}"
  }

  /// The expression.
  ///
  /// - Parameter type: The type of what it is about; nil if that is unknown.
  func expression(_ type: DataType?) throws(FormProblem) -> String {
    let isList = if case .list? = type?.unwrapped { true } else { type == nil }
    let isText = type?.unwrapped.celType == .string
    switch comparison {
    case .isTrue: return subject
    case .isFalse: return "!" + subject
    case .isEmpty, .isFilled:
      let isEmpty = comparison == .isEmpty
      return isList || isText && type == type?.unwrapped
        ? "size(\(subject)) \(isEmpty ? "==" : ">") 0"
        : "\(subject) \(isEmpty ? "==" : "!=") null"
    case .contains:
      let operand = try operand(isList ? nil : .string)
      return isList ? "\(operand) in \(subject)" : "\(subject).contains(\(operand))"
    case .equals, .differs, .exceeds, .isBelow:
      return "\(subject) \(comparison.sign) \(try operand(type?.unwrapped))"
    }
  }

  private func operand(_ type: DataType?) throws(FormProblem) -> String {
    let text = value.trimmed
    if text.hasPrefix("{{"), text.hasSuffix("}}"), !text.dropFirst(2).contains("{{") {
      return String(text.dropFirst(2).dropLast(2)).trimmed
    }
    guard !text.contains("{{"), !text.contains("\n") else {
      throw FormProblem("a condition compares with a text, or with one name alone")
    }
    let isNumber = (try? Regex(#"-?[0-9]+(\.[0-9]+)?"#)).flatMap { text.wholeMatch(of: $0) } != nil
    switch type {
    case nil where isNumber, .int where isNumber, .double where isNumber: return text
    case .bool where ["true", "false"].contains(text): return text
    case .some(let type) where type.isTime && text.first?.isNumber == true:
      return "date(\"\(text)\")"
    default:
      return "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
  }
}
