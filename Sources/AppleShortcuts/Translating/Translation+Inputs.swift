import CEL

/// The inputs of actions.
extension Translation {
  /// The input of an action: its parameter, or else the previous action's result.
  mutating func given(_ action: ActionTree.Action, _ keys: String...) -> Code {
    for key in keys {
      if action.parameters[key] != nil, let code = value(action.parameters[key]) { return code }
    }
    return last
  }

  /// A parameter as a text.
  mutating func text(_ action: ActionTree.Action, _ key: String, _ standard: String = "") -> Code {
    let code = value(action.parameters[key]) ?? .text(standard)
    return contents(code).asText
  }

  /// The input as a text.
  mutating func givenText(_ action: ActionTree.Action, _ keys: String...) -> Code {
    for key in keys {
      if action.parameters[key] != nil, let code = value(action.parameters[key]) {
        return contents(code).asText
      }
    }
    return contents(last).asText
  }

  /// A parameter as a number.
  mutating func number(_ action: ActionTree.Action, _ key: String, _ standard: Double) -> Code {
    guard let code = value(action.parameters[key]) else { return .number(standard) }
    if case .text("") = code { return .number(standard) }
    return code.asNumber
  }

  /// A parameter as a number, in its simplest form.
  mutating func simpleNumber(
    _ action: ActionTree.Action, _ key: String, _ standard: Double
  ) -> Code {
    // The number may add values to the table and therefore comes first.
    let code = number(action, key, standard).asNumber
    return table.simplified(code)
  }

  /// A parameter as a whole number, in its simplest form.
  mutating func whole(_ action: ActionTree.Action, _ key: String, _ standard: Double) -> Code {
    let code = number(action, key, standard).asWhole
    return table.simplified(code)
  }

  /// A value, with files replaced by their contents, pictures by their names, pages by their texts
  /// and articles by their titles.
  mutating func contents(_ code: Code) -> Code {
    guard case .slot(let slot) = code else { return code }
    switch table.slots[slot].form {
    case .plain: return code
    case .file:
      return local("read-file", FileActions.reading(code.asText), .content, name: "contents")
    case .media: return .cel("\(code.asText).fileName()", .text)
    case .contact: return .cel("contactNames(\(code))", .texts)
    case .html: return .cel("htmlToText(\(code.asText))", .text)
    case .page: return .cel("valueFor(\(code), \"text\")", .any)
    case .article: return .cel("valueFor(\(code), \"title\")", .any)
    }
  }

  /// The leading literal text of a text with embedded values.
  func firstText(_ code: Code, depth: Int = 0) -> String? {
    guard depth < 8 else { return nil }
    switch code {
    case .text(let text): return text
    case .converted(_, let inner): return firstText(inner, depth: depth + 1)
    case .joined(let parts): return parts.first.flatMap { firstText($0, depth: depth + 1) }
    case .slot(let slot) where table.slots[slot].definitions.count == 1:
      return firstText(table.slots[slot].definitions[0], depth: depth + 1)
    default: return nil
    }
  }

  /// A value as an address; for a page or an article, its URL.
  mutating func address(_ code: Code) -> Code {
    switch traits(code)?.form {
    case .page?: .cel("valueFor(\(code), \"canonical\")", .any)
    case .article?: .cel("valueFor(\(code), \"url\")", .any)
    default: code
    }
  }

  /// Whether an action's result is needed raw.
  func isRaw(_ action: ActionTree.Action) -> Bool {
    rawUses.contains(action.uuid ?? "") || rawUses.contains(String(action.index))
  }

  /// Whether an action's result is filtered as files.
  func isListed(_ action: ActionTree.Action) -> Bool {
    listUses.contains(action.uuid ?? "") || listUses.contains(String(action.index))
  }

  /// Whether an expression has the value that it had when a slot was defined.
  func isUnchanged(_ code: Code, since slot: Int) -> Bool {
    if steps.last?.slot == slot { return true }
    var isUnchanged = true
    code.visitSlots { if table.slots[$0].isVariable { isUnchanged = false } }
    return isUnchanged
  }

  /// The type of a value, as far as it is known so far.
  func kind(_ code: Code) -> Code.Kind { table.kind(of: table.simplified(code)) ?? .any }

  mutating func hasOutput(_ id: String, name: String) -> Code {
    .slot(output(id, name: name))
  }
}
