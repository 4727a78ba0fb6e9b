/// A value of the result: the output of an action, a variable, the input, or the item of a loop.
struct Slot {
  /// The preferred name.
  var name: String
  /// Whether the author named it.
  var isNamed = false
  /// Whether it is a variable of the author.
  var isVariable = false
  /// Whether its name is fixed by the declaration in a block or of the shortcut.
  var isFixed = false
  /// Whether it is the value of a block.
  var isBlock = false
  /// Whether it is the bytes that its text in Base64 decodes to.
  var isDecoded = false
  /// Whether it is a dictionary that begins empty.
  var isMap = false
  /// Whether it is a constant that is declared before the steps.
  var isConstant = false
  /// Whether it is the result of the shortcut.
  var isOutput = false
  /// The unavailable feature that it would need; nil if it is available.
  var missing: String?
  /// Whether an unavailable value is written where it is used.
  var isInline = false
  /// The text in which its matches are found.
  var matchedText: Code?
  /// The possible values.
  var definitions: [Code] = []
  /// The pattern whose matches it holds.
  var pattern: Code?
  /// The name given to the item.
  var itemName: Code?
  /// The kind of thing it represents.
  var form = Form.plain

  /// The kinds of things that a value can represent.
  enum Form {
    /// The value itself.
    case plain
    /// A file with text, by its path.
    case file
    /// A picture, sound, document or archive, by its path.
    case media
    /// Rich text, as HTML.
    case html
    /// A web page, with its metadata and text.
    case page
    /// An article of a feed.
    case article
    /// Contacts, as vCards.
    case contact
  }

  /// Whether it is a path to a file.
  var isFile: Bool { form == .file || form == .media }

  init(_ name: String) { self.name = name }
}

/// The values of a result by number.
struct SlotTable {
  var slots: [Slot] = []
  /// The slots that are assigned more than once, or used outside the block that defines them.
  var variables: Set<Int> = []

  mutating func add(_ slot: Slot) -> Int {
    slots.append(slot)
    return slots.count - 1
  }

  /// The state of a type lookup: the slots on the path, and the number of lookups left.
  private struct Search {
    var path: [Int] = []
    var left = 300
  }

  /// The type of the value of a slot.
  ///
  /// An unset variable is null, except texts and lists, which are declared as empty.
  func kind(ofSlot slot: Int) -> Code.Kind {
    var search = Search()
    return kind(ofSlot: slot, &search)
  }

  /// The type of an expression.
  func kind(of code: Code) -> Code.Kind? {
    var search = Search()
    return kind(of: code, &search)
  }

  private func kind(ofSlot slot: Int, _ search: inout Search) -> Code.Kind {
    search.left -= 1
    if slots[slot].missing != nil || search.left < 0 { return .any }
    search.path.append(slot)
    defer { search.path.removeLast() }
    var kind: Code.Kind?
    for definition in slots[slot].definitions {
      guard let next = self.kind(of: definition, &search) else { continue }
      if next == .nothing, variables.contains(slot) { continue }
      if next == .any { return .any }
      switch (kind, next) {
      case (nil, _): kind = next
      case (let known?, _) where known == next: break
      case (.list?, .texts), (.texts?, .list): kind = .list
      case (.text?, .content), (.content?, .text): kind = .content
      default: return .any
      }
    }
    guard let kind else { return .any }
    if variables.contains(slot), kind != .text, !kind.isList { return .any }
    return kind
  }

  /// The type of an expression; nil inside a recursive definition.
  private func kind(of code: Code, _ search: inout Search) -> Code.Kind? {
    switch code {
    case .text, .joined: return .text
    case .int: return .integer
    case .number: return .number
    case .flag: return .flag
    case .nothing: return .nothing
    case .slot(let slot), .bare(let slot):
      // The length of a chain of values is limited.
      if search.path.contains(slot) { return nil }
      return search.path.count > 20 ? .any : kind(ofSlot: slot, &search)
    case .source(let source, let kind):
      guard kind == .any, let found = entry(source) else { return kind }
      return self.kind(of: found, &search)
    case .converted(let conversion, let inner):
      return switch conversion {
      case .text: .text
      case .number: .number
      case .list: converted(inner, &search)
      case .dictionary: .any
      case .date: .date
      case .whole: .integer
      case .item: item(of: inner, &search)
      }
    case .list(let parts):
      let isOfTexts = parts.allSatisfy { part in
        let kind = kind(of: part, &search)
        return kind == nil || kind == .text || kind == .texts
      }
      return isOfTexts ? .texts : .list
    case .dictionary: return .dictionary
    }
  }

  /// The kind of a list of the items of a value.
  private func converted(_ inner: Code, _ search: inout Search) -> Code.Kind {
    let kind = kind(of: inner, &search)
    return kind == .text || kind == .texts ? .texts : .list
  }

