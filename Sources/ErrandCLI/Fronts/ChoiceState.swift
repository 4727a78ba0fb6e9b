import ErrandKit

/// State of a choice among many: the query, the highlight and the marks.
struct ChoiceState {
  /// Number of choices.
  let count: Int
  /// Whether several may be chosen.
  let takesMany: Bool
  private let filter: FuzzyFilter
  /// Text typed to narrow the list.
  private(set) var query = ""
  /// Indices of the matching choices, best first.
  private(set) var shown: [Int]
  /// Position of the highlight in `shown`.
  private(set) var highlighted = 0
  /// Marked indices, in the order of marking.
  private(set) var marked: [Int] = []

  /// - Parameter texts: The searchable text of each choice.
  init(_ texts: [String], many: Bool, highlighted: Int = 0) {
    count = texts.count
    takesMany = many
    filter = FuzzyFilter(texts)
    shown = Array(texts.indices)
    self.highlighted = texts.indices.contains(highlighted) ? highlighted : 0
  }

  /// Result of a key press.
  enum Step: Equatable {
    case goesOn
    /// Choice made, with the chosen indices.
    case taken([Int])
    case left
    case interrupted
  }

  /// Handles a key.
  ///
  /// - Parameter page: Number of visible choices.
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

  /// Filters by the query; a number also matches the choice with that number, first.
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
