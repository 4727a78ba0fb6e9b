import CEL
import Engine
import Phrases
import Program

/// Sentences that do the last call again with another value: `no, friday`, `and the second one`.
extension SpokenBook {
  /// The last call with a value that words give, or another call if the words are a sentence; nil if they
  /// are neither.
  ///
  /// Words that are seen to be a value by their form come before any words, and a parameter that the call
  /// has before one that it has not.
  ///
  /// - Parameter isCorrection: Whether the words may be another text.
  func repeated(
    _ call: Understanding, with words: String, _ items: SpokenItems, isCorrection: Bool
  ) -> Understanding? {
    let whole = understand(SpokenForm(words), limit: 1, items: items)
    if let other = whole.first, !other.beginsWithGuess { return other }
    let texts = call.arguments.filter { $0.kind == PhraseTable.Kind.words.rawValue }.map(\.name)
    let given = Set(call.arguments.map(\.name)).subtracting(isCorrection ? [] : texts)
    let own = (parametersOfActions[call.action] ?? []).filter { !$0.isImplied(in: call) }
    let ordered = own.sorted { left, right in
      func rank(_ parameter: PhraseTable.Parameter) -> Int {
        (parameter.isOpen ? 2 : 0) + (given.contains(parameter.name) ? 0 : 1)
      }
      return rank(left) < rank(right)
    }
    for parameter in ordered {
      guard let value = value(ofWhole: words, for: parameter, given, items) else { continue }
      var arguments = call.arguments.filter { $0.name != parameter.name }
      arguments.append(
        Understanding.Argument(
          name: parameter.name, words: words, text: value, kind: parameter.kind.rawValue,
          type: parameter.type, entity: parameter.entity, range: 0..<0))
      var repeated = call
      repeated.arguments = arguments.sorted { $0.name < $1.name }
      return repeated
    }
    return nil
  }

  /// The value of a parameter that words are from the first to the last; nil if they are none.
  private func value(
    ofWhole words: String, for parameter: PhraseTable.Parameter, _ given: Set<String>,
    _ items: SpokenItems
  ) -> String? {
    let bare = PhraseText.bare(words.lowercased())
    switch parameter.kind {
    case .date: return times.reading(words, .either)?.day?.iso8601
    case .when, .timestamp: return times.reading(words, .either)?.when
    case .duration: return times.dates?.duration(words)
    case .period: return times.dates?.period(words)
    case .recurrence: return times.reading(words, .either)?.recurrence
    case .range: return times.reading(words, .either)?.range
    case .number: return Int(bare).map(String.init) ?? numbers[bare].map { "\(Int($0))" }
    case .url: return Self.address(words)
    case .choice: return parameter.choices.first { $0.templates.contains(bare) }?.value
    case .list:
      return words.hasPrefix("#")
        ? Self.elements(words, table.language)?.joined(separator: ",") : nil
    case .file: return words.contains("/") ? words : nil
    case .item:
      if let found = items.remembered(words, table.language), found.count == 1 {
        return found[0].reference
      }
      return items.items(named: words, vocabulary, of: [parameter.entity]).first?.reference
    case .words: return given.contains(parameter.name) ? words : nil
    }
  }
}

extension PhraseTable.Parameter {
  /// Whether a phrase of a call implies its value.
  fileprivate func isImplied(in call: Understanding) -> Bool {
    call.arguments.contains { $0.name == name && $0.words.isEmpty }
  }
}