  /// The kind of the items of a list.
  private func item(of list: Code, _ search: inout Search) -> Code.Kind {
    let kind = kind(of: list, &search) ?? .any
    return kind == .texts ? .text : kind.isSingle ? kind : .any
  }

  /// The constant dictionary of a slot.
  private func dictionary(_ slot: Int) -> [(key: Code, value: Code)]? {
    guard !variables.contains(slot), slots[slot].definitions.count == 1,
      case .dictionary(let entries) = slots[slot].definitions[0]
    else { return nil }
    return entries
  }

  /// The dictionary and the constant key of a lookup.
  private func lookup(_ source: Code.Source) -> (dictionary: Code, key: String)? {
    let pieces = source.pieces
    guard pieces.count == 5, case .raw("valueFor(") = pieces[0], case .code(let map) = pieces[1],
      case .raw(", ") = pieces[2], case .code(let key) = pieces[3], case .raw(")") = pieces[4],
      let key = key.literal
    else { return nil }
    return (simplified(map).withoutDictionary, key)
  }

  /// The entry of a dictionary literal that a lookup names.
  private func entry(_ source: Code.Source) -> Code? {
    guard let (map, key) = lookup(source) else { return nil }
    let entries: [(key: Code, value: Code)]?
    switch map {
    case .slot(let slot), .bare(let slot): entries = dictionary(slot)
    case .dictionary(let own): entries = own
    default: entries = nil
    }
    return entries?.first { $0.key.literal == key }?.value
  }

  /// The slot and the key of a lookup in a constant dictionary that has the key.
  func member(_ source: Code.Source) -> (slot: Int, key: String)? {
    guard let (map, key) = lookup(source), case .slot(let slot) = map, entry(source) != nil,
      key.first?.isLetter == true, key.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }),
      !Self.reserved.contains(key)
    else { return nil }
    return (slot, key)
  }

  /// The slot of bytes whose text in Base64 is decoded.
  func decoded(_ source: Code.Source) -> Int? {
    guard source.pieces.count == 3, case .raw("fromBase64(") = source.pieces[0],
      case .code(let code) = source.pieces[1], case .raw(")") = source.pieces[2],
      case .slot(let slot) = simplified(code), slots[slot].isDecoded
    else { return nil }
    return slot
  }

  /// The words that cannot be selected in CEL.
  private static let reserved: Set = [
    "in", "as", "break", "const", "continue", "else", "false", "for", "function", "if", "import",
    "let", "loop", "null", "package", "namespace", "return", "true", "var", "void", "while",
  ]

  /// Whether a value is absent here, so that its use fails.
  func isMissing(_ code: Code) -> Bool {
    if case .slot(let slot) = code { slots[slot].missing != nil } else { false }
  }

  /// The code without redundant conversions.
  func simplified(_ code: Code) -> Code {
    guard case .converted(let conversion, let inner) = code else { return code }
    let simple = simplified(inner)
    let kind = kind(of: simple) ?? .any
    switch (conversion, kind) {
    case (.text, .text), (.number, .number), (.list, .list), (.list, .texts),
      (.dictionary, .dictionary), (.date, .date), (.whole, .integer):
      return simple
    case (.text, .texts):
      if case .list(let parts) = simple, parts.allSatisfy({ self.kind(of: $0) == .text }) {
        var joined: [Code] = []
        for part in parts { joined += joined.isEmpty ? [part] : [.text("\n"), part] }
        if joined.isEmpty { return .text("") }
        return joined.count == 1 ? joined[0] : .joined(joined)
      }
      return .cel("\(simple).join(\"\\n\")", .text)
    case (.text, _) where isMissing(simple): return simple
    case (.number, _), (.whole, _), (.date, _):
      // What reads a number or a date from a text reads it from any value.
      if case .converted(.text, let value) = simple {
        return simplified(.converted(conversion, value))
      }
    case (.text, .nothing): return .text("")
    case (.list, .nothing): return .list([])
    case (.list, let kind) where kind.isSingle: return .list([simple])
    default: break
    }
    switch (conversion, simple) {
    case (.text, .int(let number)): return .text(String(number))
    case (.number, .int(let number)): return .number(Double(number))
    case (.whole, .number(let number)) where number.magnitude < 1e15: return .int(Int64(number))
    case (.whole, .number(let number)): return .int(number < 0 ? -1_000_000_000 : 1_000_000_000)
    case (.number, .text(let text)), (.whole, .text(let text)):
      if let number = Int64(text), number.magnitude < 1 << 53 {
        return conversion == .whole ? .int(number) : .number(Double(number))
      }
      if conversion == .number, text.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }),
        let number = Double(text)
      {
        return .number(number)
      }
      if text.isEmpty { return conversion == .whole ? .int(0) : .number(0) }
    default: break
    }
    return .converted(conversion, simple)
  }
}
