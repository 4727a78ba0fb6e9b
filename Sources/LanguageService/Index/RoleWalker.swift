import Catalog
import Items
import Program
import Source
import YAML

/// Walks a document along the tables of keys and finds the role of each scalar.
struct RoleWalker {
  let context: CompilationContext
  private(set) var sites: [Site] = []
  private var definition = ""

  init(_ context: CompilationContext) { self.context = context }

  /// Walks the root of a document.
  mutating func walk(root: Node) {
    definition = ""
    guard let mapping = root.mapping else {
      if let scalar = root.scalar {
        add(scalar, .key(of: Definition.Kind.allCases.map { $0.keys[0] }))
      }
      return
    }
    let kinds = mapping.entries.lazy.compactMap { entry in
      Definition.Kind(rawValue: entry.key.text).map { ($0, entry.value.scalar) }
    }
    guard let (kind, name) = kinds.first else {
      let keys = Definition.Kind.allCases.map { $0.keys[0] }
      walk(mapping, keys)
      return
    }
    definition = name?.text ?? ""
    for entry in mapping.entries {
      add(entry.key, .key(of: kind.keys), mapping, value: entry.value)
      if entry.key.text == kind.rawValue {
        if let name { add(name, .definitionName(kind)) }
      } else if entry.key.text == "identity", let entity = entity(named: definition) {
        properties(in: entry.value, entry.key.text, of: entity)
      } else if let key = kind.keys.first(where: { $0.name == entry.key.text }) {
        walk(entry.value, key.form, key.name)
      }
    }
  }

  private mutating func add(
    _ scalar: Scalar, _ role: Role, _ mapping: Mapping? = nil, value: Node? = nil
  ) {
    sites.append(
      Site(scalar: scalar, role: role, mapping: mapping, value: value, definition: definition))
  }

  private mutating func walk(_ mapping: Mapping, _ keys: [KeyDeclaration]) {
    for entry in mapping.entries {
      add(entry.key, .key(of: keys), mapping, value: entry.value)
      guard let key = keys.first(where: { $0.name == entry.key.text }) else { continue }
      if let words = words(for: key.name, beside: keys) {
        for scalar in (entry.value.sequence ?? [entry.value]).compactMap(\.scalar) {
          add(scalar, .choice(words))
        }
      } else if let entity = entity(named: definition),
        ["identity", "sort", "formerly"].contains(key.name),
        key.name != "sort" || keys.contains(where: { $0.name == "limit" })
      {
        properties(in: entry.value, key.name, of: entity)
      } else if ["created", "changed", "due"].contains(key.name)
        || key.name == "entity" && keys.contains(where: { $0.name == "before" }),
        let scalar = entry.value.scalar
      {
        add(scalar, .entity)
      } else if key.name == "default" || key.name == "value", case .value = key.form {
        walk(entry.value, as: type(in: mapping))
      } else {
        walk(entry.value, key.form, key.name)
      }
    }
  }

  /// Walks the names of properties in the document of their entity.
  private mutating func properties(in node: Node, _ key: String, of entity: EntityDefinition) {
    for entry in node.mapping?.entries ?? [] {
      add(entry.key, .property(of: entity), node.mapping, value: entry.value)
    }
    // A former name is not one of a property.
    for scalar in (node.sequence ?? [node]).compactMap(\.scalar) where key != "formerly" {
      add(scalar, .sortKey(of: entity))
    }
  }

  /// The words for the value of a key that takes any text, known by the keys beside it.
  private func words(for key: String, beside keys: [KeyDeclaration]) -> [String]? {
    func has(_ name: String) -> Bool { keys.contains { $0.name == name } }
    switch key {
    case "days": return Self.days
    case "on" where has("every"): return Array(Self.days.prefix(7))
    case "on" where has("do") || has("times"): return context.errorCodes
    default: return nil
    }
  }

  private static let days = [
    "mon", "tue", "wed", "thu", "fri", "sat", "sun", "weekdays", "weekend",
  ]

  /// The type that a mapping declares by `type` and `values`.
  private func type(in mapping: Mapping) -> DataType? {
    mapping["type"]?.scalar.flatMap {
      DataType.parse($0.text, values: mapping["values"]?.sequence?.compactMap(\.scalar?.text))
    }
  }

