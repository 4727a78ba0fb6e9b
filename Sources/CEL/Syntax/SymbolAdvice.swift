/// Suggestions for symbols that CEL does not have.
enum SymbolAdvice {
  /// Suggests a replacement for the symbol at a position.
  static func help(at position: Int, in text: [UInt8]) -> String? {
    let rest = String(decoding: text[position...], as: UTF8.self)
    switch rest.first {
    case "=" where rest.hasPrefix("=~"): return pattern(at: position, in: text)
    case "=" where rest.hasPrefix("=>"):
      if !text[..<position].contains(UInt8(ascii: "(")) {
        return line(String(decoding: text, as: UTF8.self).replacing("=>", with: ">="))
      }
      return line(withoutArrows(String(decoding: text, as: UTF8.self)))
        ?? "name a variable and give its expression, as in `list.map(x, x.title)`"
    case "=" where rest.hasPrefix("=<"):
      return line(String(decoding: text, as: UTF8.self).replacing("=<", with: "<="))
    case "=" where rest.dropFirst().first != "=":
      return keyword(at: position, in: text) ?? comparison(at: position, in: text)
    case "=": return "use `==` to compare; a value is given by the step `set`"
    case "&":
      let whole = String(decoding: text, as: UTF8.self)
      return whole.contains("\"") || whole.contains("'")
        ? "texts are joined by `+`; for “and” use `&&`" : "use `&&`"
    case "|": return filter(at: position, in: text)
    case "$" where rest.hasPrefix("${{"):
      // As in GitHub Actions, where a condition may stand in braces.
      let inner = rest.dropFirst(3).prefix { $0 != "}" }
      let before = String(decoding: text[..<position], as: UTF8.self)
      let after = rest.firstRange(of: "}}").map { rest[$0.upperBound...] } ?? ""
      return line("\(before)\(inner.trimmed)\(after)") ?? variable(rest)
    case "$": return variable(rest)
    case "“", "”", "‘", "’": return "use plain quotes, \" or '"
    case "^":
      let power = String(decoding: text, as: UTF8.self).replacing("^", with: "**")
      return SyntaxAdvice(Array(power.utf8)).withPower.flatMap(line)
        ?? "there is no power operator; write `pow(x, 2)`"
    case "#":
      return "an expression has no comments: remove it, or write it after `# ` on a line of its own"
    case "~":
      return line(String(decoding: text, as: UTF8.self).replacing("~", with: "+"))
        ?? "remove it; a text needs quotes"
    case "@", "\\": return "remove it; a text needs quotes"
    case ";":
      // `f(a; b)` of a spreadsheet.
      let whole = String(decoding: text, as: UTF8.self)
      return (whole.hasSuffix(")") ? line(whole.replacing(";", with: ",")) : nil)
        ?? "an expression is a single value; remove `;`"
    default: return nil
    }
  }

