/// A value of the result: the output of an action, a variable, the input, or the item of a loop.
struct Slot {
  /// The preferred name.
  var name: String
  /// Whether the author named it.
  var isNamed = false
  /// Whether its name is fixed by the declaration in a block or of the shortcut.
  var isFixed = false
  /// Whether it is the value of a block.
  var isBlock = false
  /// Whether it is the result of the shortcut.
  var isOutput = false
  /// The unavailable feature that it would need; nil if it is available.
  var missing: String?
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
      if next == .any || kind != nil && kind != next { return .any }
      kind = next
    }
    guard let kind else { return .any }
    if variables.contains(slot), kind != .text, kind != .list { return .any }
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
    case .source(_, let kind): return kind
    case .converted(let conversion, _):
      return switch conversion {
      case .text: .text
      case .number: .number
      case .list: .list
      case .dictionary: .any
      case .date: .date
      case .whole: .integer
      }
    case .list: return .list
    case .dictionary: return .dictionary
    }
  }

  /// The code without redundant conversions.
  func simplified(_ code: Code) -> Code {
    guard case .converted(let conversion, let inner) = code else { return code }
    let simple = simplified(inner)
    let kind = kind(of: simple) ?? .any
    switch (conversion, kind) {
    case (.text, .text), (.number, .number), (.list, .list), (.dictionary, .dictionary),
      (.date, .date), (.whole, .integer):
      return simple
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
