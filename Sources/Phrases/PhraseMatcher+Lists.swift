/// Values of lists and numbers.
extension PhraseMatcher {
  /// The finds of a list at a position, each end once.
  ///
  /// - Parameter isJoined: Whether it is joined to a preceding word; then only numbers may follow a
  ///   space.
  func find(_ number: Int, at position: Int, isJoined: Bool) -> [Listed] {
    if isJoined, position < text.count, text[position] == " ",
      case .program? = book.content(number)
    {
      return []
    }
    let key = number * (text.count + 1) + position
    if let known = finds[key] { return known }
    var start = position
    while start < text.count, text[start] == " " { start += 1 }
    var found: [Listed] = []
    switch book.content(number) {
    case .program(let program):
      // Values with other words than the sentence need no look.
      guard start < text.count else { break }
      var values: [Int: Int] = [:]
      run(program, from: start) { end, value, _, _ in
        if end > start { values[end] = min(values[end] ?? value, value) }
      }
      found = values.map {
        Listed(
          end: $0, value: .listed(list: book.listName(number), $1), isInside: false, literal: 0)
      }
    case .range(let range): found = numbers(of: range, at: start)
    case .read(let accepts): found = read(accepts, at: start)
    case .wildcard, nil: break
    }
    finds[key] = found
    return found
  }

  /// The maximum number of words of a value that is read.
  static let longestValue = 10
  /// The maximum number of scalars of one where words have no spaces between them.
  static let longestDenseValue = 80

  /// Whether a value of a list at a place may go up to the end of the sentence.
  func mayReachEnd(_ state: State, _ number: Int) -> Bool {
    if case .read? = book.content(number) { state.position >= lastValue } else { true }
  }

  func read(_ accepts: (String) -> Bool?, at start: Int) -> [Listed] {
    var found: [Listed] = []
    var words = 0
    guard start < text.count, text[start] != " " else { return [] }
    // Without spaces between words, a value may end anywhere.
    let isDense = book.joinsCJK
    let last = isDense ? min(text.count, start + Self.longestDenseValue) : text.count
    for end in start..<last where isDense || end + 1 == text.count || text[end + 1] == " " {
      words += 1
      guard isDense || words <= Self.longestValue else { break }
      let value = String(String.UnicodeScalarView(sentence.original[start...end]))
      guard let isAccepted = accepts(value) else { break }
      if isAccepted {
        found.append(Listed(end: end + 1, value: .words(value), isInside: false, literal: 0))
      }
    }
    return found
  }

  func numbers(of range: PhraseList.Range, at start: Int) -> [Listed] {
    var found: [Listed] = []
    if let (number, end) = digits(at: start, hasFractions: range.fractions != .none),
      let value = range.value(of: number)
    {
      found.append(Listed(end: end, value: .number(value), isInside: false, literal: 0))
    }
    for (number, end, literal) in book.numberWords.matches(in: text, at: start) {
      guard let value = range.value(of: number), !isHalf(start, end) else { continue }
      found.append(Listed(end: end, value: .number(value), isInside: true, literal: literal))
    }
    return found
  }

  /// Whether number words are joined by a hyphen to others, as in `twenty-one`.
  func isHalf(_ start: Int, _ end: Int) -> Bool {
    func isHyphen(_ index: Int) -> Bool {
      text.indices.contains(index) && (text[index] == "-" || text[index] == "_")
    }
    if isHyphen(end), !book.numberWords.matches(in: text, at: end + 1).isEmpty { return true }
    guard isHyphen(start - 1) else { return false }
    var first = start - 1
    while first > 0, text[first - 1] != " " { first -= 1 }
    return book.numberWords.matches(in: text, at: first).contains { $0.1 == start - 1 }
  }

  /// A whole number in digits at a position, with its fraction if it may have one.
  func digits(at start: Int, hasFractions: Bool) -> (Double, Int)? {
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
      // As in `1,000`, which is no fraction.
      if text[first - 1] != book.decimalSign, end - first == 3 { return nil }
      number += "." + String(String.UnicodeScalarView(text[first..<end]))
    }
    return Double(number).map { ($0, end) }
  }
}
