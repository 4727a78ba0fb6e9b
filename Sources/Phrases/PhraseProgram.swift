/// A compiled template, or the values of a list: instructions of a machine that is in many places at
/// once.
struct PhraseProgram: Sendable {
  enum Instruction: Sendable {
    /// One scalar of a word.
    case scalar(Unicode.Scalar)
    /// A space.
    case space
    case jump(Int)
    case split([Int])
    /// A list by its number, with the number of its slot; nil for none.
    case list(Int, slot: Int?)
    /// The end; of a list, the number of the value.
    case match(Int)
  }

  private(set) var code: [Instruction] = []
  /// Whether the first and the last part is a wildcard.
  private(set) var startsOpen = false
  private(set) var endsOpen = false

  /// Sets of pairs of scalars; a matching sentence has at least one pair of each set.
  private(set) var needs: [[UInt64]] = []

  /// The maximum number of instructions, so that nested groups cannot fill the memory.
  static let limit = 40_000

  /// The names that templates refer to.
  struct Scope {
    var rules: [String: PhraseTemplate.Node]
    var lists: [String: Int]
    var wildcards: Set<Int>
    var slots: [String: Int] = [:]
    var slotNames: [String] = []
    /// The needs of lists, by their numbers.
    var needsOfLists: [Int: [[UInt64]]] = [:]
    /// Ranges that stand in templates, as lists.
    var ranges: [PhraseList.Range] = []
    var firstRange: Int

    mutating func slot(_ name: String) -> Int {
      if let number = slots[name] { return number }
      slots[name] = slotNames.count
      slotNames.append(name)
      return slotNames.count - 1
    }
  }

  /// Compiles a template.
  init(_ template: PhraseTemplate, in scope: inout Scope) throws(PhraseError) {
    try add(template.root, in: &scope, [])
    code.append(.match(0))
    needs = Array(Set(Self.needs(template.root, scope)))
    startsOpen = Self.isOpen(template.root, first: true, scope)
    endsOpen = Self.isOpen(template.root, first: false, scope)
  }

  /// Compiles the values of a list.
  init(values: [PhraseTemplate], in scope: inout Scope) throws(PhraseError) {
    code.append(.split([]))
    var starts: [Int] = []
    for (number, value) in values.enumerated() {
      starts.append(code.count)
      try add(value.root, in: &scope, [])
      code.append(.match(number))
    }
    code[0] = .split(starts)
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
      try emit(.split([]))
      try add(part, in: &scope, inside)
      code[start] = .split([start + 1, code.count])
    case .choice(let parts): try addChoice(parts, in: &scope, inside)
    case .permutation(let parts):
      guard parts.count <= 6 else { throw PhraseError("a permutation has more than six parts") }
      let orders = Self.orders(parts.count).map { order -> PhraseTemplate.Node in
        // Spaces stand around each part.
        .sequence(order.flatMap { [.text([" "]), parts[$0], .text([" "])] })
      }
      try addChoice(orders, in: &scope, inside)
    case .list(let name, let slot):
      guard let list = scope.lists[name] else { throw PhraseError("there is no list `\(name)`") }
      try emit(.list(list, slot: slot.map { scope.slot($0) }))
    case .range(let range, let slot):
      scope.ranges.append(range)
      try emit(.list(scope.firstRange + scope.ranges.count - 1, slot: slot.map { scope.slot($0) }))
    case .rule(let name):
      guard let rule = scope.rules[name] else { throw PhraseError("there is no rule `\(name)`") }
      guard !inside.contains(name) else { throw PhraseError("the rule `\(name)` refers to itself") }
      try add(rule, in: &scope, inside.union([name]))
    }
  }

  private mutating func addChoice(
    _ parts: [PhraseTemplate.Node], in scope: inout Scope, _ inside: Set<String>
  ) throws(PhraseError) {
    let start = code.count
    try emit(.split([]))
    var starts: [Int] = []
    var ends: [Int] = []
    for part in parts {
      starts.append(code.count)
      try add(part, in: &scope, inside)
      ends.append(code.count)
      try emit(.jump(0))
    }
    code[start] = .split(starts)
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

  /// The largest number of pairs of which one is needed.
  private static let mostAlternatives = 200

  /// The pairs that a part needs: of each element at least one.
  static func needs(_ node: PhraseTemplate.Node, _ scope: Scope) -> [[UInt64]] {
    switch node {
    case .text(let scalars): PhraseSentence.pairs(of: scalars).map { [$0] }
    case .sequence(let parts), .permutation(let parts): parts.flatMap { needs($0, scope) }
    case .rule(let name): scope.rules[name].map { needs($0, scope) } ?? []
    case .choice(let parts): oneOf(parts.map { needs($0, scope) })
    case .list(let name, _): scope.lists[name].flatMap { scope.needsOfLists[$0] } ?? []
    case .optional, .range: []
    }
  }

  /// The needs of a choice: a pair of one of its parts, if each part needs some.
  static func oneOf(_ parts: [[[UInt64]]]) -> [[UInt64]] {
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
    case .list(let name, _): scope.lists[name].map { scope.wildcards.contains($0) } ?? false
    case .sequence(let parts):
      (first ? parts.first : parts.last).map { isOpen($0, first: first, scope) } ?? false
    default: false
    }
  }
}
