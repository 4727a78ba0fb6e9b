/// Attempts at the expression that was meant by a loop or a sort of another language; nil where it does not
/// apply.
extension SyntaxAdvice {
  /// `f(e for x in l if c)` rewritten as `f(l.map(x, c, e))`.
  var withGenerator: String? {
    guard let loop = position(of: "for"), let name = word(loop + 1), tokens.count > loop + 3,
      tokens[loop + 2].kind == .keyword
    else { return nil }
    var depth = 0
    let open = tokens.indices.prefix(loop).last { index in
      if isSymbol(index, .closeParenthesis) { depth += 1 }
      if isSymbol(index, .openParenthesis) { depth -= 1 }
      return depth < 0
    }
    depth = 0
    let close = tokens.indices.dropFirst(loop).first { index in
      if isSymbol(index, .openParenthesis) { depth += 1 }
      if isSymbol(index, .closeParenthesis) { depth -= 1 }
      return depth < 0
    }
    guard let open, let close, let element = between(open, loop) else { return nil }
    let test = position(of: "if", from: loop).flatMap { $0 < close ? $0 : nil }
    guard let list = between(loop + 2, test ?? close) else { return nil }
    let condition = test.flatMap { between($0, close) }
    let inner: String
    let function = open > 0 ? word(open - 1) : nil
    let start: Int
    if condition == nil, let here = ["any": "exists", "all": "all"][function ?? ""] {
      inner = "\(list).\(here)(\(name), \(element))"
      start = tokens[open - 1].range.lowerBound
      return spelling(0..<start) + inner + spelling(tokens[close].range.upperBound..<text.count)
    }
    inner = "\(list).map(\(name), \(condition.map { "\($0), " } ?? "")\(element))"
    start = tokens[open].range.upperBound
    return spelling(0..<start) + inner + spelling(tokens[close].range.lowerBound..<text.count)
  }

  /// `"%s" % (a, b)` rewritten as `"%s".format([a, b])`.
  var withTuple: String? {
    rewritten { index in
      guard tokens[index].kind == .string, isSymbol(index + 1, .percent),
        isSymbol(index + 2, .openParenthesis)
      else { return nil }
      var depth = 0
      for end in tokens.indices[(index + 2)...] {
        if isSymbol(end, .openParenthesis) { depth += 1 }
        if isSymbol(end, .closeParenthesis) { depth -= 1 }
        guard depth == 0, let inner = between(index + 2, end) else { continue }
        return ("\(spelling(tokens[index].range)).format([\(inner)])", tokens[end].range.upperBound)
      }
      return nil
    }
  }

  /// `CASE WHEN c THEN a ELSE b END` rewritten as `c ? a : b`, `c ? a` with `null`, and `5.` as `5.0`.
  var withOtherHalf: String? {
    let line = String(decoding: text, as: UTF8.self).trimmed
    if line.hasSuffix("."), line.dropLast().last?.isNumber == true { return line + "0" }
    let words = tokens.indices.map { word($0)?.uppercased() ?? "" }
    if let when = words.firstIndex(of: "WHEN"), let then = words.firstIndex(of: "THEN"),
      let test = between(when, then)
    {
      let end = words.lastIndex(of: "END") ?? tokens.count
      let other = words.firstIndex(of: "ELSE")
      guard let value = between(then, other ?? end) else { return nil }
      return "\(test) ? \(value) : \(other.flatMap { between($0, end) } ?? "null")"
    }
    if let test = tokens.indices.first(where: { isSymbol($0, .question) }),
      !tokens.indices.contains(where: { isSymbol($0, .colon) }),
      tokens.indices.contains(test + 1), !isSymbol(test + 1, .dot)
    {
      return line + " : null"
    }
    if let test = words.firstIndex(of: "IF"), test > 0, !words.contains("ELSE"),
      let value = between(-1, test), let condition = between(test, tokens.count)
    {
      return "\(condition) ? \(value) : null"
    }
    return nil
  }

