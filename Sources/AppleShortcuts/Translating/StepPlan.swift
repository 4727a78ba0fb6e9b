/// Makes a translation idiomatic: drops unused values, names values where needed, and inlines
/// literals that are used once.
struct StepPlan {
  private(set) var steps: [Step]
  private(set) var table: SlotTable
  /// The constants that are declared once, by slot, in order.
  private(set) var constants: [(slot: Int, code: Code)] = []

  /// The files beside the result.
  private(set) var attachments: [ShortcutTranslator.Attachment] = []
  private let folder: String?

  /// Plans steps.
  ///
  /// - Parameter folder: The folder of files beside the result; nil for none.
  init(_ steps: [Step], _ table: SlotTable, folder: String? = nil) {
    self.folder = folder
    self.steps = Self.reachable(steps)
    self.table = table
    placeResults()
    insertValues()
    let places = Places(self.steps)
    findVariables(places)
    self.steps = withoutConstants(self.steps, places)
    let used = Set(Places(self.steps).uses.keys)
    self.steps = self.steps.flatMap { simplified($0, used) }
    insertValues()
    findVariables(Places(self.steps))
  }

  /// The steps up to the first that ends the shortcut, in each block.
  private static func reachable(_ steps: [Step]) -> [Step] {
    let end = steps.firstIndex(where: \.isEnd).map { $0 + 1 } ?? steps.count
    return steps[..<end].map { $0.mapping({ $0 }, blocks: reachable) }
  }

  /// Writes values where they are used.
  private mutating func insertValues() {
    // Each round can enable further simplifications; a few suffice, and each is linear.
    for _ in 0..<6 {
      let places = Places(self.steps)
      findVariables(places)
      var changed = false
      var replacements: [Int: Code] = [:]
      // A variable that is never set has no value.
      for slot in places.uses.keys
      where places.definitions[slot] == nil && !table.slots[slot].isFixed
        && !table.slots[slot].isInline && !table.slots[slot].isConstant
      {
        replacements[slot] = .nothing
      }
      self.steps = tidied(self.steps, at: places, replacements: &replacements, changed: &changed)
      if !replacements.isEmpty { self.steps = replaced(self.steps, replacements) }
      if !changed { break }
    }
  }

  private mutating func findVariables(_ places: Places) {
    table.variables = Set(places.definitions.keys.filter { !places.isBinding($0) })
  }

  // MARK: Results of blocks

  /// Adds the values at the ends of branches whose block is used as a value.
  private mutating func placeResults() {
    var used: Set<Int> = []
    func collect(_ steps: [Step]) {
      for step in steps {
        step.visitCodes { $0.visitSlots { used.insert($0) } }
        if let slot = step.slot, used.contains(slot) {
          for code in step.results { code.visitSlots { used.insert($0) } }
        }
        for block in step.blocks { collect(block) }
      }
    }
    // A result may use that of another block: repeat until the set is stable.
    var count = -1
    while count != used.count {
      count = used.count
      collect(steps)
    }
    steps = withResults(steps, used)
  }

  private mutating func withResults(_ steps: [Step], _ used: Set<Int>) -> [Step] {
    steps.flatMap { step in withResults(step, used) }
  }

  private mutating func withResults(_ step: Step, _ used: Set<Int>) -> [Step] {
    do {
      var step = step.mapping({ $0 }, blocks: { withResults($0, used) })
      let isUsed = step.slot.map { used.contains($0) } ?? false
      let results = step.results
      step.results = []
      guard isUsed, !results.isEmpty else { return [step] }
      switch step.content {
      case .choice(var branches, var otherwise):
        for index in branches.indices {
          branches[index].steps = ended(branches[index].steps, results[index])
        }
        otherwise = ended(otherwise ?? [], results[branches.count])
        step.content = .choice(branches, otherwise: otherwise)
      case .menu(let prompt, var options):
        for index in options.indices {
          options[index].steps = ended(options[index].steps, results[index])
        }
        step.content = .menu(prompt, options)
      case .each(let item, let list, let index, let steps):
        step.content = .each(item: item, list: list, index: index, ended(steps, itemOf(results[0])))
        return flattened(step, results[0])
      case .times(let count, let index, let steps):
        step.content = .times(count, index: index, ended(steps, itemOf(results[0])))
        return flattened(step, results[0])
      case .comment, .call, .set, .attempt: break
      }
      return [step]
    }
  }

  /// The value of an iteration: a list, unless it is certainly a single item.
  private func itemOf(_ code: Code) -> Code {
    (table.kind(of: table.simplified(code)) ?? .any).isSingle ? code : code.asList
  }