  /// Rewrites `x = y`, or `x === y`, as `x == y`.
  private static func comparison(at position: Int, in text: [UInt8]) -> String {
    var operand = String(decoding: text[..<position], as: UTF8.self)
    let given = String(decoding: text[(position + 1)...], as: UTF8.self).trimmed
    // `=a * b` of a spreadsheet, and `x = a * b`.
    if operand.trimmed.isEmpty, let value = SyntaxAdvice.corrected(given) {
      return "write `\(value)`, without `=`"
    }
    let isName = operand.trimmed.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    if isName, given.contains(where: "*/+".contains), !given.contains("="),
      let value = SyntaxAdvice.corrected(given)
    {
      return "an expression assigns nothing: write `\(value)`; a step gives a name: "
        + "`- set: {\(operand.trimmed): '{{ \(value) }}'}`"
    }
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

  /// Rewrites `x => e` and `(x) => e` as `x, e`.
  static func withoutArrows(_ text: String) -> String {
    if let sorted = SyntaxAdvice.withoutComparator(text) { return sorted }
    let parts = text.splitAtEach("=>")
    return parts.dropLast().reduce(into: "") { line, part in
      var before = part
      while before.last == " " { before.removeLast() }
      if before.last == ")", let open = before.lastIndex(of: "(") {
        before = before[..<open] + before[before.index(after: open)...].dropLast()
      }
      line += before + ","
    } + (parts.last ?? "")
  }

  /// Rewrites `f(a, name=b)` as `f(a, b)`; nil for a comparison in brackets or in a macro.
  private static func keyword(at position: Int, in text: [UInt8]) -> String? {
    let before = String(decoding: text[..<position], as: UTF8.self)
    let name = String(before.trimmed.reversed().prefix { $0.isLetter || $0 == "_" }.reversed())
    let head = before.trimmed.dropLast(name.count)
    let mark = String(head).trimmed.last
    let isCall = head.dropLast().last?.isLetter == true
    guard !name.isEmpty, mark == "(" && isCall || mark == ",", !head.contains("(\(name),") else {
      return nil
    }
    let rest = String(decoding: text[(position + 1)...], as: UTF8.self).trimmed
    if let length = SyntaxAdvice.withoutTimedelta(String(decoding: text, as: UTF8.self))
      .flatMap(line)
    {
      return length
    }
    if let sorted = SyntaxAdvice.withoutSorted(String(decoding: text, as: UTF8.self)).flatMap(line)
      ?? SyntaxAdvice(text).withReversedSort.flatMap(line)
    {
      return sorted
    }
    return "arguments have no names" + (line("\(head)\(rest)").map { ": \($0)" } ?? "")
  }

  /// The name for `$x`: a variable of the environment, or the result of the step before.
  private static func variable(_ rest: String) -> String {
    let name = rest.dropFirst().drop { $0 == "{" || $0 == "(" }
      .prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    switch name {
    case "json", "node", "_":
      return "the result of the step before is `it`, and another one has the name in its `as:`"
    case "" where rest.hasPrefix("$?"):
      return
        "the status of a program with `check: false` is a field of its result: write `it.status`"
    case "": return "write the name alone, without `$` or braces"
    case let number where Int(number) != nil:
      return "write the number or the name alone, without `$`"
    default:
      return name.contains(where: \.isLowercase)
        ? "write the name alone: `\(name)`" : "write `env(\"\(name)\")`"
    }
  }

  /// Rewrites a text in backticks with `${x}` in it as parts joined by `+`.
  static func backticks(at start: Int, in text: [UInt8]) -> String {
    let rest = text[(start + 1)...]
    let inner = String(
      decoding: rest[..<(rest.firstIndex(of: UInt8(ascii: "`")) ?? rest.endIndex)], as: UTF8.self)
    return line(joined(inner, opener: "${")).map { "a text takes quotes: \($0)" }
      ?? "a text takes quotes, \" or '"
  }

  /// The pieces of a text with expressions in braces, joined by `+`.
  static func joined(_ inner: String, opener: String) -> String {
    var parts: [String] = []
    for (index, piece) in inner.splitAtEach(opener).enumerated() {
      let end = index == 0 ? nil : piece.firstIndex(of: "}")
      if let end { parts.append("string(\(piece[..<end]))") }
      let literal = end.map { piece[piece.index(after: $0)...] } ?? piece
      if !literal.isEmpty { parts.append(LiteralText.quoted(String(literal))) }
    }
    return parts.joined(separator: " + ")
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
    let parts = String(decoding: text, as: UTF8.self).splitAtEach("|").map { String($0).trimmed }
    if parts.contains("") { return "use `||` for “or”" }
    var operand = parts[0]
    for call in parts.dropFirst() {
      guard let line = filtered(operand, call) else {
        return "use `||` for “or”; call a function with a dot, as in `x.trim()`"
      }
      operand = line
    }
    return line(operand).map { "there is no filter syntax: \($0)" }
      ?? "use `||` for “or”; call a function with a dot, as in `x.trim()`"
  }

  /// Rewrites one filter of a template as a call; nil if it is unknown.
  private static func filtered(_ operand: String, _ call: String) -> String? {
    let name = String(call.prefix { $0.isLetter || $0 == "_" })
    let arguments = String(call.dropFirst(name.count))
    let given =
      arguments.hasPrefix("(") && arguments.hasSuffix(")")
      ? String(arguments.dropFirst().dropLast()) : ""
    guard !name.isEmpty, arguments.isEmpty || arguments.hasPrefix("(") else { return nil }
    let attribute = given.replacing("attribute=", with: "").filter { $0 != "'" && $0 != "\"" }
    let isName =
      !attribute.isEmpty && attribute.allSatisfy { $0.isLetter || $0.isNumber || $0 == "." }
    return
      switch name
    {
    case "upper", "uppercase", "upcase": "\(operand).changeCase(\"upper\")"
    case "lower", "lowercase", "downcase": "\(operand).changeCase(\"lower\")"
    case "trim", "strip": "\(operand).trim()"
    case "length", "size", "count": "size(\(operand))"
    case "default": "coalesce(\(operand), \(given.isEmpty ? "\"\"" : given))"
    case "join", "split", "replace", "first", "last", "sort", "reverse", "relative", "format":
      "\(operand).\(name)(\(given))"
    case "add": "\(operand).sum()"
    case "ascii_upcase", "ascii_downcase":
      "\(operand).changeCase(\"\(name == "ascii_upcase" ? "upper" : "lower")\")"
    case "to_entries", "dict2items":
      "\(operand).transformList(k, v, {\"key\": k, \"value\": v})"
    case "sort_by" where given == ".": "\(operand).sort()"
    case "sort_by", "group_by":
      "\(operand).\(name == "sort_by" ? "sortBy" : "groupBy")(x, \(path(given)))"
    case "max_by", "min_by":
      "\(operand).sortBy(x, \(path(given))).\(name == "max_by" ? "last" : "first")()"
    case "tostring": "string(\(operand))"
    case "tonumber": "double(\(operand))"
    case "flatten": "\(operand).flatten()"
    case "not": "!(\(operand))"
    case "test" where !given.isEmpty: "\(operand).matches(\(given))"
    case "has" where !given.isEmpty: "\(given) in \(operand)"
    case "as_datetime", "to_datetime": "timestamp(\(operand))"
    case "string", "int", "double": "\(name)(\(operand))"
    case "float": "double(\(operand))"
    case "title", "capitalize":
      "\(operand).changeCase(\"\(name == "title" ? "title" : "sentence")\")"
    case "round" where Int(given).map { (1...9).contains($0) } == true:
      "formatNumber(\(operand), \(given))"
    case "round", "abs": "math.\(name)(\(operand))"
    case "tojson", "to_json", "json": "toJson(\(operand))"
    case "from_json", "fromjson": "parseJson(\(operand))"
    case "urlencode": "\(operand).urlEncode()"
    case "unique", "uniq": "\(operand).distinct()"
    case "sum", "min", "max", "keys", "values", "lines", "words", "slug": "\(operand).\(name)()"
    case "date", "strftime", "timestamp_custom": "\(operand).format(\"yyyy-MM-dd\")"
    case "truncate": "\(operand).truncate(\(given.isEmpty ? "80" : given))"
    case "select",
      "map" where given.contains("select(") || given.hasPrefix("."):
      "\(operand).\(name == "map" && !given.hasPrefix("select(") ? "map" : "filter")(x, \(path(given)))"
    case "map" where isName: "\(operand).map(x, x.\(attribute))"
    case "selectattr" where isName: "\(operand).filter(x, x.\(attribute))"
    case "safe", "escape", "e", "list": operand
    default: nil
    }
  }

  /// Rewrites a condition or a path of jq, in which `.` is the element, over `x`.
  private static func path(_ given: String) -> String {
    var inner = given
    if inner.hasPrefix("select("), inner.hasSuffix(")") {
      inner = String(inner.dropFirst("select(".count).dropLast())
    }
    var result = ""
    var before: Character = " "
    for (index, letter) in inner.enumerated() {
      let next = inner.dropFirst(index + 1).first ?? " "
      let isElement =
        letter == "." && !(before.isLetter || before.isNumber || ")]".contains(before))
      result += isElement ? (next.isLetter ? "x." : "x") : String(letter)
      before = letter
    }
    return result
  }

  private static func line(_ text: String) -> String? {
    SyntaxAdvice.corrected(text).map { "write `\($0)`" }
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
