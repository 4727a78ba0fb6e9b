import CEL
import Catalog
import Items
import Program

/// Gets answers: those given ahead of time first, then a person's.
package struct Asker {
  private let run: Run
  private var front: any Front { run.front }
  private var answers: Answers { run.answers }

  /// Asks a run's front what is not answered already.
  init(_ run: Run) {
    self.run = run
  }

  /// How often a person may give an answer that does not fit.
  package static let attempts = 20

  /// Whether there is anybody, or an answer ahead of time under one of the keys.
  func canAnswer(_ keys: [String]) -> Bool {
    front.canAnswer || keys.contains { answers.has($0) }
  }

  /// Asks for a value; what a person gives is asked for again until it fits.
  ///
  /// - Parameter check: makes the value of a text, or throws `invalid-value`.
  /// - Throws: `needs-value` with nobody to answer.
  func ask(
    _ prompt: String, type: DataType, keys: [String], defaultText: String? = nil,
    suggestions: [String] = [], check: (String) throws -> Value
  ) throws -> Value {
    if let answer = try answers.take(keys + [prompt], takesMany: type.isList) {
      do {
        return try check(
          answer.isEmpty ? defaultText ?? "" : Self.picked(answer, type, suggestions))
      } catch let error as RunError {
        throw error.asUsage
      }
    }
    var question = Question(
      .text(typeName: type.description), key: keys.first ?? prompt, prompt: prompt)
    question.defaultText = defaultText
    question.suggestions = suggestions
    guard front.canAnswer else {
      throw needsValue(question)
    }
    for _ in 0..<Self.attempts {
      guard case .text(let text) = try run.put(question) else { break }
      do {
        return try check(text.isEmpty ? defaultText ?? "" : text)
      } catch let error as RunError where error.code == .invalidValue || error.code == .notFound {
        question.problem =
          if case .advice(let advice)? = error.remedy {
            "\(error.message) (\(advice))"
          } else {
            error.message
          }
      }
    }
    throw RunError(.cancelled, "no answer to “\(prompt)” fits")
  }

  /// Asks to choose, and gives the positions taken.
  ///
  /// - Throws: `needs-value` with nobody to answer, `invalid-value` for an answer that fits none.
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

  /// The choices that an answer ahead of time means: what a person could type at the prompt.
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
        .ambiguous, "“\(answer.shortened)” is part of \(positions.count) choices for “\(prompt)”",
        help: "choose one of: "
          + positions.prefix(10).map { choices[$0].title }.joined(separator: ", "))
    case .problem:
      throw RunError(
        .invalidValue, "“\(answer.shortened)” isn't one of the choices for “\(prompt)”",
        help: "choose one of: " + choices.prefix(10).map(\.title).joined(separator: ", ")
      ).asUsage
    }
  }

  /// The value of an enum that an answer ahead of time means, by its number or a part of it as at the
  /// prompt.
  static func picked(_ answer: String, _ type: DataType, _ values: [String]) -> String {
    guard case .enumeration = type.unwrapped, !answer.isEmpty, !values.contains(answer),
      case .chosen(let positions) = ChoiceMatcher(
        values.map { Question.Choice(title: $0) }, many: false
      ).match(answer), let position = positions.first
    else { return answer }
    return values[position]
  }

  /// Choices of the same title, told apart by their references.
  private static func distinguished(_ choices: [Question.Choice]) -> [Question.Choice] {
    let counts = Dictionary(grouping: choices, by: \.title).mapValues(\.count)
    return choices.map { choice in
      guard let reference = choice.reference, counts[choice.title] ?? 0 > 1 else { return choice }
      let subtitle = [reference, choice.subtitle].compactMap { $0 }.joined(separator: " · ")
      return Question.Choice(title: choice.title, subtitle: subtitle, reference: reference)
    }
  }

  /// Asks for a yes or a no.
  ///
  /// - Throws: `needs-value` with nobody to answer.
  func confirm(_ prompt: String, keys: [String], danger: Bool) throws -> Bool {
    if let answer = try answers.take(keys + [prompt]) {
      let word = answer.trimmingSpaces.isEmpty ? "no" : answer
      guard case .success(.bool(let isYes)) = LiteralReader.read(word, as: .bool) else {
        throw RunError(
          .invalidValue, "“\(answer.shortened)” isn't an answer to a yes-or-no question",
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
    if case .confirmation(let danger) = question.kind, !danger { remedy = .agree }
    return RunError(
      .needsValue, "“\(question.prompt)” needs an answer, but there is no one to ask",
      remedy: remedy)
  }

  /// The choice that a text means: its title, its reference, its number, or its only beginning.
  static func position(of text: String, in choices: [Question.Choice]) -> Int? {
    if let index = choices.firstIndex(where: { $0.title == text || $0.reference == text }) {
      return index
    }
    if let number = Int(text), choices.indices.contains(number - 1) { return number - 1 }
    let lowered = text.lowercased()
    guard !lowered.isEmpty else { return nil }
    let exact = choices.indices.filter { choices[$0].title.lowercased() == lowered }
    if exact.count == 1 { return exact[0] }
    let begun = choices.indices.filter { choices[$0].title.lowercased().hasPrefix(lowered) }
    return begun.count == 1 ? begun[0] : nil
  }
}

extension DataType {
  /// Whether its values are lists.
  var isList: Bool { if case .list = unwrapped { true } else { false } }
}

/// Answers that were given ahead of time (language §8).
package final class Answers {
  /// What is answered under a key.
  package enum Given {
    /// One text for each asking, as long as there are some.
    case once([String])
    /// One text, or a list of texts, for each asking; the last is for all that follow.
    case repeated([[String]])
  }

  private var answers: [String: Given]
  private var taken: Set<String> = []
  /// Those that were given, in their order.
  let all: [(key: String, value: String)]
  /// Hears which answer is taken.
  var isTaken: ((_ key: String) throws -> Void)?
  /// Whether confirmations that are not marked `danger` are accepted.
  package let acceptsConfirmations: Bool

  /// Answers by key; a key that stands several times answers successive askings.
  package init(_ answers: [(key: String, value: String)] = [], acceptsConfirmations: Bool = false) {
    all = answers
    var byKey: [String: [String]] = [:]
    for (key, value) in answers { byKey[key, default: []].append(value) }
    self.answers = byKey.mapValues(Given.once)
    self.acceptsConfirmations = acceptsConfirmations
  }

  /// Answers as a test gives them.
  package init(scripted answers: [(key: String, value: Given)]) {
    self.answers = Dictionary(answers.map { ($0.key, $0.value) }) { first, _ in first }
    acceptsConfirmations = false
    all = []
  }

  /// Whether an answer is left under a key.
  func has(_ key: String) -> Bool {
    switch answers[key] {
    case .once(let texts): !texts.isEmpty
    case .repeated(let texts): !texts.isEmpty
    case nil: false
    }
  }

  /// Takes the next answer of the first key that has one.
  ///
  /// - Parameter takesMany: whether a list of texts answers one asking, and not successive ones.
  func take(_ keys: [String], takesMany: Bool = false) throws -> String? {
    for key in keys where has(key) {
      switch answers[key] {
      case .once(var texts):
        let text = texts.removeFirst()
        answers[key] = .once(texts)
        try isTaken?(key)
        return text
      case .repeated(let texts):
        taken.insert(key)
        try isTaken?(key)
        if takesMany, texts.allSatisfy({ $0.count == 1 }) {
          return texts.map { $0[0] }.joined(separator: ",")
        }
        if texts.count > 1 { answers[key] = .repeated(Array(texts.dropFirst())) }
        return texts[0].joined(separator: ",")
      case nil: break
      }
    }
    return nil
  }

  /// Takes the answer to a parameter, which is given once.
  func takeParameter(_ name: String, takesMany: Bool) throws -> String? {
    if case .repeated? = answers[name], taken.contains(name) { return nil }
    return try take([name], takesMany: takesMany)
  }

  /// The keys whose answers nobody asked for.
  package var unused: [String] {
    answers.filter { key, given in
      if case .once(let texts) = given { !texts.isEmpty } else { !taken.contains(key) }
    }.map(\.key).sorted()
  }
}

/// Finds the choices that a typed answer means.
package struct ChoiceMatcher {
  /// What an answer comes to.
  package enum Match: Equatable {
    /// The positions of the choices taken.
    case chosen([Int])
    /// The answer is part of several choices.
    case narrowed([Int])
    /// What is wrong with it, in words.
    case problem(String)
  }

  private let choices: [Question.Choice]
  private let takesMany: Bool

  package init(_ choices: [Question.Choice], many: Bool) {
    self.choices = choices
    takesMany = many
  }

  /// How an answer is written, for messages.
  private var form: String {
    if takesMany { return "type numbers such as 1,3-5, or all, or none" }
    return choices.count == 1 ? "type 1" : "type a number from 1 to \(choices.count)"
  }

  /// What an answer comes to: numbers, references, titles or parts of them.
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
    if let number = Int(answer) {
      if choices.indices.contains(number - 1) { return .chosen([number - 1]) }
      if positions(containing: answer).isEmpty { return .problem("there is no \(number): \(form)") }
    }
    let found = positions(containing: answer)
    switch found.count {
    case 0: return .problem("nothing matches “\(answer)”: \(form)")
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
    guard let first = ends.first.flatMap({ $0 }), let last = ends.last.flatMap({ $0 }),
      first <= last
    else { return nil }
    return first...last
  }

  /// The choice with just this reference or title; nil when several have it.
  private func exact(_ text: String) -> Int? {
    if let position = choices.firstIndex(where: { $0.reference == text }) { return position }
    let same = choices.indices.filter { choices[$0].title == text }
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
