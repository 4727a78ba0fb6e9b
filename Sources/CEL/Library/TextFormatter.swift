internal import Glibc

/// Implements `"%s is %.2f".format([…])`.
enum TextFormatter {
  /// Returns the template with its clauses replaced by values.
  static func format(_ template: String, _ values: [Value]) throws(EvaluationError) -> String {
    var values = values[...]
    return try filled(template) { padding, precision, clause throws(EvaluationError) in
      guard let value = values.popFirst() else {
        throw EvaluationError("the format has more `%` clauses than there are values")
      }
      return padding.padded(try text(value, clause, precision), isNumber: clause != "s")
    }
  }

  /// Returns the letters of a template's clauses, in order.
  static func clauses(of template: String) throws(EvaluationError) -> [Unicode.Scalar] {
    var clauses: [Unicode.Scalar] = []
    _ = try filled(template) { _, _, clause in
      clauses.append(clause)
      return ""
    }
    return clauses
  }

  private static func filled(
    _ template: String,
    _ fill: (Padding, Int?, Unicode.Scalar) throws(EvaluationError) -> String
  ) throws(EvaluationError) -> String {
    var text = ""
    var rest = template.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      guard scalar == "%", rest.first != "%" else {
        text.unicodeScalars.append(scalar)
        if scalar == "%" { rest.removeFirst() }
        continue
      }
      text += try fill(try padding(&rest), try precision(&rest), try clause(&rest))
      try EvaluationLimits().expect(bytes: text.utf8.count)
    }
    return text
  }

  private static func clause(
    _ rest: inout Substring.UnicodeScalarView
  ) throws(EvaluationError) -> Unicode.Scalar {
    guard let clause = rest.popFirst() else {
      throw EvaluationError("the format ends inside a `%` clause; write `%%` for a percent sign")
    }
    guard "sdfeboxX".unicodeScalars.contains(clause) else {
      throw EvaluationError("`%\(clause)` is not a format clause")
    }
    return clause
  }

  /// Minimum width of a clause, `%5d` or `%-20s`, and zero padding, `%05d`.
  private struct Padding {
    var width = 0
    var hasZeros = false
    var isLeft = false

    /// Returns the text padded to the width, counted in grapheme clusters.
    func padded(_ text: String, isNumber: Bool) -> String {
      let missing = width - text.count
      guard missing > 0 else { return text }
      if isLeft { return text + String(repeating: " ", count: missing) }
      guard hasZeros, isNumber, !text.contains(where: { $0 == "n" || $0 == "N" }) else {
        return String(repeating: " ", count: missing) + text
      }
      let zeros = String(repeating: "0", count: missing)
      return text.hasPrefix("-") ? "-" + zeros + text.dropFirst() : zeros + text
    }
  }

  private static func padding(
    _ rest: inout Substring.UnicodeScalarView
  ) throws(EvaluationError) -> Padding {
    var padding = Padding()
    while let flag = rest.first, flag == "-" || flag == "0" {
      rest.removeFirst()
      if flag == "-" { padding.isLeft = true } else { padding.hasZeros = true }
    }
    padding.width = try number(&rest, "width") ?? 0
    return padding
  }

  private static func precision(
    _ rest: inout Substring.UnicodeScalarView
  ) throws(EvaluationError) -> Int? {
    guard rest.first == "." else { return nil }
    rest.removeFirst()
    if let precision = try number(&rest, "precision") { return precision }
    throw EvaluationError("a precision must be a number from 0 to 1000")
  }

  /// Consumes the digits of a number; nil if there are none.
  private static func number(
    _ rest: inout Substring.UnicodeScalarView, _ name: String
  ) throws(EvaluationError) -> Int? {
    let digits = rest.prefix { ("0"..."9").contains($0) }
    rest = rest[digits.endIndex...]
    if digits.isEmpty { return nil }
    if let number = Int(String(digits)), number <= 1_000 { return number }
    throw EvaluationError("a \(name) must be a number from 0 to 1000")
  }

  private static func text(
    _ value: Value, _ clause: Unicode.Scalar, _ precision: Int?
  ) throws(EvaluationError) -> String {
    switch clause {
    case "s": return try string(value)
    case "d": return try decimal(value)
    case "f", "e": return try float(value, clause, precision ?? 6)
    default: return try integer(value, clause)
    }
  }

  private static func mismatch(_ value: Value, _ clause: Unicode.Scalar) -> EvaluationError {
    EvaluationError(.arguments("%\(clause)", [value.kindName], signatures: []))
  }

  /// Returns the text of a value; the entries of a map are sorted by the text of their keys.
  private static func string(_ value: Value) throws(EvaluationError) -> String {
    switch value {
    case .list(let list):
      var parts: [String] = []
      for element in list { parts.append(try string(element)) }
      return "[" + parts.joined(separator: ", ") + "]"
    case .map(let map):
      var parts: [(key: String, value: String)] = []
      for entry in map.entries { parts.append((try string(entry.key), try string(entry.value))) }
      parts.sort { $0.key.compareCodePoints(to: $1.key) < 0 }
      return "{" + parts.map { "\($0.key): \($0.value)" }.joined(separator: ", ") + "}"
    case .double(let number): return number.plainText
    case .bytes(let bytes): return text(of: bytes)
    case .optional, .object: throw mismatch(value, "s")
    default: return value.text
    }
  }

  private static func decimal(_ value: Value) throws(EvaluationError) -> String {
    if case .double(let number) = value { return number.plainText }
    if value.isNumber { return value.text }
    throw mismatch(value, "d")
  }

  /// Decodes bytes as UTF-8 with one replacement character for each invalid run.
  private static func text(of bytes: [UInt8]) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    var text = "".unicodeScalars
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars
    where scalar != "\u{FFFD}" || text.last != scalar {
      text.append(scalar)
    }
    return String(text)
  }

  private static func float(
    _ value: Value, _ clause: Unicode.Scalar, _ precision: Int
  ) throws(EvaluationError) -> String {
    guard value.isNumber, case .double(let number)? = value.converted(to: .double) else {
      throw mismatch(value, clause)
    }
    if !number.isFinite { return number.plainText }
    var buffer = [CChar](repeating: 0, count: precision + 340)
    let count = withVaList([Int32(precision), number]) {
      vsnprintf(&buffer, buffer.count, clause == "f" ? "%.*f" : "%.*e", $0)
    }
    return String(decoding: buffer.prefix(max(0, Int(count))).map(UInt8.init), as: UTF8.self)
  }

  private static func integer(
    _ value: Value, _ clause: Unicode.Scalar
  ) throws(EvaluationError) -> String {
    let radix = clause == "b" ? 2 : clause == "o" ? 8 : 16
    let isUpper = clause == "X"
    switch value {
    case .int(let number): return String(number, radix: radix, uppercase: isUpper)
    case .uint(let number): return String(number, radix: radix, uppercase: isUpper)
    case .bool(let value) where radix == 2: return value ? "1" : "0"
    case .string(let text) where radix == 16: return hex(Array(text.utf8), isUpper)
    case .bytes(let bytes) where radix == 16: return hex(bytes, isUpper)
    default: throw mismatch(value, clause)
    }
  }

  private static func hex(_ bytes: [UInt8], _ isUpper: Bool) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: isUpper) }.joined()
  }
}
