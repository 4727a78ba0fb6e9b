/// Says what was meant by a symbol that CEL does not have.
enum SymbolAdvice {
  /// What to write in place of the symbol at a position.
  static func help(at position: Int, in text: [UInt8]) -> String? {
    let rest = String(decoding: text[position...], as: UTF8.self)
    switch rest.first {
    case "=" where rest.hasPrefix("=~"): return pattern(at: position, in: text)
    case "=" where rest.hasPrefix("=>"):
      return "write the name and what is made of it, as in `list.map(x, x.title)`"
    case "=": return "use `==` to compare"
    case "&": return "use `&&`"
    case "|": return filter(at: position, in: text)
    case "$": return "write the name alone, without `$` or braces"
    case "“", "”", "‘", "’": return "use plain quotes, \" or '"
    case "^": return "there are no powers: write the number as often as it is to be multiplied"
    case ";": return "an expression is one value: leave `;` out"
    default: return nil
    }
  }

  /// `x =~ y` as `x.matches(y)`.
  private static func pattern(at position: Int, in text: [UInt8]) -> String {
    var wanted = String(decoding: text[(position + 2)...], as: UTF8.self).trimmed
    if wanted.utf8.count > 1, wanted.hasPrefix("/"), wanted.hasSuffix("/") {
      wanted = LiteralText.quoted(String(wanted.dropFirst().dropLast()))
    }
    let operand = String(decoding: text[..<position], as: UTF8.self).trimmed
    return line("\(operand).matches(\(wanted))") ?? "write `.matches(\"…\")`"
  }

  /// `x | f` as `x.f()`, where `f` is known from elsewhere.
  private static func filter(at position: Int, in text: [UInt8]) -> String {
    let operand = String(decoding: text[..<position], as: UTF8.self).trimmed
    let call = String(decoding: text[(position + 1)...], as: UTF8.self).trimmed
    let name = String(call.prefix { $0.isLetter || $0 == "_" })
    let arguments = String(call.dropFirst(name.count))
    let given =
      arguments.hasPrefix("(") && arguments.hasSuffix(")")
      ? String(arguments.dropFirst().dropLast()) : ""
    guard !name.isEmpty, arguments.isEmpty || arguments.hasPrefix("(") else {
      return "use `||` for “or”"
    }
    let written: String? =
      switch name {
      case "upper", "uppercase", "upcase": "\(operand).upperAscii()"
      case "lower", "lowercase", "downcase": "\(operand).lowerAscii()"
      case "trim", "strip": "\(operand).trim()"
      case "length", "size", "count": "size(\(operand))"
      case "default": "coalesce(\(operand), \(given.isEmpty ? "\"\"" : given))"
      case "join", "split", "replace", "first", "last", "sort", "reverse", "relative", "format":
        "\(operand).\(name)(\(given))"
      case "string", "int", "double": "\(name)(\(operand))"
      default: nil
      }
    if let line = written.flatMap(line) { return "there are no filters: \(line)" }
    return "use `||` for “or”; a function is called after a dot, as in `x.trim()`"
  }

  private static func line(_ text: String) -> String? {
    text.utf8.count <= 200 && Parser.parses(text) ? "write `\(text)`" : nil
  }
}
