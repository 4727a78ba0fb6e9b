/// The form of a template that shares most with a sentence whose words stand in any order.
package struct LooseFit: Sendable {
  /// The worth of the shared words, less that of those that the sentence lacks.
  package private(set) var score = 0.0
  /// The words of the template that the sentence has, too, as they were asked for.
  package private(set) var words: [String] = []
  /// The slots of the form.
  package private(set) var slots: [String] = []
  /// The worth of the words that the sentence lacks.
  package private(set) var missing = 0.0

  /// The sentence, and the names that templates refer to.
  package struct Scale {
    /// The worth of a word, and whether the sentence has it.
    package var word: (String) -> (worth: Double, isShared: Bool)
    /// The worth of a slot: below zero if the sentence has no value for it.
    package var slot: (String) -> Double
    /// The template of a rule; nil for one that does not exist.
    package var rule: (String) -> String?

    package init(
      word: @escaping (String) -> (worth: Double, isShared: Bool),
      slot: @escaping (String) -> Double, rule: @escaping (String) -> String?
    ) {
      self.word = word
      self.slot = slot
      self.rule = rule
    }
  }

  private init() {}

  /// Fits a template; nil for one with a mistake.
  ///
  /// - Complexity: O(size of the template with its rules).
  package init?(_ text: String, _ scale: Scale) {
    guard let template = try? PhraseTemplate(text) else { return nil }
    self = Self.fit(template.root, scale, depth: Self.deepest)
  }

  /// Maximum depth of rules within rules.
  private static let deepest = 16

  private static func fit(_ node: PhraseTemplate.Node, _ scale: Scale, depth: Int) -> LooseFit {
    var fit = LooseFit()
    switch node {
    case .text(let scalars):
      for word in PhraseTemplate.words(of: scalars) {
        let (worth, isShared) = scale.word(word)
        if isShared {
          fit.score += worth
          fit.words.append(word)
        } else {
          fit.score -= worth
          fit.missing += worth
        }
      }
    case .list(_, let slot), .range(_, let slot):
      guard let slot else { break }
      fit.score = scale.slot(slot)
      fit.slots = [slot]
    case .optional(let part):
      let inner = Self.fit(part, scale, depth: depth)
      return inner.score > 0 ? inner : fit
    case .choice(let parts):
      return parts.lazy.map { Self.fit($0, scale, depth: depth) }
        .max { $0.score < $1.score } ?? fit
    case .sequence(let parts), .permutation(let parts):
      for part in parts {
        let inner = Self.fit(part, scale, depth: depth)
        fit.score += inner.score
        fit.missing += inner.missing
        fit.words += inner.words
        fit.slots += inner.slots
      }
    case .rule(let name):
      guard depth > 0, let rule = scale.rule(name), let template = try? PhraseTemplate(rule) else {
        break
      }
      return Self.fit(template.root, scale, depth: depth - 1)
    }
    return fit
  }
}

extension PhraseTemplate {
  /// The words of literal scalars.
  static func words(of scalars: [Unicode.Scalar]) -> [String] {
    String(String.UnicodeScalarView(scalars)).split(separator: " ").map(String.init)
  }

  /// The words that stand in a template and in the rules that it names, each once.
  package static func words(in text: String, rule: (String) -> String?) -> Set<String> {
    var words: Set<String> = []
    func collect(_ node: Node, _ depth: Int) {
      switch node {
      case .text(let scalars): words.formUnion(Self.words(of: scalars))
      case .sequence(let parts), .choice(let parts), .permutation(let parts):
        for part in parts { collect(part, depth) }
      case .optional(let part): collect(part, depth)
      case .list, .range: break
      case .rule(let name):
        if depth > 0, let template = rule(name).flatMap({ try? PhraseTemplate($0) }) {
          collect(template.root, depth - 1)
        }
      }
    }
    if let template = try? PhraseTemplate(text) { collect(template.root, deepest) }
    return words
  }
}
