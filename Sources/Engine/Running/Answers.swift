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
