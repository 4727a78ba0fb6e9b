package import CEL
package import YAML

extension Scalar {
  /// The value of a scalar where nothing is declared: by YAML's core schema when it is plain, else
  /// its text (YAML 1.2.2 §10.3.2).
  package var coreValue: Value {
    guard style == .plain else { return .string(text) }
    if isNull { return .null }
    switch text {
    case "true", "True", "TRUE": return .bool(true)
    case "false", "False", "FALSE": return .bool(false)
    default: break
    }
    if let int = Int64(text), text.first != "+" { return .int(int) }
    if let first = text.utf8.first, first == UInt8(ascii: "-") || (0x30...0x39).contains(first),
      text.contains(where: { $0 == "." || $0 == "e" || $0 == "E" }), let double = Double(text),
      double.isFinite
    {
      return .double(double)
    }
    return .string(text)
  }
}
