import CEL
import Catalog
import Items
import Links
import Program

/// Obtains answers: preset ones first, then from the person.
package struct Asker {
  let run: Run
  private var front: any Front { run.front }
  private var answers: PresetAnswers { run.answers }

  /// Maximum number of attempts to enter a valid answer.
  package static let attempts = 20

  /// Whether a person can answer, or a preset answer exists for one of the keys.
  func canAnswer(_ keys: [String]) -> Bool {
    front.canAnswer || keys.contains { answers.has($0) }
  }

  /// Asks for a value, again until the answer is valid.
  ///
  /// - Parameter check: parses the text, or throws `invalid-value`.
  /// - Throws: `needs-value` without a preset answer in a non-interactive run.
  func ask(
    _ prompt: String, type: DataType, keys: [String], defaultText: String? = nil,
    suggestions: [String] = [], constraints: ValueConstraints = ValueConstraints(),
    check parsed: (String) throws -> Value
  ) throws -> Value {
    // A host alone is completed, as on the command line.
    func check(_ text: String) throws -> Value {
      try parsed(type.unwrapped == .url ? WebURL.typed(text)?.text ?? text : text)
    }
    if let answer = try answers.take(keys + [prompt], takesMany: type.isList) {
      return try RunError.asUsage {
        try check(answer.isEmpty ? defaultText ?? "" : Self.picked(answer, type, suggestions))
      }
    }
    var question = Question(
      .text(type), key: keys.first ?? prompt, prompt: prompt)
    question.defaultText = defaultText
    question.suggestions = suggestions
    question.constraints = constraints
    guard front.canAnswer else { throw needsValue(question) }
    for _ in 0..<Self.attempts {
      guard case .text(let text) = try run.put(question) else { break }
      do {
        return try check(text.isEmpty ? defaultText ?? "" : text)
      } catch let error as RunError where error.code == .invalidValue || error.code == .notFound {
        question.problem = error.message + (error.advice.map { " (\($0))" } ?? "")
      }
    }
    throw RunError(.cancelled, "no valid answer to “\(prompt)”")
  }

  /// Asks the person to choose, and returns the indices of the choices.
  ///
  /// - Throws: `needs-value` without a preset answer in a non-interactive run, `invalid-value` for
  ///   an answer that matches no choice.
  func choose(
    _ choices: [Question.Choice], prompt: String, keys: [String], many: Bool
  ) throws -> [Int] {
    if let answer = try answers.take(keys + [prompt], takesMany: many) {
      return try positions(answer, choices, many: many, prompt)
    }
    let question = Question(
      .choice(Self.distinguished(choices), many: many), key: keys.first ?? prompt, prompt: prompt)
    guard front.canAnswer else { throw needsValue(question) }
    guard case .chosen(let chosen) = try run.put(question) else {
      throw RunError(.cancelled, "nothing was chosen for “\(prompt)”")
    }
    return chosen.filter(choices.indices.contains)
  }

  /// The choices that a preset answer selects; it may be anything that a person could type.
  private func positions(
    _ answer: String, _ choices: [Question.Choice], many: Bool, _ prompt: String
  ) throws -> [Int] {
    if !many, let index = Self.position(of: answer, in: choices) { return [index] }
    if many {
      let parts = answer.split(separator: ",").map { String($0).trimmingSpaces }
      let indexes = parts.compactMap { Self.position(of: $0, in: choices) }
      if indexes.count == parts.count { return indexes }
    }
    switch ChoiceMatcher(choices, many: many).match(answer) {
    case .chosen(let positions): return positions
    case .narrowed(let positions):
      throw RunError(
        .ambiguous, "“\(answer.shortened)” matches \(positions.count) choices for “\(prompt)”",
        help: "choose one of: "
          + positions.prefix(10).map { choices[$0].title }.joined(separator: ", "))
    case .problem:
      throw RunError(
        .invalidValue, "“\(answer.shortened)” is not one of the choices for “\(prompt)”",
        help: "choose one of: " + choices.prefix(10).map(\.title).joined(separator: ", ")
      ).asUsage
    }
  }

  /// The enum value that a preset answer selects, by number or by part of its name, as at the
  /// prompt.
  static func picked(_ answer: String, _ type: DataType, _ values: [String]) -> String {
    guard case .enumeration = type.unwrapped, !answer.isEmpty, !values.contains(answer),
      case .chosen(let positions) = ChoiceMatcher(
        values.map { Question.Choice(title: $0) }, many: false
      ).match(answer), let position = positions.first
    else { return answer }
    return values[position]
  }

  /// The choices, with references added to those that share a title.
  private static func distinguished(_ choices: [Question.Choice]) -> [Question.Choice] {
    let counts = Dictionary(grouping: choices, by: \.title).mapValues(\.count)
    return choices.map { choice in
      guard let reference = choice.reference, counts[choice.title] ?? 0 > 1 else { return choice }
      let subtitle = [reference, choice.subtitle].compactMap { $0 }.joined(separator: " · ")
      return Question.Choice(
        title: choice.title, subtitle: subtitle, reference: reference, original: choice.original)
    }
  }

  /// Asks a yes-or-no question.
  ///
  /// - Throws: `needs-value` without a preset answer in a non-interactive run.
  func confirm(_ prompt: String, keys: [String], danger: Bool) throws -> Bool {
    if let answer = try answers.take(keys + [prompt]) {
      let word = answer.trimmingSpaces.isEmpty ? "no" : answer
      guard case .success(.bool(let isYes)) = LiteralReader.read(word, as: .bool) else {
        throw RunError(
          .invalidValue, "“\(answer.shortened)” is not an answer to a yes-or-no question",
          help: "answer yes or no"
        ).asUsage
      }
      return isYes
    }
    if answers.acceptsConfirmations, !danger { return true }
    let question = Question(
      .confirmation(danger: danger), key: keys.first ?? prompt, prompt: prompt)
    guard front.canAnswer else { throw needsValue(question) }
    if case .confirmed(let isYes) = try run.put(question) { return isYes }
    return false
  }

  private func needsValue(_ question: Question) -> RunError {
    var remedy = Remedy.answer(key: question.key)
    if case .confirmation(danger: false) = question.kind { remedy = .agree }
    let message = "“\(question.prompt)” needs an answer, but there is no one to ask"
    return RunError(.needsValue, message, remedy: remedy)
  }

  /// The choice selected by title, reference, number or unambiguous prefix.
  static func position(of text: String, in choices: [Question.Choice]) -> Int? {
    if let index = choices.firstIndex(where: {
      $0.title == text || $0.reference == text || $0.original == text
    }) {
      return index
    }
    if let number = Int(text), choices.indices.contains(number - 1) { return number - 1 }
    let lowered = text.lowercased()
    guard !lowered.isEmpty else { return nil }
    let begun = choices.indices.filter { choices[$0].title.lowercased().hasPrefix(lowered) }
    let exact = begun.filter { choices[$0].title.lowercased() == lowered }
    return exact.count == 1 ? exact[0] : begun.count == 1 ? begun[0] : nil
  }
}

