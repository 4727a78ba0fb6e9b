import CEL
import Catalog
import Items
import Program
import Store

/// `create`: creates an item.
enum CreateVerb: Verb {
  static let word = "create"
  static let entity = Argument<ArgumentName>("entity", at: 0, .entityName, required: true)
  static let set = Argument<[CompiledArgument.Field]>("set", at: 1, .fields(.creation))
  static let onConflict = Argument<ArgumentName>(
    "onConflict", at: 2, .choice(ConflictPolicy.allCases.map(\.rawValue)))
  static let from = Argument<String>("from", at: 3, .value(.file))

  static let signature = VerbSignature(
    word, [entity, set, onConflict, from],
    effect: .write, traits: .setsIt, capabilities: { $0.capabilities(.read, path: from) },
    resultType: ResultType { call in call.name(entity).map(DataType.entity) })

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    guard let entity = arguments.name(entity) else { return .null }
    let run = arguments.run
    let definition = try run.workspace.entity(entity).definition
    var values = try arguments.properties(set, of: definition)
    if let path = try arguments.text(from) {
      let file = try run.path(path)
      try arguments.runner.permit(.read, file)
      values = try run.keeping(file, in: values, of: definition)
    }
    let policy = arguments.name(onConflict).flatMap(ConflictPolicy.init) ?? .fail
    return .object(try run.create(entity, values, onConflict: policy))
  }
}

/// `update`: updates an item.
enum UpdateVerb: Verb {
  static let word = "update"
  static let item = Argument<Item>("item", at: 0, .value(.any), required: true, role: .item)
  static let set = Argument<[CompiledArgument.Field]>("set", at: 1, .fields(.change))
  static let add = Argument<[CompiledArgument.Field]>("add", at: 2, .fields(.change))
  static let remove = Argument<[CompiledArgument.Field]>("remove", at: 3, .fields(.change))

  static let signature = VerbSignature(
    word, [item, set, add, remove],
    effect: .write, traits: .setsIt, alternatives: .init(["set", "add", "remove"]),
    resultType: ResultType { call in
      guard case .value(let value, _, _) = call[item], let type = value.type?.unwrapped,
        case .entity = type
      else { return nil }
      return type
    })

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let run = arguments.run
    let (item, reference) = try arguments.savedItem(item)
    let definition = try run.workspace.entity(item.entity).definition
    let set = try LinkSigning(run: run).opened(
      arguments.properties(set, of: definition), of: definition)
    let add = try arguments.properties(add, of: definition)
    let remove = try arguments.properties(remove, of: definition)
    return .object(
      try run.stored(item.entity) {
        try $0.items.update(reference, set: set, add: add, remove: remove)
      })
  }
}

/// `delete`: deletes an item after confirmation.
enum DeleteVerb: Verb {
  static let word = "delete"
  static let item = Argument<Item>("item", at: 0, .value(.any), required: true, role: .item)
  static let confirm = Argument<Bool>("confirm", at: 1, .value(.bool))

  static let signature = VerbSignature(
    word, [item, confirm], effect: .write, confirms: confirms,
    unanswered: unanswered)

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let run = arguments.run
    let (item, reference) = try arguments.savedItem(item)
    if try arguments.value(confirm) != .bool(false) {
      let prompt = run.words.delete(arguments.renderer.title(of: item), "\(reference)")
      guard try run.asker.confirm(prompt, keys: step.answerKeys, danger: false) else {
        throw RunError.declined(prompt, "Nothing deleted.")
      }
    }
    try run.stored(item.entity) { try $0.items.delete(reference) }
    return nil
  }

  /// Advice for a confirmation in a non-interactive run; nil if it is uncertain whether the call
  /// asks.
  private static func unanswered(_ call: VerbCall) -> String? {
    if case .value(let value, _, _)? = call[confirm], value.known != .bool(true) { return nil }
    return "add `confirm: false`"
  }

  /// Whether the call asks for confirmation, as far as known before the run.
  private static func confirms(_ call: VerbCall) -> Bool {
    call.flag(confirm, else: true) != false
  }
}

/// `get`: returns the item that a text refers to.
enum GetVerb: Verb {
  static let word = "get"
  static let ref = Argument<Value>("ref", at: 0, .value(.any), required: true, role: .item)
  static let entity = Argument<ArgumentName>("entity", at: 1, .entityName)

  static let signature = VerbSignature(
    word, [ref, entity], effect: .read, traits: .setsIt,
    resultType: ResultType { call in call.name(entity).map(DataType.entity) })

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let value = try arguments.value(ref) ?? .null
    let runner = arguments.runner
    guard let entity = arguments.name(entity) else {
      if case .object = value { return value }
      let text = runner.renderer.text(of: value)
      return .object(try ItemResolver(run: runner.run).item(reference: text))
    }
    // A bare number is the ID of an item of the entity.
    if let id = value.asInt {
      return .object(try ItemResolver(run: runner.run).item(String(id), of: entity, named: "ref"))
    }
    return try runner.run.converter.convert(value, to: .entity(entity), named: "ref")
  }
}

/// `record-use`: counts a use of an item for ranking.
enum RecordUseVerb: Verb {
  static let word = "record-use"
  static let item = Argument<Item>("item", at: 0, .value(.any), required: true, role: .item)
  static let how = Argument<ArgumentName>("how", at: 1, .choice(["open", "share", "save"]))

  static let signature = VerbSignature(word, [item, how], effect: .write)

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let (item, reference) = try arguments.savedItem(item)
    let uses: [String?: Use] = ["share": .share, "save": .save]
    let use = uses[arguments.name(how)] ?? .open
    try arguments.run.stored(item.entity) { store in
      // On a read-only library the use is ignored rather than an error.
      if !store.isReadOnly { try store.items.recordUse(of: reference, as: use) }
    }
    return nil
  }
}