  /// Walks the value of a key.
  private mutating func walk(_ node: Node, _ form: ValueForm, _ key: String) {
    switch form {
    case .text, .name, .int, .double:
      guard let scalar = node.scalar else { return }
      switch key {
      case "as": add(scalar, .newName(.result))
      case "for", "index": add(scalar, .newName(.loop))
      default: add(scalar, .text)
      }
    case .bool: node.scalar.map { add($0, .choice(["true", "false"])) }
    case .template: node.scalar.map { add($0, .value(.string)) }
    case .expression: node.scalar.map { add($0, .expression) }
    case .value: walk(node, as: nil)
    case .type: node.scalar.map { add($0, .type) }
    case .steps: steps(node)
    case .choice(let words): node.scalar.map { add($0, .choice(words)) }
    case .list(let form):
      for node in node.sequence ?? [node] { walk(node, form, key) }
    case .names(_, let form):
      names(node, form, key)
    case .mapping(let keys):
      if let mapping = node.mapping {
        walk(mapping, keys())
      } else if let scalar = node.scalar {
        add(scalar, .key(of: keys()))
      }
    case .either(let forms): either(node, forms, key)
    }
  }

  private mutating func either(_ node: Node, _ forms: [ValueForm], _ key: String) {
    // Of several mappings, the one with the most of the keys; handlers before steps.
    var (fitting, best): (ValueForm?, Int) = (nil, 0)
    for form in forms {
      let fit = Self.fit(form, node, isAlone: forms.count == 2)
      if fit > best { (fitting, best) = (form, fit) }
    }
    if let fitting { return walk(node, fitting, key) }
    // Until a key identifies one of several mappings, the keys of all are allowed.
    var keys: [KeyDeclaration] = []
    for case .mapping(let part) in forms {
      keys += part().filter { key in !keys.contains { $0.name == key.name } }
    }
    walk(node, .mapping { [keys] in keys }, key)
  }

  /// Degree to which a form fits a node; 0 if it does not.
  private static func fit(_ form: ValueForm, _ node: Node, isAlone: Bool) -> Int {
    func known(_ keys: [KeyDeclaration], _ mapping: Mapping) -> Int {
      mapping.entries.count { entry in keys.contains { $0.name == entry.key.text } }
    }
    switch (form, node.content) {
    case (.mapping(let keys), .mapping(let mapping)):
      return known(keys(), mapping) + (isAlone ? 1 : 0)
    case (.list(.mapping(let keys)), .sequence(let nodes)):
      let mapping = nodes.first?.mapping
      return 1 + (mapping.map { known(keys(), $0) == $0.entries.count ? 1 : 0 } ?? 0)
    case (.names, .mapping), (.list, .sequence), (.steps, .sequence): return 1
    case (.mapping, _), (.names, _): return 0
    // What is none of its words may be the beginning of a key.
    case (.choice(let words), .scalar(let scalar)): return words.contains(scalar.text) ? 1 : 0
    case (_, .scalar): return 1
    default: return 0
    }
  }

  private mutating func names(_ node: Node, _ form: ValueForm, _ key: String) {
    guard let mapping = node.mapping else { return }
    for entry in mapping.entries {
      switch key {
      case "parameters" where isInTest: add(entry.key, testParameter, mapping, value: entry.value)
      case "parameters": add(entry.key, .newName(.parameter), mapping, value: entry.value)
      case "properties": add(entry.key, .newName(.property), mapping, value: entry.value)
      case "variables": add(entry.key, .newName(.variable), mapping, value: entry.value)
      case "given":
        add(entry.key, .entity, mapping, value: entry.value)
        let entity = entity(named: entry.key.text)
        for item in entry.value.sequence ?? [] { properties(item, of: entity) }
        continue
      default: add(entry.key, .newName(.other), mapping, value: entry.value)
      }
      walk(entry.value, form, "")
    }
  }

  /// Whether the current mapping is a test.
  private var isInTest: Bool {
    sites.last.map { site in
      if case .key(let keys) = site.role { keys.contains { $0.name == "expect" } } else { false }
    } ?? false
  }

  /// The role of a key of a test's `parameters`.
  private var testParameter: Role {
    action(named: definition).map { .parameter(of: $0) } ?? .newName(.other)
  }

  /// The entity that an argument beside others names.
  private func entity(among siblings: Mapping?) -> EntityDefinition? {
    (siblings?["entity"]?.scalar?.text).flatMap { entity(named: $0) }
  }

  private func entity(named name: String) -> EntityDefinition? {
    (try? context.catalog.entity(name)) ?? context.catalog.partialEntity(name)
  }

  private mutating func properties(_ node: Node, of entity: EntityDefinition?) {
    guard let mapping = node.mapping else { return walk(node, as: nil) }
    for entry in mapping.entries {
      add(entry.key, .property(of: entity), mapping, value: entry.value)
      walk(entry.value, as: entity?.property(entry.key.text)?.type)
    }
  }

  // MARK: Values

  /// Walks a value of a type.
  private mutating func walk(_ node: Node, as type: DataType?) {
    switch node.content {
    case .scalar(let scalar):
      switch type?.unwrapped {
      case .enumeration(let values): add(scalar, .choice(values))
      case .bool: add(scalar, .choice(["true", "false"]))
      default: add(scalar, .value(type))
      }
    case .sequence(let nodes):
      var element: DataType?
      if case .list(let type)? = type?.unwrapped { element = type }
      for node in nodes { walk(node, as: element) }
    case .mapping(let mapping):
      var element: DataType?
      if case .map(let type)? = type?.unwrapped { element = type }
      for entry in mapping.entries { walk(entry.value, as: element) }
    }
  }

