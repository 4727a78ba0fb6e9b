/// Matches one form of a sentence with programs; its finds of lists are shared by all of them.
final class PhraseMatcher {
  /// The order of matches: fewer wildcards, then more literal scalars, then shorter wildcards.
  struct Score: Comparable {
    var wildcards = 0
    var literal = 0
    var open = 0

    static func < (left: Score, right: Score) -> Bool {
      (left.wildcards, -left.literal, left.open) < (right.wildcards, -right.literal, right.open)
    }
  }

  /// The slots of a match, last one first.
  final class Slots {
    let slot: Int
    let value: PhraseValue
    let previous: Slots?

    init(_ slot: Int, _ value: PhraseValue, _ previous: Slots?) {
      (self.slot, self.value, self.previous) = (slot, value, previous)
    }
  }

  /// A place in a program and in the sentence.
  private struct State {
    var instruction: Int
    var position: Int
    var word: Word
    /// Whether the word was reached through a hyphen, so that it does not count.
    var isUncounted = false
    /// Whether a wildcard was matched last.
    var isAfterWildcard = false

    /// A number of its own for each state, in a sentence of a length.
    func key(_ length: Int) -> Int {
      ((instruction * (length + 1) + position) << 5) | Int(word.rawValue) << 2
        | (isUncounted ? 2 : 0) | (isAfterWildcard ? 1 : 0)
    }
  }

  /// The place in a word.
  private enum Word: UInt8, Hashable {
    case inside, start, afterApostrophe
    /// After a value of a list or digits, where a space may be missing.
    case afterValue
    /// After a wildcard that ends with a word.
    case afterWildcard
  }

  /// A find of a list: the position after it, and its value.
  private struct Find {
    let end: Int
    let value: PhraseValue
    /// Whether a word goes on after it, as after a number word.
    let isInside: Bool
    let literal: Int
  }

  private let sentence: PhraseSentence
  private let pairs: Set<UInt64>
  private let book: PhraseBook
  private var finds: [Int: [Find]] = [:]

  init(_ sentence: PhraseSentence, _ book: PhraseBook) {
    (self.sentence, self.book) = (sentence, book)
    pairs = sentence.pairs
  }

  private var text: [Unicode.Scalar] { sentence.folded }

  /// The best match of a template; nil if it does not match.
  func match(_ program: PhraseProgram) -> (score: Score, slots: Slots?)? {
    guard program.needs.allSatisfy({ $0.contains(where: pairs.contains) }) else { return nil }
    var best: (score: Score, slots: Slots?)?
    run(program, from: 0) { position, _, score, slots in
      guard position == self.text.count, best.map({ score < $0.score }) ?? true else { return }
      best = (score, slots)
    }
    return best
  }

  /// Runs a program from a position; calls `found` at each end with the best score there.
  private func run(
    _ program: PhraseProgram, from start: Int,
    _ found: (_ position: Int, _ value: Int, Score, Slots?) -> Void
  ) {
    let length = text.count
    var known: [Int: Score] = [:]
    var queue: [(state: State, score: Score, slots: Slots?)] = []
    func push(_ state: State, _ score: Score, _ slots: Slots?) {
      let key = state.key(length)
      if let former = known[key], former <= score { return }
      known[key] = score
      queue.append((state, score, slots))
    }
    push(State(instruction: 0, position: start, word: .start), Score(), nil)
    while let (state, score, slots) = queue.popLast() {
      if let better = known[state.key(length)], better < score { continue }
      var next = state
      switch program.code[state.instruction] {
      case .match(let value): found(state.position, value, score, slots)
      case .jump(let target):
        next.instruction = target
        push(next, score, slots)
      case .split(let targets):
        for target in targets {
          next.instruction = target
          push(next, score, slots)
        }
      case .space:
        next.instruction += 1
        step(over: state, next, score, slots, push)
      case .scalar(let scalar):
        if [.start, .afterValue, .afterWildcard].contains(state.word) {
          while next.position < text.count, text[next.position] == " " {
            next.position += 1
            next.isUncounted = false
          }
        }
        if state.word == .afterValue, next.position < text.count, text[next.position] != scalar,
          text[next.position] == "-" || text[next.position] == "_"
        {
          next.position += 1
          next.isUncounted = true
        }
        guard next.position < text.count, text[next.position] == scalar else { continue }
        next.instruction += 1
        next.position += 1
        next.word = scalar == "'" ? .afterApostrophe : .inside
        next.isAfterWildcard = false
        var score = score
        if !next.isUncounted { score.literal += 1 }
        push(next, score, slots)
      case .list(let number, let slot):
        next.instruction += 1
        if book.isWildcard(number) {
          open(number, slot, state, next, score, slots, push)
        } else {
          for find in find(number, at: state.position, isJoined: state.word == .inside) {
            next.position = find.end
            next.word = find.isInside ? .inside : .afterValue
            next.isUncounted = false
            next.isAfterWildcard = false
            var score = score
            if !state.isUncounted { score.literal += find.literal }
            push(next, score, slot.map { Slots($0, find.value, slots) } ?? slots)
          }
        }
      }
    }
  }

  /// Goes over a space of a template.
  private func step(
    over state: State, _ after: State, _ score: Score, _ slots: Slots?,
    _ push: (State, Score, Slots?) -> Void
  ) {
    var next = after
    next.word = .start
    if state.word == .start || state.position == text.count { return push(next, score, slots) }
    // The space stays optional; a hyphen may stand for it.
    if state.word == .afterValue {
      next.word = .afterValue
      return push(next, score, slots)
    }
    switch text[state.position] {
    case " ":
      next.position += 1
      next.isUncounted = false
      push(next, score, slots)
    case "-", "_":
      next.position += 1
      next.isUncounted = true
      push(next, score, slots)
    default: if state.word == .afterApostrophe { push(next, score, slots) }
    }
  }

