import ErrandKit

/// What a person has typed and marked while choosing among many.
struct ChoiceState {
  /// How many choices there are.
  let count: Int
  /// Whether several may be taken.
  let takesMany: Bool
  private let filter: FuzzyFilter
  /// What was typed to narrow the list.
  private(set) var query = ""
  /// The choices that fit it, the best first.
  private(set) var shown: [Int]
  /// Which of those is highlighted.
  private(set) var highlighted = 0
  /// Those that were marked, in the order in which they were.
  private(set) var marked: [Int] = []

  /// - Parameter texts: What each choice is found by.
  init(_ texts: [String], many: Bool, highlighted: Int = 0) {
    count = texts.count
    takesMany = many
    filter = FuzzyFilter(texts)
    shown = Array(texts.indices)
    self.highlighted = texts.indices.contains(highlighted) ? highlighted : 0
  }

  /// What a key comes to.
  enum Step: Equatable {
    case goesOn
    /// The positions taken.
    case taken([Int])
    case left
    case interrupted
  }

  /// Takes a key.
  ///
  /// - Parameter page: How many choices are seen at once.
  mutating func take(_ key: Key, page: Int) -> Step {
    switch key {
    case .character(let character): narrow(query + String(character))
    case .backspace: narrow(String(query.dropLast()))
    case .deleteLine: narrow("")
    case .deleteWord:
      var rest = query[...]
      while rest.last == " " { rest.removeLast() }
      while let last = rest.last, last != " " { rest.removeLast() }
      narrow(String(rest))
    case .up: move(by: -1)
    case .down: move(by: 1)
    case .pageUp: move(by: -page)
    case .pageDown: move(by: page)
    case .first: highlighted = 0
    case .last: highlighted = max(0, shown.count - 1)
    case .mark: mark()
    case .markAll:
      if takesMany { marked = marked.count == shown.count ? [] : shown }
    case .enter:
      if !marked.isEmpty { return .taken(marked) }
      if shown.indices.contains(highlighted) { return .taken([shown[highlighted]]) }
    case .leave, .end: return .left
    case .interrupt: return .interrupted
    case .other: break
    }
    return .goesOn
  }

  private mutating func move(by steps: Int) {
    highlighted = min(max(0, highlighted + steps), max(0, shown.count - 1))
  }

  private mutating func mark() {
    guard takesMany, shown.indices.contains(highlighted) else { return }
    let position = shown[highlighted]
    if let index = marked.firstIndex(of: position) {
      marked.remove(at: index)
    } else {
      marked.append(position)
    }
    move(by: 1)
  }

  /// Shows what fits a query; a number is that of a choice first.
  private mutating func narrow(_ query: String) {
    self.query = query
    shown = filter.positions(query)
    if let number = Int(query), (1...max(1, count)).contains(number), count > 0 {
      shown.removeAll { $0 == number - 1 }
      shown.insert(number - 1, at: 0)
    }
    highlighted = 0
  }
}
