/// Writes expressions in CEL, with the names in scope at one place.
struct CodeWriter {
  let table: SlotTable
  let names: [Int: String]
  /// The slot whose value is `it`.
  var it: Int?
  /// Whether unavailable values are null instead of failures at their uses.
  let skipsMissing: Bool
  /// The slots referred to by name.
  var named: Set<Int> = []

  /// The names of values, which a plain word could be mistaken for.
  private(set) lazy var words = Set(names.values)
  /// The slot of the input of the shortcut.
  var input = -1
  /// Whether a text depends on the form of values in Apple's app.
  var needsForm = false
  /// Whether the input was referred to.
  private(set) var readInput = false

  /// CEL, and whether it needs parentheses as an operand.
  struct Text {
    var cel: String
    var isOperation = false

    init(_ cel: String, isOperation: Bool = false) {
      self.cel = cel
      self.isOperation = isOperation
    }
  }

  mutating func name(_ slot: Int) -> String {
    if slot == input { readInput = true }
    if it == slot, !named.contains(slot) || names[slot] == nil, !table.variables.contains(slot),
      !table.slots[slot].isFixed
    {
      return "it"
    }
    named.insert(slot)
    return names[slot] ?? table.slots[slot].name
  }

  mutating func cel(_ code: Code) -> String { text(code).cel }

  mutating func text(_ code: Code) -> Text {
    // A skipped value is an empty text where a text is wanted.
    if skipsMissing, case .converted(.text, let inner) = code,
      case .slot(let slot) = table.simplified(inner), table.slots[slot].missing != nil,
      table.slots[slot].isInline
    {
      return Text("\"\"")
    }
    switch table.simplified(code) {
    case .text(let text): return Text(Self.literal(text))
    case .int(let number): return Text(String(number), isOperation: number < 0)
    case .number(let number):
      return Text(number.isFinite ? "\(number)" : "0.0", isOperation: number < 0)
    case .flag(let flag): return Text(flag ? "true" : "false")
    case .nothing: return Text("null")
    case .bare(let slot): return Text(table.slots[slot].isInline ? "null" : name(slot))
    case .slot(let slot):
      if let need = table.slots[slot].missing, !skipsMissing {
        let value = table.slots[slot].isInline ? "null" : name(slot)
        return Text("needed(\(value), \(Self.literal(need)))")
      }
      if table.slots[slot].isDecoded { return Text("\(name(slot)).base64()") }
      return Text(table.slots[slot].isInline ? "null" : name(slot))
    case .source(let source, _): return self.source(source)
    case .joined(let parts):
      if parts.isEmpty { return Text("\"\"") }
      let texts = parts.map { operand($0.asText) }
      return Text(texts.joined(separator: " + "), isOperation: texts.count > 1)
    case .converted(let conversion, let inner):
      let kind = table.kind(of: inner) ?? .any
      if conversion == .whole {
        let number = kind == .number ? cel(inner) : cel(inner.asNumber)
        return Text("int(\(number))")
      }
      if conversion == .number, kind == .integer { return Text("double(\(cel(inner)))") }
      if conversion == .text, kind == .integer { return Text("string(\(cel(inner)))") }
      return Text("\(conversion.rawValue)(\(cel(inner)))")
    case .list(let parts): return list(parts)
    case .dictionary(let entries):
      return dictionary(entries)
    }
  }

  /// A map literal; where keys known only at run time may repeat, the last one wins.
  private mutating func dictionary(_ entries: [(key: Code, value: Code)]) -> Text {
    var seen: Set<String> = []
    let computed =
      entries.firstIndex { $0.key.literal.map { !seen.insert($0).inserted } ?? true }
      ?? entries.count
    let plain = entries.prefix(max(computed, 1))
    let texts = plain.map { "\(cel($0.key.asText)): \(cel($0.value))" }
    let rest = entries.dropFirst(plain.count).map {
      ", \(cel($0.key.asText)), \(cel($0.value)))"
    }
    return Text(
      String(repeating: "withKey(", count: rest.count) + "{" + texts.joined(separator: ", ") + "}"
        + rest.joined())
  }

  private mutating func operand(_ code: Code) -> String {
    let text = text(code)
    return text.isOperation ? "(\(text.cel))" : text.cel
  }

  /// A list expression: brackets around single items, concatenated with the parts that may be
  /// lists.
  private mutating func list(_ parts: [Code]) -> Text {
    if parts.isEmpty { return Text("toList(null)") }
    var texts: [String] = []
    var items: [String] = []
    for part in parts {
      if (table.kind(of: part) ?? .any).isSingle {
        items.append(cel(part))
      } else {
        if !items.isEmpty { texts.append("[" + items.joined(separator: ", ") + "]") }
        items = []
        texts.append(operand(part.asList))
      }
    }
    if !items.isEmpty || texts.isEmpty { texts.append("[" + items.joined(separator: ", ") + "]") }
    return Text(texts.joined(separator: " + "), isOperation: texts.count > 1)
  }

  /// A source with its embedded expressions, which get parentheses unless they are a whole
  /// argument.
  private mutating func source(_ source: Code.Source) -> Text {
    if let slot = table.decoded(source) { return Text(name(slot)) }
    if let (slot, path) = table.member(source) { return Text("\(name(slot)).\(path)") }
    var result = ""
    for (index, piece) in source.pieces.enumerated() {
      switch piece {
      case .raw(let raw): result += raw
      case .code(let given):
        // Functions of dictionaries take any value.
        let takesAny = ["valueFor(", "keysOf(", "valuesOf(", "withKey("].contains {
          result.hasSuffix($0)
        }
        let code = takesAny ? table.simplified(given).withoutDictionary.withoutText : given
        let text = text(code)
        var isAlone =
          index == 0
          ? source.pieces.count == 1
          : "([,{:".utf8.contains(result.utf8.last { $0 != 0x20 } ?? 0x78)
        if index + 1 < source.pieces.count {
          if case .raw(let next) = source.pieces[index + 1], let first = next.utf8.first {
            isAlone = isAlone && ")],}".utf8.contains(first)
          } else {
            isAlone = false
          }
        }
        result += text.isOperation && !isAlone ? "(\(text.cel))" : text.cel
      }
    }
    let outer = source.pieces.contains { piece in
      if case .raw(let raw) = piece { Self.hasOperator(raw) } else { false }
    }
    return Text(result, isOperation: outer || result.hasPrefix("!"))
  }

  /// Whether CEL has an operator between spaces.
  private static func hasOperator(_ cel: String) -> Bool {
    var cel = cel
    return cel.withUTF8 { bytes in
      let signs = "+-*/%=!<>&|?".utf8
      var place = 0
      while place + 2 < bytes.count {
        if bytes[place] == 0x20, signs.contains(bytes[place + 1]) {
          if bytes[place + 2] == 0x20 { return true }
          if place + 3 < bytes.count, bytes[place + 3] == 0x20, signs.contains(bytes[place + 2]) {
            return true
          }
        }
        place += 1
      }
      return false
    }
  }

  /// A text as a literal of CEL.
  static func literal(_ text: String) -> String { YAMLText.quoted(text, hidesBraces: true) }
}