  /// A loop whose value is the concatenated items of all iterations.
  private mutating func flattened(_ step: Step, _ code: Code) -> [Step] {
    if (table.kind(of: table.simplified(code)) ?? .any).isSingle { return [step] }
    guard let slot = step.slot else { return [step] }
    var step = step
    var raw = Slot("passes")
    raw.definitions = [.cel("", .list)]
    let inner = table.add(raw)
    step.slot = inner
    return [step, .value(.cel("\(.slot(inner)).flatten()", .list), slot: slot)]
  }

  /// A branch that ends with a value.
  private func ended(_ steps: [Step], _ code: Code) -> [Step] {
    if steps.last?.isEnd ?? false { return steps }
    if case .slot(let slot) = code, let last = steps.lastIndex(where: \.setsIt),
      steps[last].slot == slot
    {
      var steps = steps
      steps[last].isResult = true
      return steps
    }
    return steps + [.kept(code)]
  }

  // MARK: Values

  /// Drops unused values, and finds values that can be inlined.
  private mutating func tidied(
    _ steps: [Step], at places: Places, replacements: inout [Int: Code], changed: inout Bool
  ) -> [Step] {
    var result: [Step] = []
    for (index, step) in steps.enumerated() {
      var step = step
      if let kept = tidied(
        step, next: steps[(index + 1)...], at: places, replacements: &replacements,
        changed: &changed)
      {
        step = kept
      } else {
        changed = true
        continue
      }
      if !step.blocks.isEmpty {
        var blocks: [[Step]] = []
        for block in step.blocks {
          blocks.append(tidied(block, at: places, replacements: &replacements, changed: &changed))
        }
        var rest = blocks[...]
        step = step.mapping({ $0 }, blocks: { _ in rest.popFirst() ?? [] })
      }
      result.append(step)
    }
    return result
  }

  private mutating func tidied(
    _ step: Step, next: ArraySlice<Step>, at places: Places, replacements: inout [Int: Code],
    changed: inout Bool
  ) -> Step? {
    if step.isResult { return step }
    if case .set(let slot, let code) = step.content {
      if places.uses[slot] == nil { return nil }
      guard !table.variables.contains(slot) else { return step }
      if let other = constant(code, replacements) {
        if case .slot(let source) = other, !table.slots[source].isFixed, table.slots[slot].isNamed,
          !table.slots[source].isNamed
        {
          table.slots[source].name = table.slots[slot].name
          table.slots[source].isNamed = true
        }
        replacements[slot] = other
        return nil
      }
      changed = true
      return Step.value(code, slot: slot)
    }
    guard let code = step.pureCode.map(table.simplified) else { return step }
    guard let slot = step.slot, let uses = places.uses[slot] else { return nil }
    guard !table.variables.contains(slot) else { return step }
    if let other = constant(code, replacements) {
      replacements[slot] = other
      return nil
    }
    if table.slots[slot].missing != nil, !table.slots[slot].isOutput {
      table.slots[slot].isInline = true
      return nil
    }
    if case .text(let text) = code, text.utf8.count <= 60, !text.contains("\n"),
      uses.count == 2, uses[1].isOutput
    {
      replacements[slot] = code
      return nil
    }
    guard table.slots[slot].missing == nil else { return step }
    switch code {
    case .int, .flag, .nothing:
      replacements[slot] = code
      return nil
    default: break
    }
    guard uses.count == 1, !refersTo(code, replacements) else { return step }
    if isInlined(code, slot, uses[0], at: places) {
      replacements[slot] = code
      return nil
    }
    guard !table.slots[slot].isNamed else { return step }
    if let user = next.first(where: { if case .comment = $0.content { false } else { true } }),
      user.takesWhole(slot) || fits(code, in: user)
    {
      replacements[slot] = code
      return nil
    }
    return step
  }

  /// Whether a value with a single use is written where it is used.
  private func isInlined(
    _ code: Code, _ slot: Int, _ use: Places.Place, at places: Places
  ) -> Bool {
    if case .text(let text) = code, text.utf8.count <= 60, !text.contains("\n") { return true }
    if case .number = code { return true }
    if code.isConstant {
      return use.isWhole && code.size < 2000
        || code.size <= 60 && (use.size.map { $0 + code.size <= Self.maxSize } ?? false)
    }
    guard !code.isVolatile, places.isReachedOnce(slot) else { return false }
    var isFixed = true
    code.visitSlots { if table.variables.contains($0) { isFixed = false } }
    guard isFixed, case .dictionary = code else {
      return isFixed && (use.isWhole || use.size.map { $0 + code.size <= Self.maxSize } ?? false)
    }
    return false
  }