extension DataType {
  /// The values of an enum; empty for other types.
  var words: [String] { if case .enumeration(let words) = unwrapped { words } else { [] } }

  /// Whether it is a list type.
  var isList: Bool { if case .list = unwrapped { true } else { false } }
}

/// Preset answers to questions (language §8).
package final class PresetAnswers {
  /// The preset answers of one key, each a text or a list of texts.
  package struct Given {
    fileprivate var texts: [[String]]
    /// Whether the last answer is reused for all later questions.
    fileprivate let repeatsLast: Bool
    /// Whether it is an empty list, the answer to a question for several values.
    fileprivate var isEmptyList: Bool { repeatsLast && texts.isEmpty }

    /// Answers to successive questions; the last is reused for all later ones.
    package static func repeated(_ texts: [[String]]) -> Given {
      Given(texts: texts, repeatsLast: true)
    }

    /// Answers to successive questions, each given once.
    package static func once(_ texts: [[String]]) -> Given {
      Given(texts: texts, repeatsLast: false)
    }
  }

  private var answers: [String: Given]
  private var taken: Set<String> = []
  /// The answers in the order given.
  let all: [(key: String, value: String)]
  /// Called with the key of each answer that is used.
  var isTaken: ((_ key: String) throws -> Void)?
  /// Whether confirmations without `danger` are accepted.
  package let acceptsConfirmations: Bool

  /// Creates answers by key; a repeated key answers successive questions.
  package init(_ answers: [(key: String, value: String)] = [], acceptsConfirmations: Bool = false) {
    all = answers
    self.answers = Dictionary(grouping: answers, by: \.key).mapValues { given in
      Given(texts: given.map { [$0.value] }, repeatsLast: false)
    }
    self.acceptsConfirmations = acceptsConfirmations
  }

  /// Creates the answers of a test.
  package init(scripted answers: [(key: String, value: Given)]) {
    self.answers = Dictionary(answers.map { ($0.key, $0.value) }) { first, _ in first }
    acceptsConfirmations = false
    all = []
  }

  /// Whether an answer for the key remains.
  func has(_ key: String) -> Bool {
    answers[key].map { !$0.texts.isEmpty || $0.isEmptyList } ?? false
  }

  /// Returns the next answer of the first key that has one.
  ///
  /// - Parameter takesMany: whether a list of texts is one answer, rather than successive ones.
  /// - Throws: `invalid-value` for an empty list where one value is needed.
  func take(_ keys: [String], takesMany: Bool = false) throws -> String? {
    guard let key = keys.first(where: has), let given = answers[key] else { return nil }
    taken.insert(key)
    try isTaken?(key)
    guard takesMany || !given.isEmptyList else {
      throw RunError(
        .invalidValue, "`\(key)`: the list of answers is empty, and one value is needed")
    }
    if given.repeatsLast, takesMany, given.texts.allSatisfy({ $0.count == 1 }) {
      return given.texts.map { $0[0] }.joined(separator: ",")
    }
    if !given.repeatsLast || given.texts.count > 1 { answers[key]?.texts.removeFirst() }
    return given.texts[0].joined(separator: ",")
  }

  /// Returns the answer for a parameter, which is asked at most once.
  func takeParameter(_ name: String, takesMany: Bool) throws -> String? {
    if answers[name]?.repeatsLast == true, taken.contains(name) { return nil }
    return try take([name], takesMany: takesMany)
  }

  /// Whether a question with the key was asked.
  package func wasTaken(_ key: String) -> Bool { taken.contains(key) }

  /// The keys of answers that were not used.
  package var unused: [String] {
    answers.filter { key, given in
      given.repeatsLast ? !taken.contains(key) : !given.texts.isEmpty
    }.keys.sorted()
  }
}

