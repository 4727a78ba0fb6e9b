import CEL
import JSON

/// The state of a translation: the steps so far, the values, and the previous action's result.
struct Translation {
  /// The outcome of an action, with a note.
  enum Outcome {
    case translated
    /// Translated with a difference.
    case approximated(String)
    /// Not available here, with the feature it would need.
    case notHere(String)
  }

  var table = SlotTable()
  /// The steps of the innermost block.
  var steps: [Step] = []
  /// The previous action's result; nil for none.
  var last: Code = .nothing
  /// The slot of the input of the shortcut.
  let input: Int
  /// The input, or its substitute if there is none.
  private(set) var given: Code = .nothing
  /// Whether Set Variable without an input assigns nothing.
  let statesInputs: Bool
  /// Whether an unavailable action fails when it is reached.
  let failsAtMissing: Bool
  /// The name of the shortcut in the result.
  let ownName: String
  /// The actions, by output and by position, whose raw result is needed: a file instead of its
  /// contents, or HTML instead of text.
  let rawUses: Set<String>
  /// The actions whose result is filtered as files: a folder stands for the files in it.
  let listUses: Set<String>
  /// The names of the shortcuts that can be called.
  var knownNames: Set<String> = []
  /// The actions whose name is that of an item in a list that is chosen from.
  var namedUses: Set<String> = []
  /// Whether a list is chosen from.
  var choosesFromLists = false
  /// The dictionary of the names of items, by their text; nil if there is none.
  private(set) var itemNames: Int?
  /// Whether a step depends on the form of values in Apple's app.
  var needsForm = false
  /// Whether the shortcut calls itself with an input.
  var callsItself = false

  private var outputs: [String: Int] = [:]
  private var variables: [String: Int] = [:]
  /// The items and positions of the enclosing loops, outermost first.
  private var loops: [(item: Code, position: Code)] = []
  /// Whether the previous action's result was only shown.
  var isShown = false
  /// Whether all branches of the group end with a value that was only shown.
  var allShown = false

  init(
    named name: String, statesInputs: Bool, failsAtMissing: Bool, rawUses: Set<String>,
    listUses: Set<String>
  ) {
    ownName = name
    self.statesInputs = statesInputs
    self.failsAtMissing = failsAtMissing
    self.rawUses = rawUses
    self.listUses = listUses
    var slot = Slot("input")
    slot.isFixed = true
    input = table.add(slot)
    given = .slot(input)
    last = given
  }

  // MARK: Actions

  /// Adds the steps for a missing input.
  ///
  /// - Parameter takesLinks: Whether the input is the addresses in what is given.
  mutating func begin(withoutInput absence: ShortcutFile.InputAbsence, takesLinks: Bool) {
    if takesLinks {
      var links = Slot("links")
      links.definitions = [.cel("", .texts)]
      let place = table.add(links)
      steps.append(.value(.cel("findLinks(\(given.bare))", .texts), slot: place))
      given = .slot(place)
    }
    let isMissing: Code = .cel("!hasValue(\(given.bare))", .flag)
    switch absence {
    case .ignored, .asked: return
    case .stops(let message):
      steps.append(
        Step(
          .choice(
            [(isMissing, [Step(.call("say", [(nil, .text(message))])), Step(.call("stop", []))])],
            otherwise: nil)))
    case .fromClipboard:
      var slot = Slot("given")
      slot.definitions = [.cel("", .any)]
      let place = table.add(slot)
      var clipboard = Slot("clipboard")
      clipboard.definitions = [.cel("", .text)]
      let pasted = table.add(clipboard)
      var step = Step(
        .choice([(isMissing, [Step(.call("paste", []), slot: pasted)])], otherwise: []),
        slot: place)
      step.results = [.slot(pasted), given]
      steps.append(step)
      given = .slot(place)
    }
    last = given
  }

  /// Translates nodes to steps.
  mutating func block(_ nodes: [ActionTree.Node], _ report: inout [Int: Outcome]) -> [Step] {
    let outer = steps
    steps = []
    for node in nodes {
      switch node {
      case .action(let action): report[action.index] = translate(action)
      case .group(let opening, let branches, let end):
        let outcome = group(opening, branches, end: end, &report)
        report[opening.index] = outcome
        for branch in branches where branch.opening.index >= 0 {
          report[branch.opening.index] = outcome
        }
        if let end { report[end.index] = outcome }
      }
    }
    defer { steps = outer }
    return steps
  }