  /// The greatest size of an expression that others are inserted into.
  private static let maxSize = 150

  /// The step that reads a long constant from a file beside the result; nil for any other.
  private mutating func attached(_ code: Code, _ slot: Int) -> Step? {
    guard let folder, case .text(let text) = code, text.utf8.count > 2000 else { return nil }
    let decoded = HiddenContent.decoded(text)
    guard decoded != nil || text.utf8.count > 20_000 else { return nil }
    let count = attachments.count + 1
    let path = "\(folder)/\(SlotNames.identifier(table.slots[slot].name))-\(count)."
    guard let decoded, String(validating: decoded, as: UTF8.self) == nil else {
      attachments.append(.init(path: path + "txt", bytes: Array(text.utf8)))
      return Step(.call("read-file", [(nil, .text(path + "txt"))]), slot: slot)
    }
    let file = path + Self.fileExtension(of: decoded)
    attachments.append(.init(path: file, bytes: decoded))
    table.slots[slot].isDecoded = true
    return Step(
      .call("read-file", [("path", .text(file)), ("as", .word("bytes"))]), slot: slot)
  }

  /// The extension of a file by its first bytes.
  private static func fileExtension(of bytes: [UInt8]) -> String {
    let marks: [(String, [UInt8])] = [
      ("png", [0x89, 0x50, 0x4E, 0x47]), ("jpg", [0xFF, 0xD8, 0xFF]), ("gif", Array("GIF8".utf8)),
      ("pdf", Array("%PDF".utf8)), ("zip", [0x50, 0x4B, 3, 4]), ("mp3", Array("ID3".utf8)),
      ("ogg", Array("OggS".utf8)),
    ]
    if bytes.count > 8, Array(bytes[4..<8]) == Array("ftyp".utf8) { return "m4a" }
    return marks.first { bytes.starts(with: $0.1) }?.0 ?? "bin"
  }

  /// The steps without those that are constants, which are declared once.
  private mutating func withoutConstants(_ steps: [Step], _ places: Places) -> [Step] {
    var result: [Step] = []
    for step in steps {
      if let code = step.pureCode.map(table.simplified), code.isConstant, code.size > 40,
        !step.isResult,
        let slot = step.slot, places.uses[slot] != nil, !table.variables.contains(slot),
        table.slots[slot].missing == nil
      {
        if let step = attached(code, slot) {
          result.append(step)
          continue
        }
        constants.append((slot, code))
        table.slots[slot].isConstant = true
        continue
      }
      var blocks: [[Step]] = []
      for block in step.blocks { blocks.append(withoutConstants(block, places)) }
      var rest = blocks[...]
      result.append(step.mapping({ $0 }, blocks: { _ in rest.popFirst() ?? [] }))
    }
    return result
  }

  /// Whether an expression is short enough to be inlined into the step that uses it.
  private func fits(_ code: Code, in step: Step) -> Bool {
    switch code {
    case .source, .converted: break
    default: return false
    }
    guard step.takesExpressions else { return false }
    var size = 0
    step.visitCodes { size = max(size, $0.expressionSize) }
    return size + code.size <= Self.maxSize
  }

  private func refersTo(_ code: Code, _ replacements: [Int: Code]) -> Bool {
    var found = false
    code.visitSlots { if replacements[$0] != nil { found = true } }
    return found
  }

  /// The value that an expression is merely an alias of; nil if it computes or may be reassigned.
  private func constant(_ code: Code, _ replacements: [Int: Code]) -> Code? {
    guard case .slot(let slot) = table.simplified(code), !table.variables.contains(slot) else {
      return nil
    }
    guard let other = replacements[slot] else { return .slot(slot) }
    // A value that is inserted elsewhere would be written twice.
    if case .slot = other { return other }
    return other.isConstant && other.size <= 62 ? other : nil
  }

  private mutating func replaced(_ steps: [Step], _ replacements: [Int: Code]) -> [Step] {
    let change: (Code) -> Code = { code in
      code.replacing { slot in
        var found = replacements[slot]
        // Replacements may be chained.
        for _ in 0..<4 {
          guard case .slot(let next)? = found, let further = replacements[next] else { break }
          found = further
        }
        return found
      }
    }
    for index in table.slots.indices {
      table.slots[index].definitions = table.slots[index].definitions.map(change)
    }
    func replace(_ steps: [Step]) -> [Step] {
      steps.map { $0.mapping(change, blocks: replace) }
    }
    return replace(steps)
  }
}