  // MARK: Steps

  private mutating func steps(_ node: Node) {
    for node in node.sequence ?? [node] {
      switch node.content {
      case .scalar(let scalar): add(scalar, .step)
      case .sequence: steps(node)
      case .mapping(let mapping): step(mapping)
      }
    }
  }

  private mutating func step(_ mapping: Mapping) {
    let names = mapping.entries.map(\.key.text)
    // Beside `for`, `parallel` says how the passes run.
    let block = Step.blocks.first { block in
      names.contains(block[0].name) && !(block[0].name == "parallel" && names.contains("for"))
    }
    for entry in mapping.entries {
      let name = entry.key.text
      add(entry.key, .stepKey(others: names.filter { $0 != name }), mapping, value: entry.value)
      if block == nil, let verb = context.verbs.signature(named: name), isKey(entry) {
        entry.value.scalar.map { add($0, .argument(of: verb)) }
        continue
      }
      if let key = block?.first(where: { $0.name == name }) {
        walk(entry.value, key.form, key.name)
      } else if let key = Step.modifiers.first(where: { $0.name == name }) {
        walk(entry.value, key.form, key.name)
      } else if block == nil {
        call(name, entry.value)
      }
    }
  }

  /// Whether a single word below a verb is probably the beginning of an argument's name.
  private func isKey(_ entry: Mapping.Entry) -> Bool {
    guard let scalar = entry.value.scalar, scalar.style == .plain, !scalar.text.isEmpty,
      scalar.text.allSatisfy({ $0.isLetter || $0 == "_" })
    else { return false }
    return scalar.span.position.line > entry.key.span.position.line
  }

  private mutating func call(_ name: String, _ value: Node) {
    if let verb = context.verbs.signature(named: name) {
      verbCall(verb, value)
    } else if let action = action(named: name) {
      actionCall(action, value)
    } else {
      walk(value, as: nil)
    }
  }

  private func action(named name: String) -> ActionDefinition? {
    (try? context.catalog.action(name)) ?? context.catalog.partialAction(name)
  }

  private mutating func actionCall(_ action: ActionDefinition, _ value: Node) {
    guard let mapping = value.mapping else {
      return walk(value, as: action.primaryParameter?.type)
    }
    parameters(mapping, of: action)
  }

  private mutating func parameters(_ mapping: Mapping, of action: ActionDefinition) {
    for entry in mapping.entries {
      add(entry.key, .parameter(of: action), mapping, value: entry.value)
      let parameter = action.allParameters.first { $0.name.text == entry.key.text }
      walk(entry.value, as: parameter?.type)
    }
  }

  private mutating func verbCall(_ verb: VerbSignature, _ value: Node) {
    guard let mapping = value.mapping else {
      if let primary = verb.arguments.first { argument(primary, value, of: verb, nil) }
      return
    }
    for entry in mapping.entries {
      if verb.form == .assignment {
        add(entry.key, .assigned, mapping, value: entry.value)
        walk(entry.value, as: nil)
        continue
      }
      add(entry.key, .argument(of: verb), mapping, value: entry.value)
      let argument = verb.arguments.first { $0.name == entry.key.text }
      if let argument {
        self.argument(argument, entry.value, of: verb, mapping)
      } else {
        walk(entry.value, as: nil)
      }
    }
  }

  private mutating func argument(
    _ argument: ArgumentDeclaration, _ node: Node, of verb: VerbSignature, _ siblings: Mapping?
  ) {
    switch argument.kind {
    case .value(let type): walk(node, as: type)
    case .literal: node.scalar.map { add($0, .text) }
    case .filter: node.scalar.map { add($0, .expression) }
    case .itemTemplate: node.scalar.map { add($0, .value(.string)) }
    case .entityName: node.scalar.map { add($0, .entity) }
    case .typeName: node.scalar.map { add($0, .type) }
    case .actionName: node.scalar.map { add($0, .action) }
    case .choice(let words): node.scalar.map { add($0, .choice(words)) }
    case .sortKeys:
      let entity = entity(among: siblings)
      for node in node.sequence ?? [node] { node.scalar.map { add($0, .sortKey(of: entity)) } }
    case .fields(.parameters):
      guard let mapping = node.mapping, let name = siblings?["name"]?.scalar?.text,
        let action = action(named: name)
      else { return walk(node, as: nil) }
      parameters(mapping, of: action)
    case .fields: properties(node, of: entity(among: siblings))
    }
  }
}
