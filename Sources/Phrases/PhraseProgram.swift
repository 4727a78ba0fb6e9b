/// A compiled template, or the values of a list: instructions of a machine that is in many places at
/// once.
struct PhraseProgram: Sendable {
  enum Instruction: Sendable {
    /// One scalar of a word.
    case scalar(Unicode.Scalar)
    /// A space.
    case space
    case jump(Int)
    /// The positions in `targets` of the places to go on at.
    case split(Int, Int)
    /// A list by its number, with the number of its slot; nil for none.
    case list(Int, slot: Int?)
    /// The end; of a list, the number of the value.
    case match(Int)
  }

  private(set) var code: [Instruction] = []
  /// The targets of all splits.
  private(set) var targets: [Int] = []
  /// Whether the first and the last part is a wildcard.
  private(set) var startsOpen = false
  private(set) var endsOpen = false
  /// Whether an instruction is the last one.
  func endsAfter(_ instruction: Int) -> Bool {
    var next = instruction + 1
    while case .jump(let target) = code[next] { next = target }
    if case .match = code[next] { return true }
    return false
  }
  /// Whether there is one part only.
  var isLone: Bool { code.count == 2 }

  /// Sets of pairs of scalars; a matching sentence has at least one pair of each set.
  private(set) var needs: [[UInt64]] = []

  /// The maximum number of instructions, so that nested groups cannot fill the memory.
  static let limit = 40_000
  /// The maximum number of parts examined for the needs of a template.
  private static let mostParts = 20_000

  /// The names that templates refer to.
  struct Scope {
    /// The templates of rules, each parsed when it is first used.
    let texts: [String: String]
    private var rules: [String: PhraseTemplate.Node] = [:]
    let lists: [String: Int]
    let wildcards: Set<Int>
    /// The templates of a list's values; nil for another list.
    var valuesOfLists: (Int) -> [String]? = { _ in nil }
    /// Prefixes of the names that the current template uses.
    var listPrefix = ""
    var rulePrefix = ""
    private(set) var slots: [String: Int] = [:]
    private(set) var slotNames: [String] = []
    /// The needs of lists, by their numbers.
    private var needsOfLists: [Int: [[UInt64]]] = [:]
    /// Ranges written in templates, as lists.
    var ranges: [PhraseList.Range] = []
    let firstRange: Int
    fileprivate var partCount = 0

    init(texts: [String: String], lists: [String: Int], wildcards: Set<Int>, firstRange: Int) {
      self.texts = texts
      self.lists = lists
      self.wildcards = wildcards
      self.firstRange = firstRange
    }

    mutating func slot(_ name: String) -> Int {
      if let number = slots[name] { return number }
      slots[name] = slotNames.count
      slotNames.append(name)
      return slotNames.count - 1
    }

    /// The tree of a rule.
    ///
    /// - Throws: `PhraseError` for a rule that does not exist or is not valid.
    mutating func rule(_ name: String) throws(PhraseError) -> PhraseTemplate.Node {
      if let known = rules[name] { return known }
      guard let text = texts[name] else { throw PhraseError("there is no rule `\(name)`") }
      let node = try PhraseTemplate(text).root
      rules[name] = node
      return node
    }

    fileprivate mutating func needs(ofList list: Int) -> [[UInt64]] {
      if let known = needsOfLists[list] { return known }
      guard let values = valuesOfLists(list) else { return [] }
      let nodes = values.compactMap { try? PhraseTemplate($0).root }
      let needs =
        nodes.count < values.count
        ? [] : PhraseProgram.oneOf(nodes.map { PhraseProgram.needs($0, &self, []) })
      needsOfLists[list] = needs
      return needs
    }
  }

  /// Compiles a template.
  ///
  /// - Parameter withNeeds: Whether an index is to be made of it.
  init(
    _ template: PhraseTemplate, withNeeds: Bool, in scope: inout Scope
  ) throws(PhraseError) {
    try add(template.root, in: &scope, [])
    code.append(.match(0))
    if withNeeds {
      scope.partCount = 0
      needs = Array(Set(Self.needs(template.root, &scope, [])))
    }
    startsOpen = Self.isOpen(template.root, first: true, scope)
    endsOpen = Self.isOpen(template.root, first: false, scope)
  }

  /// Compiles the values of a list.
  init(values: [PhraseTemplate], in scope: inout Scope) throws(PhraseError) {
    code.append(.split(0, 0))
    var starts: [Int] = []
    for (number, value) in values.enumerated() {
      starts.append(code.count)
      try add(value.root, in: &scope, [])
      code.append(.match(number))
    }
    code[0] = split(starts)
  }

  private mutating func split(_ places: [Int]) -> Instruction {
    targets += places
    return .split(targets.count - places.count, targets.count)
  }