  /// `"a" "b"` rewritten as `"a" + "b"`.
  var withJoinedTexts: String? {
    rewritten { index in
      guard tokens[index].kind == .string, tokens.indices.contains(index + 1),
        tokens[index + 1].kind == .string
      else { return nil }
      return ("\(spelling(tokens[index].range)) + ", tokens[index + 1].range.lowerBound)
    }
  }

  /// `function(x) { return e }` rewritten as `x, e`.
  static func withoutFunction(_ text: String) -> String? {
    guard let word = text.firstRange(of: "function"), let open = text.firstRange(of: "{"),
      let close = text.lastIndex(of: "}"), word.upperBound < open.lowerBound,
      open.upperBound < close
    else { return nil }
    let names = String(text[word.upperBound..<open.lowerBound]).filter { !"() ".contains($0) }
    var body = String(text[open.upperBound..<close]).trimmed
    if body.hasPrefix("return ") { body = String(body.dropFirst("return ".count)) }
    if body.hasSuffix(";") { body.removeLast() }
    guard !names.isEmpty else { return nil }
    return text[..<word.lowerBound] + "\(names), \(body)" + text[text.index(after: close)...]
  }

  /// `timedelta(hours=2, minutes=5)` rewritten as `(hours(2) + minutes(5))`.
  static func withoutTimedelta(_ text: String) -> String? {
    guard
      let word = ["timedelta(", "relativedelta("].lazy.compactMap({ text.firstRange(of: $0) })
        .first,
      let close = text[word.upperBound...].firstIndex(of: ")")
    else { return nil }
    let lengths = text[word.upperBound..<close].split(separator: ",").compactMap {
      part -> String? in
      let sides = part.split(separator: "=").map { String($0).trimmed }
      guard sides.count == 2 else { return nil }
      switch sides[0] {
      case "days", "hours", "minutes": return "\(sides[0])(\(sides[1]))"
      case "weeks": return Int(sides[1]).map { "days(\($0 * 7))" }
      case "seconds": return "duration(\"\(sides[1])s\")"
      default: return nil
      }
    }
    guard !lengths.isEmpty else { return nil }
    let sum = lengths.count == 1 ? lengths[0] : "(\(lengths.joined(separator: " + ")))"
    return text[..<word.lowerBound] + sum + text[text.index(after: close)...]
  }

  /// `DATE_ADD(d, INTERVAL 3 DAY)` and `d + INTERVAL '1 day'` rewritten as `d + days(3)`.
  var withInterval: String? {
    guard let interval = tokens.indices.first(where: { word($0)?.uppercased() == "INTERVAL" }),
      tokens.indices.contains(interval + 1)
    else { return nil }
    let rest = spelling(tokens[interval + 1].range.lowerBound..<text.count)
    let parts = rest.split { " '\")".contains($0) }.map(String.init)
    guard parts.count >= 2, let count = Int(parts[0]) else { return nil }
    var unit = parts[1].lowercased()
    if !unit.hasSuffix("s") { unit += "s" }
    guard
      let length = [
        "days": "days(\(count))", "hours": "hours(\(count))", "minutes": "minutes(\(count))",
        "weeks": "days(\(count * 7))",
      ][unit]
    else { return nil }
    if let name = word(0)?.uppercased(), name.hasPrefix("DATE"), let day = between(1, interval - 1)
    {
      return "\(day) \(name.contains("SUB") ? "-" : "+") \(length)"
    }
    return between(-1, interval).map { "\($0) \(length)" }
  }

  /// `[ -z "$x" ]` rewritten as `x == ""`.
  package static func condition(ofTest line: String) -> String? {
    let words = line.split { " []\"'".contains($0) }.map { $0.filter { !"${}".contains($0) } }
    guard line.hasPrefix("["), words.count == 2 else { return nil }
    switch words[0] {
    case "-z": return "\(words[1]) == \"\""
    case "-n": return "\(words[1]) != \"\""
    default: return nil
    }
  }