  private mutating func translate(_ action: ActionTree.Action) -> Outcome {
    guard let row = ActionTable.rows[action.name] else {
      let need = ActionTable.needs[action.name] ?? ActionTable.need(ofUnknown: action.name)
      missing(need, action)
      return .notHere(Self.line(need))
    }
    isShown = false
    let count = steps.count
    let outcome = row.translate(&self, action)
    if case .notHere(let need) = outcome {
      steps.removeSubrange(count...)
      missing(need, action)
      return .notHere(Self.line(need))
    }
    if case .approximated(let note) = outcome, Self.changesResults(note),
      action.name != "setitemname" || !isShownByName(action)
    {
      steps.insert(Step(.comment(["approximated: \(note)"])), at: min(count, steps.count))
    }
    return outcome
  }

  /// Whether the result of an approximation can be another one than in Apple's app.
  private static func changesResults(_ note: String) -> Bool {
    let changes = [
      "not filtered", "not sorted", "scripts of the page", "copied always", "one date",
      "as it is", "the name ", "it does not wait", "nothing comes back", "by their digits",
      "without its metadata", "is asked", "is typed", "of the first battery",
      "details of this machine",
    ]
    return changes.contains { note.contains($0) }
  }

  /// A need as part of a comment, on a single line.
  private static func line(_ need: String) -> String {
    let letters = need.unicodeScalars.prefix(120).map { YAMLText.isPrintable($0) ? $0 : " " }
    return String(String.UnicodeScalarView(letters))
  }

  /// The line that keeps an action for the way back; none if it is too long.
  private static func kept(_ action: ActionTree.Action) -> [String] {
    let line = "apple: \(action.identifier)"
    if action.parameters.isEmpty { return [line] }
    guard let json = try? JSONWriter().text(of: .map(action.parameters)), json.utf8.count <= 4096,
      json.unicodeScalars.allSatisfy(YAMLText.isPrintable)
    else { return [] }
    return ["\(line) \(json)"]
  }

  /// Adds a placeholder for an unavailable action.
  private mutating func missing(_ need: String, _ action: ActionTree.Action) {
    let need = Self.line(need)
    steps.append(Step(.comment(["not here: \(need)"] + Self.kept(action))))
    let slot = output(of: action)
    if failsAtMissing {
      steps.append(
        Step(
          .call(
            "fail", [("message", .text("Not here: \(need).")), ("code", .word("not-here"))])))
    } else {
      table.slots[slot].missing = "not here: \(need)"
    }
    steps.append(.value(.nothing, slot: slot))
    last = .slot(slot)
  }

  // MARK: Results

  /// The slot of the output of an action.
  func knownOutput(_ id: String) -> Int? { outputs[id] }

  mutating func output(of action: ActionTree.Action, name: String? = nil) -> Int {
    let custom = action.word("CustomOutputName")
    guard let id = action.uuid else {
      return table.add(Slot(name ?? custom ?? "output"))
    }
    return output(id, name: custom ?? name, isNamed: custom != nil)
  }

  mutating func output(_ id: String, name: String?, isNamed: Bool = false) -> Int {
    if let slot = outputs[id] {
      if let name, !table.slots[slot].isNamed, isNamed || table.slots[slot].name == "output" {
        table.slots[slot].name = name
        table.slots[slot].isNamed = isNamed
      }
      return slot
    }
    var slot = Slot(name ?? "output")
    slot.isNamed = isNamed
    outputs[id] = table.add(slot)
    return outputs[id] ?? 0
  }

  /// Gives a computed value as the output of an action.
  mutating func give(_ code: Code, _ action: ActionTree.Action, name: String) {
    let slot = output(of: action, name: name)
    table.slots[slot].definitions.append(code)
    copyTraits(of: code, to: slot)
    steps.append(.value(code, slot: slot))
    last = .slot(slot)
  }

  /// Gives the value of a call as the output of an action.
  mutating func give(
    _ verb: String, _ arguments: [(key: String?, value: Step.Argument)], kind: Code.Kind,
    of action: ActionTree.Action, name: String
  ) {
    let slot = output(of: action, name: name)
    table.slots[slot].definitions.append(.cel("", kind))
    steps.append(Step(.call(verb, arguments), slot: slot))
    last = .slot(slot)
  }

  /// Gives an existing value.
  mutating func pass(_ code: Code, _ action: ActionTree.Action, name: String = "output") {
    // Its output has a separate name, which is used only if an action refers to it.
    if action.uuid != nil {
      give(code, action, name: name)
    } else {
      last = code
    }
  }