/// Matches a typed answer against choices.
package struct ChoiceMatcher {
  /// The result of a match.
  package enum Match: Equatable {
    /// The indices of the choices.
    case chosen([Int])
    /// The answer matches several choices.
    case narrowed([Int])
    /// The answer is invalid, with a message.
    case problem(String)
  }

  private let choices: [Question.Choice]
  private let takesMany: Bool

  package init(_ choices: [Question.Choice], many: Bool) {
    self.choices = choices
    takesMany = many
  }

  /// The expected form of an answer, for messages.
  private var form: String {
    if takesMany { return "type numbers such as 1,3-5, or all, or none" }
    return choices.count == 1 ? "type 1" : "type a number from 1 to \(choices.count)"
  }

  /// Matches numbers, references, titles or parts of titles.
  package func match(_ answer: String) -> Match {
    let answer = answer.trimmed
    if answer.isEmpty { return .problem(form) }
    if let position = exact(answer) { return .chosen([position]) }
    guard takesMany else { return matchOne(answer) }
    switch answer.lowercased() {
    case "all": return .chosen(Array(choices.indices))
    case "none": return .chosen([])
    default: return matchMany(answer)
    }
  }

  private func matchOne(_ answer: String) -> Match {
    let number = Int(answer)
    if let number, choices.indices.contains(number - 1) { return .chosen([number - 1]) }
    let found = positions(containing: answer)
    switch found.count {
    case 0:
      let problem = number.map { "there is no \($0)" } ?? "nothing matches “\(answer)”"
      return .problem("\(problem): \(form)")
    case 1: return .chosen(found)
    default: return .narrowed(found)
    }
  }

  private func matchMany(_ answer: String) -> Match {
    let parts = answer.split(separator: ",").map(\.trimmed).filter { !$0.isEmpty }
    if parts.isEmpty { return .problem(form) }
    var chosen: [Int] = []
    for part in parts {
      let found: [Int]
      if let position = exact(part) {
        found = [position]
      } else if let range = range(part) {
        guard range.lowerBound >= 1, range.upperBound <= choices.count else {
          return .problem("there is no \(part): \(form)")
        }
        found = range.map { $0 - 1 }
      } else {
        found = positions(containing: part)
        if found.isEmpty { return .problem("nothing matches “\(part)”: \(form)") }
        if found.count > 1 {
          return parts.count == 1
            ? .narrowed(found) : .problem("“\(part)” matches \(found.count) of them: \(form)")
        }
      }
      chosen += found.filter { !chosen.contains($0) }
    }
    return .chosen(chosen)
  }

  /// `3` or `3-5`.
  private func range(_ text: String) -> ClosedRange<Int>? {
    let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
      .map { Int($0.trimmed) }
    guard let first = ends[0], let last = ends[ends.count - 1], first <= last else { return nil }
    return first...last
  }

  /// The choice with exactly this reference or title; nil when it is not unique.
  private func exact(_ text: String) -> Int? {
    if let position = choices.firstIndex(where: { $0.reference == text }) { return position }
    let same = choices.indices.filter {
      choices[$0].title == text || choices[$0].original == text
    }
    return same.count == 1 ? same[0] : nil
  }

  private func positions(containing part: String) -> [Int] {
    let part = part.lowercased()
    let found = choices.indices.filter { index in
      choices[index].title.lowercased().contains(part)
        || choices[index].subtitle?.lowercased().contains(part) ?? false
    }
    let whole = found.filter { choices[$0].title.lowercased() == part }
    return whole.count == 1 ? whole : found
  }
}

extension Run {
  /// Asks which of some choices is meant; `--answer` with a key can answer it. Nil for none.
  ///
  /// - Throws: `needs-value` without a preset answer in a non-interactive run.
  package func choose(
    _ choices: [Question.Choice], prompt: String, key: String
  ) throws -> Int? {
    try asker.choose(choices, prompt: prompt, keys: [key], many: false).first
  }

  /// Asks a yes-or-no question that `--answer` with a key, or `--yes`, can answer.
  ///
  /// - Throws: `needs-value` without a preset answer in a non-interactive run.
  package func confirm(_ prompt: String, key: String) throws -> Bool {
    try asker.confirm(prompt, keys: [key], danger: false)
  }
}