  /// `new Date()` rewritten as `now()`, and `new X` as `X`.
  var withoutNew: String? {
    rewritten { index in
      guard word(index) == "new", tokens.indices.contains(index + 1) else { return nil }
      guard ["Date", "DateTime"].contains(word(index + 1)) else {
        return ("", tokens[index + 1].range.lowerBound)
      }
      let isEmpty =
        isSymbol(index + 2, .openParenthesis) && isSymbol(index + 3, .closeParenthesis)
      return isEmpty
        ? ("now()", tokens[index + 3].range.upperBound)
        : ("timestamp", tokens[index + 1].range.upperBound)
    }
  }

  /// `a?.b ?? c` rewritten as `a.?b.orValue(c)`.
  var withOptionalDefault: String? {
    guard let index = tokens.indices.first(where: { isPair($0, "??") }),
      let first = between(-1, index), let second = between(index + 1, tokens.count),
      first.contains("?.")
    else { return nil }
    return "\(first.replacing("?.", with: ".?")).orValue(\(second))"
  }

  /// `l.sort((a, b) => a.n - b.n)` rewritten as `l.sortBy(x, x.n)`.
  static func withoutComparator(_ text: String) -> String? {
    guard let call = text.firstRange(of: ".sort("), let arrow = text.firstRange(of: "=>"),
      call.upperBound < arrow.lowerBound, let close = text.lastIndex(of: ")"),
      arrow.upperBound < close
    else { return nil }
    let names = text[call.upperBound..<arrow.lowerBound].split { "(), ".contains($0) }
      .map(String.init)
    let body = String(text[arrow.upperBound..<close]).trimmed
    guard names.count == 2 else { return nil }
    var sides = body.split(separator: "-", maxSplits: 1).map { String($0).trimmed }
    if sides.count == 1, let compare = body.firstRange(of: ".localeCompare(") {
      sides = [
        String(body[..<compare.lowerBound]), String(body[compare.upperBound...].dropLast()),
      ]
    }
    guard sides.count == 2 else { return nil }
    let isReversed = sides[0].hasPrefix(names[1])
    let (first, second) = isReversed ? (sides[1], sides[0]) : (sides[0], sides[1])
    guard first.hasPrefix(names[0]), second.hasPrefix(names[1]),
      first.dropFirst(names[0].count) == second.dropFirst(names[1].count)
    else { return nil }
    let sorted = first == names[0] ? ".sort()" : ".sortBy(\(names[0]), \(first))"
    return text[..<call.lowerBound] + sorted + (isReversed ? ".reverse()" : "")
      + text[text.index(after: close)...]
  }

  /// `sorted(l, key=lambda x: x.n, reverse=True)` rewritten as `l.sortBy(x, x.n).reverse()`.
  static func withoutSorted(_ text: String) -> String? {
    guard let call = text.firstRange(of: "sorted("), let close = text.lastIndex(of: ")"),
      call.upperBound < close
    else { return nil }
    var depth = 0
    let arguments = text[call.upperBound..<close].split { letter in
      if "([{".contains(letter) { depth += 1 }
      if ")]}".contains(letter) { depth -= 1 }
      return letter == "," && depth == 0
    }.map { String($0).trimmed }
    guard let list = arguments.first, arguments.count > 1 else { return nil }
    var sorted = ".sort()"
    var end = ""
    for argument in arguments.dropFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1).map { String($0).trimmed }
      guard parts.count == 2 else { return nil }
      switch parts[0] {
      case "reverse": end = parts[1] == "False" ? "" : ".reverse()"
      case "key" where parts[1].hasPrefix("lambda "):
        let lambda = parts[1].dropFirst("lambda ".count).split(separator: ":", maxSplits: 1)
        guard lambda.count == 2 else { return nil }
        sorted = ".sortBy(\(String(lambda[0]).trimmed), \(String(lambda[1]).trimmed))"
      default: return nil
      }
    }
    return text[..<call.lowerBound] + list + sorted + end + text[text.index(after: close)...]
  }
}
