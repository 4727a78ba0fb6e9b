import Items
package import Source
import YAML

/// The catalog: all available definitions, in layers, each parsed on first use (language §1).
///
/// The target owns the language's documents: entities, intents, shortcuts, automations and their
/// tests as parsed definitions, the tables of their keys, and the built-in documents. It checks
/// names, forms and structure; expressions and calls are checked by `Program`.
///
/// Not thread-safe.
package final class DefinitionCatalog {
  /// Source of a definition; later layers override earlier ones.
  package enum Layer: Int, Comparable, Sendable {
    case builtIn, user, project, catalog, file

    package static func < (left: Layer, right: Layer) -> Bool { left.rawValue < right.rawValue }

    /// Name in messages.
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

  /// By name; entities begin with a capital, so they never collide with actions.
  private var entries: [String: Entry] = [:]
  /// Problems between documents: duplicate names, documents without a kind.
  package private(set) var problems: [Diagnostic] = []
  /// Definitions by file, in the order of the file.
  private var entriesByFile: [ObjectIdentifier: [(name: String, entry: Entry)]] = [:]
  /// The added files, in order.
  package private(set) var files: [SourceFile] = []
  /// The documents of each file, including those with duplicate names.
  private var contents: [FileContent] = []
  /// Whether the tests of built-in definitions are parsed, too; only test runs need them.
  package var readsBuiltInTests = false
  /// Whether a definition overrides a built-in one.
  package private(set) var replacesBuiltIns = false
  /// Cached sorted names; nil after an addition.
  private var sortedNames: (entities: [String], actions: [String])?
  /// Entities above the built-in layer, by their name without case and dashes.
  private var entitiesByPlainName: [String: String] = [:]
  /// Languages of texts, best first; empty for the definitions' own.
  package var languages: [String] = [] { didSet { translated = [:] } }
  /// Translations and vocabularies of files, by language and name.
  private var wordings: [String: [Entry]] = [:]
  /// The built-in translations of the languages asked for so far.
  private var builtInWordings: [String: BuiltInWordings] = [:]
  /// Translated definitions, by name.
  private var translated: [String: Definition] = [:]
  /// Whether a word is a verb's name.
  private let verbs: VerbWords

  /// Creates a catalog with the built-in layer.
  ///
  /// - Parameter verbs: the words of verbs, whose names are reserved.
  package init(_ verbs: VerbWords) { self.verbs = verbs }

  /// Whether a word of the language cannot name an intent or a shortcut.
  package func isReserved(_ name: String) -> Bool {
    ReservedWord.isBlockWord(name) || verbs.isVerb(name)
  }

  private func entry(_ name: String, isEntity: Bool) -> Entry? {
    BuiltIn.isEntity(name) == isEntity ? entries[name] ?? builtIn(name) : nil
  }

  /// Returns the entity with a name; nil if there is none.
  ///
  /// - Throws: the errors in its document.
  package func entity(_ name: String) throws(Diagnostics) -> EntityDefinition? {
    guard let entry = entry(name, isEntity: true),
      case .entity(let entity) = try entry.definition(verbs)
    else { return nil }
    if languages.isEmpty { return entity }
    if case .entity(let known)? = translated[name] { return known }
    var result = entity
    for translation in try translations(
      of: name, in: entry.layer, ownLanguage: entity.language
    ).reversed() {
      result = result.translated(by: translation)
    }
    translated[name] = .entity(result)
    return result
  }

  /// Returns the intent or shortcut with a name; nil if there is none.
  ///
  /// - Throws: the errors in its document.
  package func action(_ name: String) throws(Diagnostics) -> ActionDefinition? {
    guard let entry = entry(name, isEntity: false),
      case .action(let action) = try entry.definition(verbs)
    else { return nil }
    if languages.isEmpty { return action }
    if case .action(let known)? = translated[name] { return known }
    var result = action
    for translation in try translations(
      of: name, in: entry.layer, ownLanguage: action.language
    ).reversed() {
      result = result.translated(by: translation)
    }
    translated[name] = .action(result)
    return result
  }

  /// The definition of an intent or shortcut in its own language.
  ///
  /// - Throws: the errors in its document.
  package func untranslated(_ name: String) throws(Diagnostics) -> Definition? {
    try (entries[name] ?? builtIn(name))?.definition(verbs)
  }

  /// A translation in a file of a layer; nil if there is none.
  func addedTranslation(
    of name: String, _ language: String, in layer: Layer
  ) throws(Diagnostics) -> TranslationDefinition? {
    let key = Self.prefix(ofTranslation: language) + name
    guard let entry = wordings[key]?.last(where: { $0.layer == layer }),
      case .translation(let translation) = try entry.definition(verbs)
    else { return nil }
    return translation
  }

  /// The languages of translations in files.
  var addedLanguages: [String] {
    let languages = wordings.keys.compactMap { key -> String? in
      let parts = key.split(separator: ":")
      return parts.count > 2 && parts[0] == "translation" ? String(parts[1]) : nil
    }
    return Set(languages).sorted()
  }

  /// The vocabularies in the files of a layer.
  func addedVocabularies(in layer: Layer) throws(Diagnostics) -> [VocabularyDefinition] {
    var found: [VocabularyDefinition] = []
    for key in wordings.keys.sorted() where key.hasPrefix("vocabulary:") {
      for entry in wordings[key] ?? [] where entry.layer == layer {
        if case .vocabulary(let vocabulary) = try entry.definition(verbs) {
          found.append(vocabulary)
        }
      }
    }
    return found
  }

  /// The built-in translations into a language.
  func builtInWordings(_ language: String) throws(Diagnostics) -> BuiltInWordings {
    if let known = builtInWordings[language] { return known }
    let wordings = try BuiltInWordings(language)
    builtInWordings[language] = wordings
    return wordings
  }

  /// The built-in translation of a definition; nil if there is none.
  func builtInTranslation(
    of name: String, _ language: String
  ) throws(Diagnostics) -> TranslationDefinition? {
    guard Self.shippedLanguages.contains(language) else { return nil }
    return try builtInWordings(language).translation(of: name, withTests: readsBuiltInTests)
  }

  /// The translations and vocabularies in a file, and whether each is read without errors.
  package func wordings(
    in file: SourceFile
  ) -> [(name: String, layer: Layer, definition: Result<Definition, Diagnostics>)] {
    (entriesByFile[ObjectIdentifier(file)] ?? []).filter { $0.entry.kind.isWording }.map { row in
      let result = Result { () throws(Diagnostics) in try row.entry.definition(verbs) }
      return (row.name, row.entry.layer, result)
    }
  }

  /// Parses as much as possible of an invalid intent or shortcut, to find more errors in it.
  package func partialAction(_ name: String) -> ActionDefinition? {
    if case .action(let action)? = partial(name) { action } else { nil }
  }

  /// Parses as much as possible of an invalid entity, to find more errors in it.
  package func partialEntity(_ name: String) -> EntityDefinition? {
    if case .entity(let entity)? = partial(name) { entity } else { nil }
  }

  private func partial(_ name: String) -> Definition? {
    entries[name].flatMap { $0.partial(verbs) }
  }

  /// All names in alphabetical order.
  ///
  /// - Complexity: O(names) after an addition, else O(1).
  private var names: (entities: [String], actions: [String]) {
    if let sortedNames { return sortedNames }
    let all = Set(entries.keys).union(BuiltIn.names).sorted()
    let names = (
      all.filter(BuiltIn.isEntity),
      all.filter { !BuiltIn.isEntity($0) && !$0.hasPrefix(WidgetDefinition.prefix) }
    )
    sortedNames = names
    return names
  }

  /// Names of all entities.
  package var entityNames: [String] { names.entities }

  /// Names of all intents and shortcuts.
  package var actionNames: [String] { names.actions }

  /// Names of all widgets, without their prefix.
  package var widgetNames: [String] {
    let prefix = WidgetDefinition.prefix
    return Set(entries.keys).union(BuiltIn.names).filter { $0.hasPrefix(prefix) }
      .map { String($0.dropFirst(prefix.count)) }.sorted()
  }

  /// Names of all automations.
  package var automationNames: [String] {
    actionNames.filter { place(ofAction: $0)?.kind == .automation }
  }

  /// Names of the built-in intents, shortcuts and automations that nothing replaces.
  package var builtInActionNames: [String] { actionNames.filter(isBuiltIn) }

  /// The built-in entity with a name, even if a user's definition overrides it; nil if there is
  /// none.
  package static func builtInEntity(named name: String) -> EntityDefinition? {
    try? DefinitionCatalog(.none).entity(name)
  }

  /// Returns the entity of a reference such as `task:1`; nil for another text.
  package func entity(ofReference text: String) -> EntityDefinition? {
    guard let kind = ItemReference.parse(text)?.kind,
      let name = entityNames.first(where: { EntitySchema.kind(of: $0) == kind })
    else { return nil }
    return try? entity(name)
  }

  /// Names of the intents and shortcuts above the built-in layer.
  package var addedActionNames: [String] {
    entries.filter {
      $0.value.layer != .builtIn && $0.value.kind != .entity && $0.value.kind != .widget
    }.keys.sorted()
  }

  /// Kind and layer of an intent or shortcut, without parsing it.
  package func place(ofAction name: String) -> (kind: Definition.Kind, layer: Layer)? {
    entry(name, isEntity: false).map { ($0.kind, $0.layer) }
  }

  /// Whether a definition is built in; true for unknown names.
  package func isBuiltIn(_ name: String) -> Bool {
    entries[name].map { $0.layer == .builtIn } ?? true
  }

  /// Layer of an entity, without parsing it.
  package func layer(ofEntity name: String) -> Layer? { entry(name, isEntity: true)?.layer }

  /// Definitions in a file, in its order, without those overridden by others.
  package func definitions(in file: SourceFile) -> [(kind: Definition.Kind, name: String)] {
    let added = entriesByFile[ObjectIdentifier(file)] ?? []
    return added.filter { entries[$0.name] === $0.entry || $0.entry.kind.isWording }
      .map { ($0.entry.kind, $0.name) }
  }

  /// Source text of an intent, shortcut or entity.
  package func source(of name: String) -> String? { (entries[name] ?? builtIn(name))?.text }

  /// Adds a file to a layer and returns the definitions in it.
  ///
  /// A document is parsed lazily if its name is found by a quick scan, and at once otherwise.
  /// - Complexity: O(bytes of the file).
  @discardableResult
  package func add(_ file: SourceFile, to layer: Layer) -> [(kind: Definition.Kind, name: String)] {
    add(FileContent(of: file, layer, verbs))
  }

  /// Returns a catalog with new text for a file, or with one more file.
  ///
  /// Parsed definitions of other files are shared, so a file can be checked on each keystroke.
  /// Duplicate names are resolved as if all files were added anew.
  ///
  /// - Parameters:
  ///   - old: the file in this catalog; nil to add `file` at the end.
  ///   - layer: the layer of an added file.
  /// - Complexity: O(definitions + bytes of the file).
  package func replacing(
    _ old: SourceFile?, with file: SourceFile?, in layer: Layer = .file
  ) -> DefinitionCatalog {
    let catalog = DefinitionCatalog(verbs)
    catalog.readsBuiltInTests = readsBuiltInTests
    catalog.languages = languages
    catalog.entries = entries.filter { $0.value.layer == .builtIn }
    for content in contents {
      if content.file === old {
        if let file { catalog.add(FileContent(of: file, content.layer, verbs)) }
      } else {
        catalog.add(content)
      }
    }
    if old == nil, let file { catalog.add(FileContent(of: file, layer, verbs)) }
    return catalog
  }

  @discardableResult
  private func add(_ content: FileContent) -> [(kind: Definition.Kind, name: String)] {
    files.append(content.file)
    contents.append(content)
    return content.documents.compactMap { document in
      switch document {
      case .success((let name, let span, let entry)):
        return add(entry, named: name, at: span) ? (entry.kind, name) : nil
      case .failure(let error):
        problems += error.all
        return nil
      }
    }
  }

  private func add(_ entry: Entry, named name: String, at span: Span) -> Bool {
    if entry.kind.isWording { return add(wording: entry, named: name, at: span) }
    let replaced = entries[name] ?? builtIn(name)
    if let other = replaced, let reason = entry.refusal(over: other) {
      problems.append(
        Diagnostic(
          "name-taken",
          "\(entry.kind.rawValue) `\(name.dropFirst(entry.kind.prefix.count))` \(reason)", at: span,
          help: "choose another name",
          related: other.layer == .builtIn
            ? [] : [.init("defined here", at: other.nameSpan)]))
      return false
    }
    if let other = confusableName(name, entry) {
      problems.append(
        Diagnostic(
          "name-taken",
          "\(entry.kind.rawValue) `\(name)` is too much like `\(other)`, which already exists",
          at: span, help: "choose another name"))
      return false
    }
    if replaced?.layer == .builtIn { replacesBuiltIns = true }
    entriesByFile[ObjectIdentifier(entry.slice.file), default: []].append((name, entry))
    if entries[name] == nil { sortedNames = nil }
    entries[name] = entry
    if entry.kind == .entity { entitiesByPlainName[NameForm.plain(name)] = name }
    return true
  }

  /// Adds a translation or a vocabulary, which every layer may define.
  private func add(wording entry: Entry, named name: String, at span: Span) -> Bool {
    if let other = wordings[name]?.first(where: { $0.layer == entry.layer }) {
      problems.append(
        Diagnostic(
          "name-taken", "\(entry.kind.phrase) `\(span.text)` is defined twice in its language",
          at: span, help: "remove one of them",
          related: [.init("defined here", at: other.nameSpan)]))
      return false
    }
    translated = [:]
    entriesByFile[ObjectIdentifier(entry.slice.file), default: []].append((name, entry))
    wordings[name, default: []].append(entry)
    return true
  }

  /// An existing name that is easily confused with this one; nil if there is none.
  ///
  /// Commands and references ignore the case and dashes of entities. A project's definitions must
  /// not pass for built-in ones.
  private func confusableName(_ name: String, _ entry: Entry) -> String? {
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

  private func builtIn(_ name: String) -> Entry? {
    guard let builtIn = BuiltIn.named(name) else { return nil }
    let entry = Entry(
      kind: builtIn.kind, layer: .builtIn, slice: builtIn.slice, isWhole: readsBuiltInTests,
      outline: readsBuiltInTests ? nil : builtIn.outline)
    entries[name] = entry
    return entry
  }
}
