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
    /// The value; nil for the words of the range.
    let value: PhraseValue?
    /// The scalars of the form of the sentence that it was taken from.
    let range: Range<Int>
    let previous: Slots?

    init(_ slot: Int, _ value: PhraseValue?, _ range: Range<Int>, _ previous: Slots?) {
      (self.slot, self.value, self.range, self.previous) = (slot, value, range, previous)
    }
  }

  /// A match of a template.
  struct Find {
    let score: Score
    let slots: Slots?
  }

  /// A place in a program and in the sentence.
  struct State {
    var instruction: Int
    var position: Int
    var word: Word
    /// Whether the word was reached through a hyphen, so that it does not count.
    var isUncounted = false
    /// Whether a wildcard was matched last.
    var isAfterWildcard = false
    /// Start of the wildcard that is being matched; of two, the one with the better score counts.
    var start = 0

    /// The unique key of the state in a sentence of a given length.
    func key(_ length: Int) -> Int {
      ((instruction * (length + 1) + position) << 5) | Int(word.rawValue) << 2
        | (isUncounted ? 2 : 0) | (isAfterWildcard ? 1 : 0)
    }
  }

  /// The place in a word.
  enum Word: UInt8, Hashable {
    case inside, start, afterApostrophe
    /// After a value of a list or digits, where a space may be missing.
    case afterValue
    /// After a wildcard that ends with a word.
    case afterWildcard
    /// Within a wildcard, which may end here or go on.
    case wild
  }

  /// A state to be processed.
  typealias Entry = (state: State, score: Score, slots: Slots?)

  /// A find of a list: the position after it, and its value.
  struct Listed {
    let end: Int
    let value: PhraseValue
    /// Whether the word may continue after it, as after a number word.
    let isInside: Bool
    let literal: Int
  }

  let sentence: PhraseSentence
  let text: [Unicode.Scalar]
  let book: PhraseBook
  @exclusivity(unchecked) var finds: [Int: [Listed]] = [:]
  /// Tables for runs within runs, of lists.
  @exclusivity(unchecked) private var tables: [StateTable] = []
  /// States by their positions, likewise.
  @exclusivity(unchecked) private var queues: [[[Entry]]] = []
  @exclusivity(unchecked) private var depth = 0

  init(_ sentence: PhraseSentence, _ book: PhraseBook) {
    (self.sentence, self.book) = (sentence, book)
    text = sentence.folded
  }

  /// The best match of a template; nil if it does not match.
  func match(_ program: PhraseProgram) -> Find? {
    var best: Find?
    run(program, from: 0, isWhole: true) { position, _, score, slots in
      guard position == self.text.count, best.map({ score < $0.score }) ?? true else { return }
      best = Find(score: score, slots: slots)
    }
    return best
  }

  /// Runs a program from a position; calls `found` at each end with the best score there.
  ///
  /// States are processed in the order of their positions, so that each has its best score by then
  /// and is processed once.
  ///
  /// - Parameter isWhole: Whether only the end of the sentence is an end.
  /// - Complexity: O(program × sentence).
  func run(
    _ program: PhraseProgram, from start: Int, isWhole: Bool = false,
    _ found: (_ position: Int, _ value: Int, Score, Slots?) -> Void
  ) {
    let length = text.count
    if tables.count <= depth {
      tables.append(StateTable())
      queues.append(Array(repeating: [], count: length + 1))
    }
    let table = tables[depth]
    let level = depth
    depth += 1
    defer { depth -= 1 }
    table.clear()
    var last = start
    func push(_ state: State, _ score: Score, _ slots: Slots?) {
      guard table.improve(state.key(length), score) else { return }
      last = max(last, state.position)
      queues[level][state.position].append((state, score, slots))
    }
    push(State(instruction: 0, position: start, word: .start), Score(), nil)
    var position = start
    while position <= last {
      guard let (first, firstScore, slots) = queues[level][position].popLast() else {
        position += 1
        continue
      }
      if let better = table[first.key(length)], better < firstScore { continue }
      if first.word == .wild {
        goOn(first, score: firstScore, slots: slots, in: program, isWhole: isWhole, push: push)
        continue
      }
      var state = first
      var score = firstScore
      // Runs on to the next place where there are several ways.
      steps: while true {
        switch program.code[state.instruction] {
        case .match(let value):
          found(state.position, value, score, slots)
          break steps
        case .jump(let target): state.instruction = target
        case .split(let start, let end):
          for index in start..<end {
            state.instruction = program.targets[index]
            push(state, score, slots)
          }
          break steps
        case .space:
          var next = state
          next.instruction += 1
          guard let stepped = step(over: state, next) else { break steps }
          state = stepped
        case .scalar(let scalar):
          if state.word == .start || state.word == .afterValue || state.word == .afterWildcard {
            while state.position < length, text[state.position] == " " {
              state.position += 1
              state.isUncounted = false
            }
          }
          if state.word == .afterValue, state.position < length, text[state.position] != scalar,
            text[state.position] == "-" || text[state.position] == "_"
          {
            state.position += 1
            state.isUncounted = true
          }
          guard state.position < length, text[state.position] == scalar else { break steps }
          state.instruction += 1
          state.position += 1
          state.word = scalar == "'" ? .afterApostrophe : .inside
          state.isAfterWildcard = false
          if !state.isUncounted { score.literal += 1 }
        case .list(let number, let slot):
          var next = state
          next.instruction += 1
          if book.isWildcard(number) {
            open(
              state, score, slots, isLast: isWhole && program.endsAfter(state.instruction),
              push: push)
          } else if !isWhole || !program.endsAfter(state.instruction) || mayReachEnd(state, number)
          {
            for find in find(number, at: state.position, isJoined: state.word == .inside) {
              next.position = find.end
              next.word = find.isInside ? .inside : .afterValue
              next.isUncounted = false
              next.isAfterWildcard = false
              var score = score
              if !state.isUncounted { score.literal += find.literal }
              let range = state.position..<find.end
              push(next, score, slot.map { Slots($0, find.value, range, slots) } ?? slots)
            }
          }
          break steps
        }
      }
    }
  }

  /// Goes over a space of a template; nil if the sentence has none here.
  private func step(over state: State, _ after: State) -> State? {
    var next = after
    next.word = .start
    if state.word == .start || state.position == text.count { return next }
    // The space stays optional; a hyphen may stand for it.
    if state.word == .afterValue {
      next.word = .afterValue
      return next
    }
    switch text[state.position] {
    case " ":
      next.position += 1
      next.isUncounted = false
      return next
    case "-", "_":
      next.position += 1
      next.isUncounted = true
      return next
    default: return state.word == .afterApostrophe ? next : nil
    }
  }

  /// Begins a wildcard: a scalar or more.
  ///
  /// - Parameter isLast: Whether it takes all that is left.
  private func open(
    _ state: State, _ score: Score, _ slots: Slots?, isLast: Bool,
    push: (State, Score, Slots?) -> Void
  ) {
    guard !state.isAfterWildcard else { return }
    var next = state
    while next.position < text.count, text[next.position] == " " { next.position += 1 }
    guard next.position < text.count, !isParticle(at: next.position) else { return }
    next.start = next.position
    next.position = isLast ? text.count : next.start + 1
    next.word = .wild
    next.isUncounted = false
    var score = score
    score.wildcards += 1
    score.open += next.position - next.start
    push(next, score, slots)
  }

  /// Ends a wildcard where the next part may follow, and also extends it by a scalar.
  private func goOn(
    _ state: State, score: Score, slots: Slots?, in program: PhraseProgram, isWhole: Bool,
    push: (State, Score, Slots?) -> Void
  ) {
    let end = state.position
    if text[end - 1] != " ",
      case .list(_, let slot) = program.code[state.instruction],
      mayFollow(program, state.instruction + 1, at: end, isWhole)
    {
      var next = state
      next.instruction += 1
      next.start = 0
      next.word = end < text.count && text[end] == " " ? .afterWildcard : .inside
      next.isAfterWildcard = true
      push(next, score, slot.map { Slots($0, nil, state.start..<end, slots) } ?? slots)
    }
    guard end < text.count else { return }
    var next = state
    next.position += 1
    var score = score
    score.open += 1
    push(next, score, slots)
  }

  /// Whether an instruction may go on after a wildcard that ends at a position.
  private func mayFollow(
    _ program: PhraseProgram, _ instruction: Int, at end: Int, _ isWhole: Bool
  ) -> Bool {
    switch program.code[instruction] {
    case .match: return !isWhole || end == text.count
    case .jump(let target): return mayFollow(program, target, at: end, isWhole)
    case .space: return end == text.count || " -_".unicodeScalars.contains(text[end])
    case .scalar(let scalar):
      return text[end...].first { $0 != " " } == scalar
    case .split, .list: return true
    }
  }

  /// Whether a sign clings to the word before it, as を does, and begins no text.
  ///
  /// A word may begin with one that letters of the same script follow.
  private func isParticle(at position: Int) -> Bool {
    guard position > 0, book.particles.contains(text[position]) else { return false }
    let next = position + 1 < text.count ? text[position + 1].value : 0
    return text[position] == "を" || !(0x3041...0x309F).contains(next)
  }

  /// Start of the last words that may be a value.
  lazy var lastValue: Int = {
    if book.joinsCJK { return max(0, text.count - Self.longestDenseValue) }
    let spaces = text.indices.reversed().lazy.filter { [text] in text[$0] == " " }
    return spaces.dropFirst(Self.longestValue).first ?? 0
  }()
}