  /// Matches a wildcard: a scalar or more.
  private func open(
    _ number: Int, _ slot: Int?, _ state: State, _ after: State, _ score: Score, _ slots: Slots?,
    _ push: (State, Score, Slots?) -> Void
  ) {
    guard !state.isAfterWildcard else { return }
    var start = state.position
    while start < text.count, text[start] == " " { start += 1 }
    var next = after
    next.word = .inside
    next.isUncounted = false
    next.isAfterWildcard = true
    var end = start
    while end < text.count {
      end += 1
      if text[end - 1] == " " { continue }
      next.position = end
      next.word = end < text.count && text[end] == " " ? .afterWildcard : .inside
      var score = score
      score.wildcards += 1
      score.open += end - start
      let words = String(String.UnicodeScalarView(sentence.original[start..<end]))
      push(next, score, slot.map { Slots($0, .words(words), slots) } ?? slots)
    }
  }

  // MARK: Lists

  /// The finds of a list at a position, each end once.
  ///
  /// - Parameter isJoined: Whether it is joined to a word before it; only numbers may then stand
  ///   behind a space.
  private func find(_ number: Int, at position: Int, isJoined: Bool) -> [Find] {
    if isJoined, position < text.count, text[position] == " ",
      case .program = book.content(number)
    {
      return []
    }
    let key = number * (text.count + 1) + position
    if let known = finds[key] { return known }
    var start = position
    while start < text.count, text[start] == " " { start += 1 }
    var found: [Find] = []
    switch book.content(number) {
    case .program(let program):
      // Values with other words than the sentence need no look.
      guard start < text.count else { break }
      var values: [Int: Int] = [:]
      run(program, from: start) { end, value, _, _ in
        if end > start { values[end] = min(values[end] ?? value, value) }
      }
      found = values.map {
        Find(end: $0, value: .listed(list: book.listNames[number], $1), isInside: false, literal: 0)
      }
    case .range(let range): found = numbers(of: range, at: start)
    case .read(let accepts): found = read(accepts, at: start)
    case .wildcard: break
    }
    finds[key] = found
    return found
  }

  /// The maximum number of words of a value that is read.
  private static let longestValue = 8

  private func read(_ accepts: (String) -> Bool, at start: Int) -> [Find] {
    var found: [Find] = []
    var words = 0
    for end in start..<text.count where end + 1 == text.count || text[end + 1] == " " {
      words += 1
      guard words <= Self.longestValue else { break }
      let value = String(String.UnicodeScalarView(sentence.original[start...end]))
      if accepts(value) {
        found.append(Find(end: end + 1, value: .words(value), isInside: false, literal: 0))
      }
    }
    return found
  }

  private func numbers(of range: PhraseList.Range, at start: Int) -> [Find] {
    var found: [Find] = []
    if let (number, end) = digits(at: start, hasFractions: range.fractions != .none),
      let value = range.value(of: number)
    {
      found.append(Find(end: end, value: .number(value), isInside: false, literal: 0))
    }
    for (number, end, literal) in book.numberWords.matches(in: text, at: start) {
      guard let value = range.value(of: number) else { continue }
      found.append(Find(end: end, value: .number(value), isInside: true, literal: literal))
    }
    return found
  }

  /// A whole number in digits at a position, with its fraction if it may have one.
  private func digits(at start: Int, hasFractions: Bool) -> (Double, Int)? {
    func isDigit(_ index: Int) -> Bool {
      text.indices.contains(index) && (0x30...0x39).contains(text[index].value)
    }
    var end = start
    if end < text.count, text[end] == "-" { end += 1 }
    guard isDigit(end), !isDigit(start - 1) else { return nil }
    while isDigit(end) { end += 1 }
    var number = String(String.UnicodeScalarView(text[start..<end]))
    if end < text.count, text[end] == "." || text[end] == ",", isDigit(end + 1) {
      guard hasFractions else { return nil }
      let first = end + 1
      end = first
      while isDigit(end) { end += 1 }
      number += "." + String(String.UnicodeScalarView(text[first..<end]))
    }
    return Double(number).map { ($0, end) }
  }
}

/// Spelled numbers, found by their beginnings.
struct NumberWords: Sendable {
  private struct Node {
    var next: [Unicode.Scalar: Int] = [:]
    var number: Double?
  }

  private var nodes = [Node()]

  init(_ words: [String: Double]) {
    for (text, number) in words {
      var current = 0
      for scalar in PhraseSentence.scalars(of: text) {
        if let next = nodes[current].next[scalar] {
          current = next
        } else {
          nodes.append(Node())
          nodes[current].next[scalar] = nodes.count - 1
          current = nodes.count - 1
        }
      }
      nodes[current].number = number
    }
  }

  /// The numbers at a position, with the positions after them and their numbers of scalars.
  func matches(in text: [Unicode.Scalar], at start: Int) -> [(Double, Int, Int)] {
    guard nodes.count > 1 else { return [] }
    var found: [(Double, Int, Int)] = []
    var current = [(node: 0, literal: 0)]
    var position = start
    while position < text.count, !current.isEmpty {
      let scalar = text[position]
      position += 1
      var next: [(node: Int, literal: Int)] = []
      for (node, literal) in current {
        if let target = nodes[node].next[scalar] {
          next.append((target, literal + (scalar == " " ? 0 : 1)))
        }
        // A hyphen of the sentence may stand for a space.
        if scalar == "-" || scalar == "_", let target = nodes[node].next[" "] {
          next.append((target, literal))
        }
      }
      current = next
      for (node, literal) in current {
        if let number = nodes[node].number { found.append((number, position, literal)) }
      }
    }
    return found
  }
}
