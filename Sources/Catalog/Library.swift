package import Source
import YAML

/// All definitions that are in reach, in layers (language §1); each is read when first wanted.
///
/// Used from one thread.
package final class Library {
  /// Where a definition comes from; later layers stand above earlier ones.
  package enum Layer: Int, Comparable, Sendable {
    case builtIn, user, project, catalog, file

    package static func < (left: Layer, right: Layer) -> Bool { left.rawValue < right.rawValue }

    /// How messages call it.
    package var displayName: String {
      switch self {
      case .builtIn: "built in"
      case .user: "your own"
      case .project: "project"
      case .catalog: "catalog"
      case .file: "file"
      }
    }
  }

  /// What is known of a definition before it is read.
  private final class Entry {
    let kind: Definition.Kind
    let layer: Layer
    let slice: DocumentSlice
    /// Whether its tests are read with it.
    let isWhole: Bool
    var result: Result<Definition, Diagnostics>?

    init(kind: Definition.Kind, layer: Layer, slice: DocumentSlice, isWhole: Bool = true) {
      self.isWhole = isWhole
      self.kind = kind
      self.layer = layer
      self.slice = slice
    }

    func definition() throws(Diagnostics) -> Definition {
      if let result { return try result.get() }
      let result = Result { () throws(Diagnostics) in
        try Definition.parse(isWhole ? slice : slice.upTo(line: "tests:"))
      }
      self.result = result
      return try result.get()
    }
  }

  private var entities: [String: Entry] = [:]
  private var actions: [String: Entry] = [:]
  /// What is wrong with the layers themselves: names given twice, documents without a kind.
  package private(set) var problems: [Diagnostic] = []
  /// Definitions of each file that was added, in its order.
  private var entriesByFile: [ObjectIdentifier: [(name: String, entry: Entry)]] = [:]
  /// The files that were added, in order.
  package private(set) var files: [SourceFile] = []
  /// Whether the tests of what came with the program are read, too; nothing else needs them.
  package var readsBuiltInTests = false
  /// Whether a definition took the place of one that came with the program.
  package private(set) var replacesBuiltIns = false
  /// The sorted names, until another is added.
  private var sortedEntities: [String]?
  private var sortedActions: [String]?
  /// The names of entities above the built-in layer, without case and dashes.
  private var entitiesByPlainName: [String: String] = [:]

  /// A library with the built-in layer.
  package init() {}

  /// The entity of a name; nil when there is none.
  ///
  /// - Throws: what is wrong with its document.
  package func entity(_ name: String) throws(Diagnostics) -> EntityDefinition? {
    guard let entry = entities[name] ?? builtIn(name, isEntity: true) else { return nil }
    if case .entity(let definition) = try entry.definition() { return definition }
    return nil
  }

  /// The intent or shortcut of a name; nil when there is none.
  ///
  /// - Throws: what is wrong with its document.
  package func action(_ name: String) throws(Diagnostics) -> ActionDefinition? {
    guard let entry = actions[name] ?? builtIn(name, isEntity: false) else { return nil }
    if case .action(let definition) = try entry.definition() { return definition }
    return nil
  }

  /// What can be read of an intent or a shortcut that has mistakes, to find the others in it.
  package func partialAction(_ name: String) -> ActionDefinition? {
    guard let slice = actions[name]?.slice, case .action(let action)? = Definition.partial(slice)
    else { return nil }
    return action
  }

  /// What can be read of an entity that has mistakes, to find the others in it.
  package func partialEntity(_ name: String) -> EntityDefinition? {
    guard let slice = entities[name]?.slice, case .entity(let entity)? = Definition.partial(slice)
    else { return nil }
    return entity
  }

  /// The names of all entities.
  ///
  /// - Complexity: O(names) when names were added since, else O(1).
  package var entityNames: [String] {
    if let sortedEntities { return sortedEntities }
    let names = Set(entities.keys).union(BuiltIn.names.filter(BuiltIn.isEntity)).sorted()
    sortedEntities = names
    return names
  }

  /// Number of names that may still be compared with misspelt ones.
  private var comparisons = 2_000_000

  /// Whether a misspelt name is compared with all others; in very many definitions only the first are,
  /// so that a check of n mistakes among n names takes no n² steps.
  package func mayCompare(with count: Int) -> Bool {
    comparisons -= count
    return comparisons >= 0
  }

  /// The names of all intents and shortcuts.
  ///
  /// - Complexity: O(names) when names were added since, else O(1).
  package var actionNames: [String] {
    if let sortedActions { return sortedActions }
    let names = Set(actions.keys).union(BuiltIn.names.filter { !BuiltIn.isEntity($0) }).sorted()
    sortedActions = names
    return names
  }

  /// The names of all automations.
  package var automationNames: [String] {
    actionNames.filter { place(ofAction: $0)?.kind == .automation }
  }

  /// The names of the intents and shortcuts that the layers above the built-in one define.
  package var addedActionNames: [String] {
    actions.filter { $0.value.layer != .builtIn }.keys.sorted()
  }

  /// The kind and the layer of an intent or a shortcut, without reading it.
  package func place(ofAction name: String) -> (kind: Definition.Kind, layer: Layer)? {
    (actions[name] ?? builtIn(name, isEntity: false)).map { ($0.kind, $0.layer) }
  }

  /// Whether an intent or a shortcut came with the program; also when there is none of the name.
  package func isBuiltIn(action name: String) -> Bool {
    actions[name].map { $0.layer == .builtIn } ?? true
  }

  /// Whether an entity came with the program; also when there is none of the name.
  package func isBuiltIn(entity name: String) -> Bool {
    entities[name].map { $0.layer == .builtIn } ?? true
  }

  /// The layer of an entity, without reading it.
  package func layer(ofEntity name: String) -> Layer? {
    (entities[name] ?? builtIn(name, isEntity: true))?.layer
  }

  /// The definitions that a file gave, in its order; those that others took the place of are not
  /// among them.
  package func definitions(in file: SourceFile) -> [(kind: Definition.Kind, name: String)] {
    let added = entriesByFile[ObjectIdentifier(file)] ?? []
    return added.filter { name, entry in
      (entry.kind == .entity ? entities[name] : actions[name]) === entry
    }.map { ($0.entry.kind, $0.name) }
  }

  /// The YAML of an intent, a shortcut or an entity, as it was written.
  package func source(of name: String) -> String? {
    let entry =
      actions[name] ?? entities[name] ?? builtIn(name, isEntity: false)
      ?? builtIn(name, isEntity: true)
    return entry.map { $0.slice.file.text(in: $0.slice.range) }
  }

  /// Adds the documents of a file to a layer, and gives the names of what it defines.
  ///
  /// Documents whose name can be seen in a line at the margin are not read yet; the others are.
  /// - Complexity: O(bytes of the file).
  @discardableResult
  package func add(_ file: SourceFile, to layer: Layer) -> [(kind: Definition.Kind, name: String)] {
    files.append(file)
    var names: [(kind: Definition.Kind, name: String)] = []
    for slice in DocumentSlice.split(file) {
      if let (kind, name, span) = Self.margin(of: slice) {
        let entry = Entry(kind: kind, layer: layer, slice: slice)
        if add(entry, named: name, at: span) { names.append((kind, name)) }
        continue
      }
      do throws(Diagnostics) {
        let definition = try Definition.parse(slice)
        let kind = definition.kind
        let entry = Entry(kind: kind, layer: layer, slice: slice)
        entry.result = .success(definition)
        if add(entry, named: definition.name.text, at: definition.name.span) {
          names.append((kind, definition.name.text))
        }
      } catch {
        problems += error.all
      }
    }
    return names
  }

  private func add(_ entry: Entry, named name: String, at span: Span) -> Bool {
    let isEntity = entry.kind == .entity
    let replaced =
      (isEntity ? entities[name] : actions[name]) ?? builtIn(name, isEntity: isEntity)
    if let other = replaced, let reason = Self.refusal(of: entry, over: other) {
      problems.append(
        Diagnostic(
          "name-taken", "\(entry.kind.rawValue) `\(name)` \(reason)", at: span,
          help: "choose another name",
          related: other.layer == .builtIn
            ? [] : [.init("defined here", at: Self.nameSpan(of: other))]))
      return false
    }
    if let other = alike(name, entry) {
      problems.append(
        Diagnostic(
          "name-taken",
          "\(entry.kind.rawValue) `\(name)` is too much like `\(other)`, which is there already",
          at: span, help: "choose another name"))
      return false
    }
    if replaced?.layer == .builtIn { replacesBuiltIns = true }
    entriesByFile[ObjectIdentifier(entry.slice.file), default: []].append((name, entry))
    if isEntity {
      if entities[name] == nil { sortedEntities = nil }
      entities[name] = entry
      entitiesByPlainName[NameForm.plain(name)] = name
    } else {
      if actions[name] == nil { sortedActions = nil }
      actions[name] = entry
    }
    return true
  }

  /// Another name that a person could take this one for; nil when there is none.
  ///
  /// Entities can't be told apart in commands and references by case or dashes. What came with a
  /// project may not pass for what came with the program.
  private func alike(_ name: String, _ entry: Entry) -> String? {
    if entry.kind == .entity {
      let plain = NameForm.plain(name)
      if let other = entitiesByPlainName[plain], other != name { return other }
      if let other = BuiltIn.name(thatLooksLike: name), other != name,
        entry.layer != .user || NameForm.plain(other) == plain, BuiltIn.isEntity(other)
      {
        return other
      }
      return nil
    }
    guard entry.layer != .user, let other = BuiltIn.name(thatLooksLike: name), other != name,
      !BuiltIn.isEntity(other)
    else { return nil }
    return other
  }

  /// Why a definition may not take the place of another; nil when it may.
  private static func refusal(of entry: Entry, over other: Entry) -> String? {
    if entry.layer == other.layer { return "is defined twice" }
    if entry.layer == .user { return nil }
    // A copy of what came with the program changes nothing.
    if other.layer == .builtIn, text(of: entry) == text(of: other) { return nil }
    // A shortcut that the person names by its file or folder may be a changed copy of another.
    if entry.kind == .shortcut, other.kind == .shortcut, entry.layer >= .catalog { return nil }
    return "is defined already (\(other.layer.displayName)), and only your own layer may replace it"
  }

  private static func text(of entry: Entry) -> String {
    entry.slice.file.text(in: entry.slice.range)
  }

  private static func nameSpan(of entry: Entry) -> Span {
    margin(of: entry.slice)?.2 ?? Span(entry.slice.file, entry.slice.range)
  }

  /// The kind and name of a document, seen in a line such as `intent: save` at the margin.
  private static func margin(of slice: DocumentSlice) -> (Definition.Kind, String, Span)? {
    let bytes = slice.file.bytes
    var found: (Definition.Kind, String, Span)?
    var line = slice.range.lowerBound
    while line < slice.range.upperBound {
      let end = bytes[line..<slice.range.upperBound].firstIndex(of: 0x0A) ?? slice.range.upperBound
      for kind in Definition.Kind.allCases where bytes[line..<end].starts(with: kind.key) {
        guard found == nil else { return nil }
        let rest = bytes[(line + kind.key.count)..<end]
        let start = rest.firstIndex { $0 != 0x20 } ?? rest.endIndex
        let stop = rest[start...].firstIndex { $0 == 0x20 || $0 == 0x0D } ?? rest.endIndex
        let name = String(decoding: rest[start..<stop], as: UTF8.self)
        let isClean = rest[stop...].first { $0 != 0x20 && $0 != 0x0D }.map { $0 == 0x23 } ?? true
        let form: NameForm = kind == .entity ? .upperCamel : .kebab
        guard isClean, form.accepts(name) else { return nil }
        found = (kind, name, Span(slice.file, start..<stop))
      }
      line = end + 1
    }
    return found
  }

  private func builtIn(_ name: String, isEntity: Bool) -> Entry? {
    guard
      let builtIn = BuiltIn.named(name), (builtIn.kind == .entity) == isEntity
    else { return nil }
    let file = SourceFile(name: builtIn.path, bytes: builtIn.bytes(), isBuiltIn: true)
    let entry = Entry(
      kind: builtIn.kind, layer: .builtIn, slice: DocumentSlice(whole: file),
      isWhole: readsBuiltInTests)
    if isEntity { entities[name] = entry } else { actions[name] = entry }
    return entry
  }
}

extension Definition.Kind {
  /// The key as it stands at the margin, with its colon.
  fileprivate var key: [UInt8] { Array((rawValue + ":").utf8) }
}
