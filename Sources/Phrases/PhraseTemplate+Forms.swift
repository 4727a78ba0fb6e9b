extension PhraseTemplate {
  /// The names that a template uses.
  package struct Names {
    /// The template of a rule; nil for one that does not exist.
    package var rule: (String) -> String?
    /// Sample texts of a list; none for one that does not exist.
    package var samples: (String) -> [String]
    /// Whether a list accepts any words.
    package var isOpen: (String) -> Bool

    package init(
      rule: @escaping (String) -> String?, samples: @escaping (String) -> [String],
      isOpen: @escaping (String) -> Bool
    ) {
      self.rule = rule
      self.samples = samples
      self.isOpen = isOpen
    }
  }

  /// Maximum depth of rules within rules.
  static let deepest = 16

  // MARK: Sentences

  /// Sentences of a template, the shortest first; at most `limit`.
  package static func sentences(of text: String, _ names: Names, limit: Int) -> [String] {
    guard let template = try? PhraseTemplate(text) else { return [] }
    return forms(of: template.root, names: names, limit: limit, depth: deepest).map { form in
      form.split(separator: " ").joined(separator: " ")
    }
  }

  private static func forms(
    of node: Node, names: Names, limit: Int, depth: Int
  ) -> [String] {
    switch node {
    case .text(let scalars): [String(String.UnicodeScalarView(scalars))]
    case .sequence(let parts), .permutation(let parts):
      parts.reduce([""]) { forms, part in
        let next = Self.forms(of: part, names: names, limit: limit, depth: depth)
        return Array(
          next.flatMap { end in forms.map { $0 + end } }.prefix(limit))
      }
    case .choice(let parts):
      interleaved(parts.map { forms(of: $0, names: names, limit: limit, depth: depth) }, limit)
    case .optional(let part):
      Array(([""] + forms(of: part, names: names, limit: limit, depth: depth)).prefix(limit))
    case .list(let name, _): Array(names.samples(name).prefix(limit))
    case .range(let range, _): ["\(range.from)"]
    case .rule(let name):
      depth == 0
        ? []
        : (names.rule(name).flatMap { try? PhraseTemplate($0) })
          .map { forms(of: $0.root, names: names, limit: limit, depth: depth - 1) } ?? []
    }
  }

  /// Some of each list, in turn.
  private static func interleaved(_ lists: [[String]], _ limit: Int) -> [String] {
    var result: [String] = []
    var row = 0
    while result.count < limit {
      let found = lists.compactMap { row < $0.count ? $0[row] : nil }
      if found.isEmpty { break }
      result += found.prefix(limit - result.count)
      row += 1
    }
    return result
  }

  // MARK: Free texts

  /// Whether some form of a template has two lists of any words without a word between them, which
  /// never match.
  package static func hasFreeTextsInARow(_ text: String, _ names: Names) -> Bool {
    guard let template = try? PhraseTemplate(text) else { return false }
    return edges(template.root, names, deepest).isBroken
  }

  /// The open ends of a part.
  private struct Edges {
    var startsOpen = false
    var endsOpen = false
    /// Whether some form has no words.
    var mayBeEmpty = false
    var isBroken = false
  }

  private static func edges(_ node: Node, _ names: Names, _ depth: Int) -> Edges {
    switch node {
    case .text(let scalars): return Edges(mayBeEmpty: scalars.allSatisfy { $0 == " " })
    case .list(let name, _):
      let isOpen = names.isOpen(name)
      return Edges(startsOpen: isOpen, endsOpen: isOpen)
    case .range: return Edges()
    case .optional(let part):
      var edges = edges(part, names, depth)
      edges.mayBeEmpty = true
      return edges
    case .choice(let parts):
      return parts.reduce(into: Edges()) { result, part in
        let edges = edges(part, names, depth)
        result.startsOpen = result.startsOpen || edges.startsOpen
        result.endsOpen = result.endsOpen || edges.endsOpen
        result.mayBeEmpty = result.mayBeEmpty || edges.mayBeEmpty
        result.isBroken = result.isBroken || edges.isBroken
      }
    case .rule(let name):
      guard depth > 0, let rule = names.rule(name).flatMap({ try? PhraseTemplate($0) }) else {
        return Edges()
      }
      return edges(rule.root, names, depth - 1)
    case .sequence(let parts), .permutation(let parts):
      var result = Edges(mayBeEmpty: true)
      for part in parts {
        let edges = edges(part, names, depth)
        if result.endsOpen, edges.startsOpen { result.isBroken = true }
        if result.mayBeEmpty, edges.startsOpen { result.startsOpen = true }
        result.endsOpen = edges.endsOpen || edges.mayBeEmpty && result.endsOpen
        result.mayBeEmpty = result.mayBeEmpty && edges.mayBeEmpty
        result.isBroken = result.isBroken || edges.isBroken
      }
      return result
    }
  }
}