  /// Adds a call without a value.
  mutating func call(_ verb: String, _ arguments: [(key: String?, value: Step.Argument)]) {
    steps.append(Step(.call(verb, arguments)))
  }

  /// Adds a call whose value is used only within the same action.
  mutating func local(
    _ verb: String, _ arguments: [(key: String?, value: Step.Argument)], _ kind: Code.Kind,
    name: String
  ) -> Code {
    var slot = Slot(name)
    slot.definitions = [.cel("", kind)]
    let place = table.add(slot)
    steps.append(Step(.call(verb, arguments), slot: place))
    return .slot(place)
  }

  /// A value used by several steps.
  mutating func local(_ code: Code, name: String) -> Code {
    var slot = Slot(name)
    slot.definitions = [code]
    let place = table.add(slot)
    steps.append(.value(code, slot: place))
    return .slot(place)
  }

  private mutating func copyTraits(of code: Code, to slot: Int) {
    guard case .slot(let source) = code else { return }
    table.slots[slot].pattern = table.slots[source].pattern
    table.slots[slot].itemName = table.slots[source].itemName
    table.slots[slot].form = table.slots[source].form
  }

  /// The known facts about the value of an expression; creates the expression first.
  func traits(_ code: Code) -> Slot? {
    switch code {
    case .slot(let slot), .bare(let slot): table.slots[slot]
    case .converted(_, let inner): traits(inner)
    case .source(let source, _) where source.pieces.count <= 3:
      source.pieces.lazy.compactMap { if case .code(let code) = $0 { traits(code) } else { nil } }
        .first
    default: nil
    }
  }

  /// Changes the facts about the last given value.
  mutating func note(_ change: (inout Slot) -> Void) {
    if case .slot(let slot) = last { change(&table.slots[slot]) }
  }

  // MARK: Names of items

  /// Whether a list can show the name of an item.
  func isShownByName(_ action: ActionTree.Action) -> Bool {
    choosesFromLists
      && (loopDepth > 0 || namedUses.contains(action.uuid ?? "")
        || namedUses.contains(String(action.index)))
  }

  /// Keeps the name of an item for the lists that show it.
  mutating func noteName(_ name: Code, of item: Code) {
    let place: Int
    if let known = itemNames {
      place = known
    } else {
      place = table.add(Slot("names"))
      itemNames = place
      table.slots[place].isMap = true
    }
    table.slots[place].definitions.append(.cel("", .dictionary))
    steps.append(
      Step(.set(place, .cel("withKey(\(.slot(place)), \(item.asText), \(name))", .dictionary))))
  }

  // MARK: Variables

  mutating func variable(_ name: String) -> Int {
    if let slot = variables[name] { return slot }
    var slot = Slot(name)
    slot.isNamed = true
    slot.isVariable = true
    variables[name] = table.add(slot)
    return variables[name] ?? 0
  }

  /// Declares a parameter that stands for a variable.
  mutating func declare(_ variable: String, _ name: String) -> Int {
    let slot = fixed(name, .cel("", .text))
    variables[variable] = slot
    return slot
  }

  mutating func assign(_ name: String, _ code: Code) {
    let slot = variable(name)
    table.slots[slot].definitions.append(code)
    copyTraits(of: code, to: slot)
    steps.append(Step(.set(slot, code)))
  }

  /// A variable by its name, which may be a loop's item or position.
  mutating func named(_ name: String) -> Code {
    for (prefix, isItem) in [("Repeat Item", true), ("Repeat Index", false)]
    where name.hasPrefix(prefix) && variables[name] == nil {
      let rest = name.dropFirst(prefix.count).drop { $0 == " " }
      guard let number = rest.isEmpty ? 1 : Int(rest) else { continue }
      guard number <= loops.count, number > 0 else { return .nothing }
      return isItem ? loops[number - 1].item : loops[number - 1].position
    }
    return .slot(variable(name))
  }

  /// Translates the body of a loop.
  mutating func loop(
    item: Code, position: Code, _ nodes: [ActionTree.Node], _ report: inout [Int: Outcome]
  ) -> [Step] {
    loops.append((item, position))
    defer { loops.removeLast() }
    return block(nodes, &report)
  }

  var loopDepth: Int { loops.count }

  mutating func fixed(_ name: String, _ kind: Code?) -> Int {
    var slot = Slot(name)
    slot.isFixed = true
    if let kind { slot.definitions = [kind] }
    return table.add(slot)
  }
}
