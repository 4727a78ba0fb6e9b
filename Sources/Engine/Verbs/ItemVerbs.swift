import CEL
import Catalog
import Items
import Program
import Store

/// `create`: creates an item.
enum CreateVerb: PlainVerb {
  static let word = "create"
  static let entity = Argument<ArgumentName>("entity", at: 0, .entityName, required: true)
  static let set = Argument<[CompiledArgument.Field]>("set", at: 1, .fields(.creation))
  static let onConflict = Argument<ArgumentName>(
    "onConflict", at: 2, .choice(ConflictPolicy.allCases.map(\.rawValue)))
  static let from = Argument<String>("from", at: 3, .value(.file))

  static let signature = VerbSignature(
    word, [entity.declaration, set.declaration, onConflict.declaration, from.declaration],
    effect: .write, traits: .setsIt, touches: { $0.touches(.read, path: from) },
    resultType: ResultType { call in call.name(entity).map(DataType.entity) })

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    guard let entity = arguments.name(entity) else { return .null }
    let run = arguments.runner.run
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

/// `update`: changes an item.
enum UpdateVerb: PlainVerb {
  static let word = "update"
  static let item = Argument<Item>("item", at: 0, .value(.any), required: true, role: .item)
  static let set = Argument<[CompiledArgument.Field]>("set", at: 1, .fields(.change))
  static let add = Argument<[CompiledArgument.Field]>("add", at: 2, .fields(.change))
  static let remove = Argument<[CompiledArgument.Field]>("remove", at: 3, .fields(.change))

  static let signature = VerbSignature(
    word, [item.declaration, set.declaration, add.declaration, remove.declaration],
    effect: .write, traits: .setsIt,
    resultType: ResultType { call in
      guard case .value(let value, _, _) = call[item], let type = value.type?.unwrapped,
        case .entity = type
      else { return nil }
      return type
    })

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let run = arguments.runner.run
    let (item, reference) = try arguments.savedItem(item)
    let definition = try run.workspace.entity(item.entity).definition
    let set = try LinkSigning(run).opened(
      arguments.properties(set, of: definition), of: definition)
    let add = try arguments.properties(add, of: definition)
    let remove = try arguments.properties(remove, of: definition)
    let store = try run.store(for: item.entity)
    return .object(
      try RunError.translating {
        try store.items.update(reference, set: set, add: add, remove: remove)
      })
  }
}

/// `delete`: deletes an item, once the person agreed.
enum DeleteVerb: PlainVerb {
  static let word = "delete"
  static let item = Argument<Item>("item", at: 0, .value(.any), required: true, role: .item)
  static let confirm = Argument<Bool>("confirm", at: 1, .value(.bool))

  static let signature = VerbSignature(
    word, [item.declaration, confirm.declaration], effect: .write, confirms: confirms,
    unanswered: unanswered)

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let run = arguments.runner.run
    let (item, reference) = try arguments.savedItem(item)
    if try arguments.value(confirm) != .bool(false) {
      let prompt = "Delete \(arguments.runner.renderer.title(of: item)) (\(reference))?"
      guard try run.asker.confirm(prompt, keys: step.answerKeys, danger: false) else {
        throw RunError.declined(prompt, "Nothing deleted.")
      }
    }
    let store = try run.store(for: item.entity)
    try RunError.translating { try store.items.delete(reference) }
    return nil
  }

  /// Whether the person is certainly asked.
  private static func unanswered(_ call: VerbCall) -> String? {
    if case .value(let value, _, _)? = call[confirm], value.known != .bool(true) { return nil }
    return "add `confirm: false`"
  }

  /// Whether the person is asked, for all that is known before the run.
  private static func confirms(_ call: VerbCall) -> Bool {
    if case .value(.constant(.bool(false)), _, _)? = call[confirm] { false } else { true }
  }
}

/// `get`: gives the item that a text stands for.
enum GetVerb: PlainVerb {
  static let word = "get"
  static let ref = Argument<Value>("ref", at: 0, .value(.any), required: true, role: .item)
  static let entity = Argument<ArgumentName>("entity", at: 1, .entityName)

  static let signature = VerbSignature(
    word, [ref.declaration, entity.declaration], effect: .read, traits: .setsIt,
    resultType: ResultType { call in call.name(entity).map(DataType.entity) })

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let value = try arguments.value(ref) ?? .null
    let runner = arguments.runner
    guard let entity = arguments.name(entity) else {
      if case .object = value { return value }
      let text = runner.renderer.text(of: value)
      return .object(try ItemResolver(runner.run).item(reference: text))
    }
    // A number alone is the reference of an item of the entity.
    if case .int(let id) = value {
      return .object(try ItemResolver(runner.run).item(String(id), of: entity, named: "ref"))
    }
    return try runner.run.converter.convert(value, to: .entity(entity), named: "ref")
  }
}

/// `record-use`: counts a use of an item for the rank in searches.
enum RecordUseVerb: PlainVerb {
  static let word = "record-use"
  static let item = Argument<Item>("item", at: 0, .value(.any), required: true, role: .item)
  static let how = Argument<ArgumentName>("how", at: 1, .choice(["open", "share", "save"]))

  static let signature = VerbSignature(
    word, [item.declaration, how.declaration], effect: .write)

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let (item, reference) = try arguments.savedItem(item)
    let use: Use =
      switch arguments.name(how) {
      case "share": .share
      case "save": .save
      default: .open
      }
    let store = try arguments.runner.run.store(for: item.entity)
    // A library that can only be read counts no use; that is no reason to fail.
    if store.database.isReadOnly { return nil }
    try RunError.translating { try store.items.recordUse(of: reference, as: use) }
    return nil
  }
}
