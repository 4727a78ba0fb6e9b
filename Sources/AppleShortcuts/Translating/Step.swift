/// A step of the result, before it is written.
struct Step {
  /// The kinds of steps.
  indirect enum Content {
    case comment([String])
    case call(String, [(key: String?, value: Argument)])
    /// The assignment of a variable.
    case set(Int, Code)
    case choice([(condition: Code, steps: [Step])], otherwise: [Step]?)
    case each(item: Int, list: Code, index: Int, [Step])
    case times(Code, index: Int, [Step])
    case menu(Argument?, [(title: Argument, steps: [Step])])
    case attempt([Step], on: String, [Step])
  }

  var content: Content
  /// The slot of its value.
  var slot: Int?
  /// The values at the end of each branch of a block, for its slot.
  var results: [Code] = []
  /// Whether it is the value of the block or shortcut it ends.
  var isResult = false

  init(_ content: Content, slot: Int? = nil) {
    self.content = content
    self.slot = slot
  }

  /// A step that only names or computes a value.
  static func value(_ code: Code, slot: Int?) -> Step {
    Step(.call("value", [(nil, .code(code))]), slot: slot)
  }

  /// A value that ends a block.
  static func kept(_ code: Code) -> Step {
    var step = value(code, slot: nil)
    step.isResult = true
    return step
  }

  /// The code of a step that only computes a value.
  var pureCode: Code? {
    if case .call("value", let arguments) = content, arguments.count == 1,
      case .code(let code) = arguments[0].value
    {
      return code
    }
    return nil
  }

  /// The verbs that do not change `it`.
  private static let silent: Set = [
    "say", "show", "log", "set", "copy", "record-use", "open-url", "delete", "wait", "notify",
    "progress", "activity", "return", "stop", "fail",
  ]

  /// Whether it ends the shortcut.
  var isEnd: Bool {
    if case .call(let verb, _) = content {
      ["return", "stop", "fail"].contains(verb)
    } else {
      false
    }
  }

  /// Whether it sets `it`.
  var setsIt: Bool {
    switch content {
    case .comment, .set: false
    case .call(let verb, _): !Self.silent.contains(verb)
    case .choice, .each, .times, .menu, .attempt: true
    }
  }

  /// An argument of a call.
  indirect enum Argument {
    case code(Code)
    /// A word of Errand's language, such as `text`.
    case word(String)
    case map([(key: String, value: Argument)])
    case list([Argument])

    static func text(_ text: String) -> Argument { .code(.text(text)) }

    func visitCodes(_ body: (Code) -> Void) {
      switch self {
      case .code(let code): body(code)
      case .word: break
      case .map(let entries): for entry in entries { entry.value.visitCodes(body) }
      case .list(let values): for value in values { value.visitCodes(body) }
      }
    }

    func mapping(_ change: (Code) -> Code) -> Argument {
      switch self {
      case .code(let code): .code(change(code))
      case .word: self
      case .map(let entries): .map(entries.map { ($0.key, $0.value.mapping(change)) })
      case .list(let values): .list(values.map { $0.mapping(change) })
      }
    }
  }

  /// Whether it gives the result of the shortcut.
  var isOutput: Bool { if case .call("output", _) = content { true } else { false } }

  /// Whether expressions can be inserted into its own.
  var takesExpressions: Bool {
    switch content {
    case .comment, .attempt: false
    default: true
    }
  }

  /// Whether a value is one of its whole arguments.
  func takesWhole(_ slot: Int) -> Bool {
    func isIt(_ code: Code) -> Bool {
      switch code {
      case .slot(let other), .bare(let other): other == slot
      case .converted(.text, let inner), .converted(.list, let inner): isIt(inner)
      default: false
      }
    }
    switch content {
    case .set(_, let code), .each(_, let code, _, _): return isIt(code)
    case .call(_, let arguments):
      return arguments.contains { argument in
        if case .code(let code) = argument.value { isIt(code) } else { false }
      }
    default: return false
    }
  }

  /// Calls a closure with each expression of the step itself, excluding nested steps.
  func visitCodes(_ body: (Code) -> Void) {
    switch content {
    case .comment, .attempt: break
    case .call(_, let arguments): for argument in arguments { argument.value.visitCodes(body) }
    case .set(_, let code), .each(_, let code, _, _), .times(let code, _, _): body(code)
    case .choice(let branches, _): for branch in branches { body(branch.condition) }
    case .menu(let prompt, let options):
      prompt?.visitCodes(body)
      for option in options { option.title.visitCodes(body) }
    }
  }

  /// The nested lists of steps, in order.
  var blocks: [[Step]] {
    switch content {
    case .comment, .call, .set: []
    case .choice(let branches, let otherwise):
      branches.map(\.steps) + (otherwise.map { [$0] } ?? [])
    case .each(_, _, _, let steps), .times(_, _, let steps): [steps]
    case .menu(_, let options): options.map(\.steps)
    case .attempt(let steps, _, let others): [steps, others]
    }
  }

  /// The same step with its own expressions and its nested steps transformed.
  func mapping(_ change: (Code) -> Code, blocks: ([Step]) -> [Step]) -> Step {
    var step = self
    step.results = results.map(change)
    switch content {
    case .comment: break
    case .call(let verb, let arguments):
      step.content = .call(verb, arguments.map { ($0.key, $0.value.mapping(change)) })
    case .set(let slot, let code): step.content = .set(slot, change(code))
    case .choice(let branches, let otherwise):
      step.content = .choice(
        branches.map { (change($0.condition), blocks($0.steps)) },
        otherwise: otherwise.map(blocks))
    case .each(let item, let list, let index, let steps):
      step.content = .each(item: item, list: change(list), index: index, blocks(steps))
    case .times(let count, let index, let steps):
      step.content = .times(change(count), index: index, blocks(steps))
    case .menu(let prompt, let options):
      step.content = .menu(
        prompt?.mapping(change), options.map { ($0.title.mapping(change), blocks($0.steps)) })
    case .attempt(let steps, let on, let others):
      step.content = .attempt(blocks(steps), on: on, blocks(others))
    }
    return step
  }
}