  private mutating func emit(_ instruction: Instruction) throws(PhraseError) {
    guard code.count < Self.limit else { throw PhraseError("the template has too many forms") }
    code.append(instruction)
  }

  private mutating func add(
    _ node: PhraseTemplate.Node, in scope: inout Scope, _ inside: Set<String>
  ) throws(PhraseError) {
    switch node {
    case .text(let scalars):
      for scalar in scalars { try emit(scalar == " " ? .space : .scalar(scalar)) }
    case .sequence(let parts): for part in parts { try add(part, in: &scope, inside) }
    case .optional(let part):
      let start = code.count
      try emit(.split(0, 0))
      try add(part, in: &scope, inside)
      code[start] = split([start + 1, code.count])
    case .choice(let parts): try addChoice(parts, in: &scope, inside)
    case .permutation(let parts):
      guard parts.count <= 6 else { throw PhraseError("a permutation has more than six parts") }
      let orders = Self.orders(parts.count).map { order -> PhraseTemplate.Node in
        // Each part is surrounded by spaces.
        .sequence(order.flatMap { [.text([" "]), parts[$0], .text([" "])] })
      }
      try addChoice(orders, in: &scope, inside)
    case .list(let name, let slot):
      guard let list = scope.lists[scope.listPrefix + name] else {
        throw PhraseError("there is no parameter or list `\(name)`")
      }
      try emit(.list(list, slot: slot.map { scope.slot($0) }))
    case .range(let range, let slot):
      scope.ranges.append(range)
      try emit(.list(scope.firstRange + scope.ranges.count - 1, slot: slot.map { scope.slot($0) }))
    case .rule(let name):
      let full = scope.rulePrefix + name
      guard !inside.contains(full) else {
        throw PhraseError("the rule `\(name)` refers to itself")
      }
      let rule: PhraseTemplate.Node
      do throws(PhraseError) { rule = try scope.rule(full) } catch {
        throw scope.texts[full] == nil ? PhraseError("there is no rule `\(name)`") : error
      }
      try add(rule, in: &scope, inside.union([full]))
    }
  }

  private mutating func addChoice(
    _ parts: [PhraseTemplate.Node], in scope: inout Scope, _ inside: Set<String>
  ) throws(PhraseError) {
    let start = code.count
    try emit(.split(0, 0))
    var starts: [Int] = []
    var ends: [Int] = []
    for part in parts {
      starts.append(code.count)
      try add(part, in: &scope, inside)
      ends.append(code.count)
      try emit(.jump(0))
    }
    code[start] = split(starts)
    for end in ends { code[end] = .jump(code.count) }
  }

  private static func orders(_ count: Int) -> [[Int]] {
    guard count > 0 else { return [[]] }
    return orders(count - 1).flatMap { order in
      (0...order.count).map { place in
        var order = order
        order.insert(count - 1, at: place)
        return order
      }
    }
  }

  /// The maximum number of alternative pairs.
  private static let mostAlternatives = 200

  /// The sets of pairs that a part needs, at least one pair of each set.
  fileprivate static func needs(
    _ node: PhraseTemplate.Node, _ scope: inout Scope, _ inside: Set<String>
  ) -> [[UInt64]] {
    scope.partCount += 1
    // A part that is not examined needs nothing.
    guard scope.partCount < mostParts else { return [] }
    switch node {
    case .text(let scalars): return PhraseSentence.pairs(of: scalars).map { [$0] }
    case .sequence(let parts), .permutation(let parts):
      return parts.flatMap { needs($0, &scope, inside) }
    case .rule(let name):
      let full = scope.rulePrefix + name
      guard !inside.contains(full), let rule = try? scope.rule(full) else { return [] }
      return needs(rule, &scope, inside.union([full]))
    case .choice(let parts): return oneOf(parts.map { needs($0, &scope, inside) })
    case .list(let name, _):
      return scope.lists[scope.listPrefix + name].map { scope.needs(ofList: $0) } ?? []
    case .optional, .range: return []
    }
  }

  /// The needs of a choice: a pair of one of its parts, if each part needs some.
  fileprivate static func oneOf(_ parts: [[[UInt64]]]) -> [[UInt64]] {
    var pairs: Set<UInt64> = []
    for part in parts {
      guard let fewest = part.min(by: { $0.count < $1.count }) else { return [] }
      pairs.formUnion(fewest)
      if pairs.count > mostAlternatives { return [] }
    }
    return [Array(pairs)]
  }

  /// Whether a template begins or ends with a wildcard.
  private static func isOpen(
    _ node: PhraseTemplate.Node, first: Bool, _ scope: Scope
  ) -> Bool {
    switch node {
    case .list(let name, _):
      scope.lists[scope.listPrefix + name].map { scope.wildcards.contains($0) } ?? false
    case .sequence(let parts):
      (first ? parts.first : parts.last).map { isOpen($0, first: first, scope) } ?? false
    default: false
    }
  }
}
