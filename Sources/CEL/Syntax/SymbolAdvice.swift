/// Suggestions for symbols that CEL does not have.
enum SymbolAdvice {
  /// Suggests a replacement for the symbol at a position.
  static func help(at position: Int, in text: [UInt8]) -> String? {
    let rest = String(decoding: text[position...], as: UTF8.self)
    switch rest.first {
    case "=" where rest.hasPrefix("=~"): return pattern(at: position, in: text)
    case "=" where rest.hasPrefix("=>"):
      return "name a variable and give its expression, as in `list.map(x, x.title)`"
    case "=" where rest.dropFirst().first != "=": return comparison(at: position, in: text)
    case "=": return "use `==` to compare; a value is given by the step `set`"
    case "&": return "use `&&`"
    case "|": return filter(at: position, in: text)
    case "$": return "write the name alone, without `$` or braces"
    case "“", "”", "‘", "’": return "use plain quotes, \" or '"
    case "^": return "there is no power operator; write repeated `*`"
    case "#":
      return "an expression has no comments: remove it, or write it after `# ` on a line of its own"
    case "@", "~", "\\": return "remove it; a text needs quotes"
    case ";": return "an expression is a single value; remove `;`"
    default: return nil
    }
  }

  /// Rewrites `x = y`, or `x === y`, as `x == y`.
  private static func comparison(at position: Int, in text: [UInt8]) -> String {
    var operand = String(decoding: text[..<position], as: UTF8.self)
    if let operation = operand.last, "+-*/".contains(operation) {
      let name = String(operand.dropLast()).trimmed
      let rest = String(decoding: text[(position + 1)...], as: UTF8.self).trimmed
      return
        "a value is given by the step `set`: - set: {\(name): '{{ \(name) \(operation) \(rest) }}'}"
    }
    let isStrict = operand.hasSuffix("==") || operand.hasSuffix("!=")
    let symbol = isStrict ? String(operand.suffix(2)) : "=="
    if isStrict { operand = String(operand.dropLast(2)) }
    let wanted = String(decoding: text[(position + 1)...], as: UTF8.self).trimmed
    return line("\(operand.trimmed) \(symbol) \(wanted)")
      ?? "use `==` to compare; a value is given by the step `set`"
  }

  /// Rewrites a text in backticks with `${x}` in it as parts joined by `+`.
  static func backticks(at start: Int, in text: [UInt8]) -> String {
    let rest = text[(start + 1)...]
    let inner = String(
      decoding: rest[..<(rest.firstIndex(of: UInt8(ascii: "`")) ?? rest.endIndex)], as: UTF8.self)
    var parts: [String] = []
    for (index, piece) in inner.splitAtEach("${").enumerated() {
      let end = index == 0 ? nil : piece.firstIndex(of: "}")
      if let end { parts.append("string(\(piece[..<end]))") }
      let literal = end.map { piece[piece.index(after: $0)...] } ?? piece
      if !literal.isEmpty { parts.append(LiteralText.quoted(String(literal))) }
    }
    let whole = parts.joined(separator: " + ")
    return line(whole).map { "a text takes quotes: \($0)" } ?? "a text takes quotes, \" or '"
  }

  /// Rewrites `x =~ y` as `x.matches(y)`.
  private static func pattern(at position: Int, in text: [UInt8]) -> String {
    var wanted = String(decoding: text[(position + 2)...], as: UTF8.self).trimmed
    if wanted.utf8.count > 1, wanted.hasPrefix("/"), wanted.hasSuffix("/") {
      wanted = LiteralText.quoted(String(wanted.dropFirst().dropLast()))
    }
    let operand = String(decoding: text[..<position], as: UTF8.self).trimmed
    return line("\(operand).matches(\(wanted))") ?? "write `.matches(\"…\")`"
  }

  /// Rewrites `x | f` as `x.f()`, if `f` is a known template filter.
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
      case "float": "double(\(operand))"
      case "title", "capitalize":
        "\(operand).changeCase(\"\(name == "title" ? "title" : "sentence")\")"
      case "round", "abs": "math.\(name)(\(operand))"
      case "tojson", "to_json", "json": "toJson(\(operand))"
      case "from_json", "fromjson": "parseJson(\(operand))"
      case "urlencode": "\(operand).urlEncode()"
      case "unique", "uniq": "\(operand).distinct()"
      case "sum", "min", "max", "keys", "values", "lines", "words", "slug": "\(operand).\(name)()"
      case "date", "strftime", "timestamp_custom": "\(operand).format(\"yyyy-MM-dd\")"
      case "truncate": "\(operand).truncate(\(given.isEmpty ? "80" : given))"
      case "map": "\(operand).map(x, x.title)"
      case "selectattr", "select", "where": "\(operand).filter(x, …)"
      case "safe", "escape", "e": operand
      default: nil
      }
    if let line = written.flatMap(line) { return "there is no filter syntax: \(line)" }
    return "use `||` for “or”; call a function with a dot, as in `x.trim()`"
  }

  private static func line(_ text: String) -> String? {
    text.utf8.count <= 200 && Parser.parses(text) ? "write `\(text)`" : nil
  }
}

extension String {
  /// Returns the parts between the occurrences of a separator.
  fileprivate func splitAtEach(_ separator: String) -> [Substring] {
    var parts: [Substring] = []
    var rest = self[...]
    while let range = rest.firstRange(of: separator) {
      parts.append(rest[..<range.lowerBound])
      rest = rest[range.upperBound...]
    }
    return parts + [rest]
  }
}
