extension StepPlan {
  /// The places where slots are defined and used.
  struct Places {
    /// A place: the position of a step, and the number of the enclosing block.
    struct Place {
      let order: Int
      let block: Int
      /// The size of the expressions of the step; nil if nothing can be inserted into them.
      var size: Int?
      /// Whether the value is a whole argument.
      var isWhole = false
      /// Whether the value is the result of the shortcut.
      var isOutput = false
    }

    var definitions: [Int: [Place]] = [:]
    var uses: [Int: [Place]] = [:]
    /// The enclosing block of each block.
    var parents: [Int] = [-1]
    /// The blocks that are bodies of loops.
    var loops: Set<Int> = []
    private var order = 0

    init(_ steps: [Step]) { read(steps, 0) }

    private mutating func read(_ steps: [Step], _ block: Int) {
      for step in steps {
        order += 1
        var used: [Int] = []
        var size = 0
        step.visitCodes { code in
          size = max(size, code.expressionSize)
          code.visitSlots { used.append($0) }
        }
        for slot in used {
          uses[slot, default: []].append(
            Place(
              order: order, block: block, size: step.takesExpressions ? size : nil,
              isWhole: step.takesWhole(slot), isOutput: step.isOutput))
        }
        let isLoop =
          switch step.content {
          case .each, .times: true
          default: false
          }
        for inner in step.blocks {
          parents.append(block)
          if isLoop { loops.insert(parents.count - 1) }
          read(inner, parents.count - 1)
        }
        order += 1
        if let slot = step.slot {
          definitions[slot, default: []].append(Place(order: order, block: block))
        }
        if case .set(let slot, _) = step.content {
          definitions[slot, default: []].append(Place(order: order, block: block))
        }
      }
    }

    /// Whether the only use of a slot is reached once for each definition.
    func isReachedOnce(_ slot: Int) -> Bool {
      guard let definition = definitions[slot]?.first, let use = uses[slot]?.first else {
        return false
      }
      var block = use.block
      while block > definition.block {
        if loops.contains(block) { return false }
        block = parents[block]
      }
      return block == definition.block
    }

    /// Whether a slot is defined once, before all its uses, in a block that encloses them.
    func isBinding(_ slot: Int) -> Bool {
      guard let places = definitions[slot] else { return true }
      guard places.count == 1 else { return false }
      return (uses[slot] ?? []).allSatisfy { use in
        guard use.order > places[0].order else { return false }
        var block = use.block
        while block > places[0].block { block = parents[block] }
        return block == places[0].block
      }
    }
  }
}
