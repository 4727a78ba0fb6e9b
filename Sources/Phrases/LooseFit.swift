/// The form of a template that shares most with a sentence whose words stand in any order.
package struct LooseFit: Sendable {
  /// The worth of its words and slots.
  package private(set) var score = 0.0
  /// The words of the template that the sentence has, too, as they were asked for.
  package private(set) var words: [String] = []
  /// The slots of the form.
  package private(set) var slots: [String] = []
  /// The form: its words, and its slots by name.
  private var parts: [Part] = []

  private enum Part {
    case text([Unicode.Scalar])
    case slot(String)
  }

  /// The sentence of the form with texts for its slots.
  package func sentence(_ text: (_ slot: String) -> String) -> String {
    let whole = parts.map { part in
      switch part {
      case .text(let scalars): String(String.UnicodeScalarView(scalars))
      case .slot(let name): text(name)
      }
    }.joined()
    return whole.split(separator: " ").joined(separator: " ")
  }

  /// The worths of words and slots beside a sentence, each found once, and the rules that templates name.
  package final class Scale {
    /// The worth of a word; below zero if the sentence lacks it.
    private let word: (String) -> Double
    /// The worth of a slot; below zero if the sentence has no value for it.
    private let slot: (String, String) -> Double
    /// The template of a rule; nil for one that does not exist.
    private let rule: (String) -> String?
    private var words: [String: Double] = [:]
    private var rules: [String: PhraseTemplate?] = [:]

    package init(
      word: @escaping (String) -> Double,
      slot: @escaping (_ action: String, _ slot: String) -> Double,
      rule: @escaping (String) -> String?
    ) {
      (self.word, self.slot, self.rule) = (word, slot, rule)
    }

    fileprivate func worth(ofWord text: String) -> Double {
      if let known = words[text] { return known }
      let worth = word(text)
      words[text] = worth
      return worth
    }

    fileprivate func worth(ofSlot name: String, of action: String) -> Double { slot(action, name) }

    fileprivate func template(ofRule name: String) -> PhraseTemplate? {
      if let known = rules[name] { return known }
      let template = rule(name).flatMap { try? PhraseTemplate($0) }
      rules[name] = template
      return template
    }
  }

  private init() {}

  /// Fits a template of an action; nil for one with a mistake.
  ///
  /// - Complexity: O(size of the template with its rules).
  package init?(_ text: String, of action: String, _ scale: Scale) {
    guard let template = try? PhraseTemplate(text) else { return nil }
    self = Self.fit(template.root, of: action, scale, depth: Self.deepest)
  }

  /// Maximum depth of rules within rules.
  private static let deepest = 16

  private static func fit(
    _ node: PhraseTemplate.Node, of action: String, _ scale: Scale, depth: Int
  ) -> LooseFit {
    var fit = LooseFit()
    switch node {
    case .text(let scalars):
      fit.parts = [.text(scalars)]
      for word in PhraseTemplate.words(of: scalars) {
        let worth = scale.worth(ofWord: word)
        fit.score += worth
        if worth > 0 { fit.words.append(word) }
      }
    case .list(_, let slot), .range(_, let slot):
      guard let slot else { break }
      fit.score = scale.worth(ofSlot: slot, of: action)
      fit.slots = [slot]
      fit.parts = [.slot(slot)]
    case .optional(let part):
      let inner = Self.fit(part, of: action, scale, depth: depth)
      return inner.score > 0 ? inner : fit
    case .choice(let parts):
      return parts.lazy.map { Self.fit($0, of: action, scale, depth: depth) }
        .max { $0.score < $1.score } ?? fit
    case .sequence(let parts), .permutation(let parts):
      for part in parts {
        let inner = Self.fit(part, of: action, scale, depth: depth)
        fit.score += inner.score
        fit.words += inner.words
        fit.slots += inner.slots
        fit.parts += inner.parts
      }
    case .rule(let name):
      guard depth > 0, let template = scale.template(ofRule: name) else { break }
      return Self.fit(template.root, of: action, scale, depth: depth - 1)
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
