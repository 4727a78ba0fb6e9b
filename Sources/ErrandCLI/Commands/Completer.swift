import Catalog
import ErrandKit
import Items
import Program
import Source
import Store
import YAML

/// Completions of a command line for shells.
///
/// A problem of any kind only means fewer candidates: nothing is reported, created or waited for.
struct Completer {
  /// The hidden command that the scripts of `errand completion` call.
  static let name = "__complete"
  /// The line that asks the shell for file names.
  static let files = ":files"

  private var catalogFolder: String?
  private var storePath: String?
  /// The candidates so far, one a line: value, tab, description.
  private(set) var text = ""
  private let places = Places(
    environment: ProcessEnvironment.value, workingFolder: ProcessEnvironment.workingFolder)
  private var loadedCatalog: DefinitionCatalog?
  private var wantsFiles = false
  /// The part of the current word before the completed value, such as `--of=`.
  private var start = ""
  /// The value to complete.
  private var prefix = ""

  /// Completes the last of the words after the program's name; the shell may drop candidates.
  init(_ words: [String]) {
    var line = Line()
    for word in words.dropLast() { take(word, &line) }
    complete(words.last ?? "", line)
    if wantsFiles { text += Self.files + "\n" }
  }

  /// The words before the current one.
  private struct Line {
    var words: [String] = []
    var flags = Flag.common
    var command: Command?
    var action: ActionArguments?
    /// The flag whose value comes next.
    var open: Flag?
    /// Whether all words from here on are positional.
    var hasEnded = false

    /// The words after the name of the command or action.
    var arguments: [String] { Array(words.dropFirst(command?.sortsFlags == false ? 2 : 1)) }
  }

  private mutating func take(_ word: String, _ line: inout Line) {
    if let flag = line.open {
      line.open = nil
      return note(word, of: flag)
    }
    if !line.hasEnded, word == "--" {
      line.hasEnded = true
    } else if !line.hasEnded, word.hasPrefix("-"), word != "-" {
      guard let flag = Self.flag(word, in: line.flags), case .value = flag.kind else { return }
      if let equals = word.firstIndex(of: "=") {
        note(String(word[word.index(after: equals)...]), of: flag)
      } else {
        line.open = flag
      }
    } else {
      line.words.append(word)
      resolve(word, &line)
    }
  }

  /// Records flags that affect the candidates.
  private mutating func note(_ value: String, of flag: Flag) {
    if flag.name == "store" { storePath = value }
    if flag.name == "catalog" { catalogFolder = value }
  }

  private static func flag(_ word: String, in flags: [Flag]) -> Flag? {
    if word.hasPrefix("--") {
      let name = word.dropFirst(2).prefix { $0 != "=" }
      return flags.first { $0.isNamed(name) }
    }
    return word.count == 2 ? flags.first { $0.short == word.last } : nil
  }

  /// Finds the command or action that the first word names, or the second after `run` and `call`.
  private mutating func resolve(_ word: String, _ line: inout Line) {
    guard line.words.count == 1 || line.words.count == 2 && line.command?.sortsFlags == false
    else { return }
    if line.words.count == 1, let command = CommandTable.command(named: word) {
      line.command = command
      line.flags = command.flags + command.commonFlags
    } else if let definition = action(word) {
      line.action = ActionArguments(definition)
      line.flags = ActionArguments(definition).flags(described: true) + Flag.common
    } else if line.words.count == 1, let target = Alias.target(of: word) {
      line.words[0] = target
      resolve(target, &line)
    }
  }

  // MARK: Candidates

  private mutating func complete(_ word: String, _ line: Line) {
    prefix = word
    let words = Array(line.words.dropFirst())
    if let flag = line.open { return complete(flag, words) }
    if !line.hasEnded, word.hasPrefix("--"), let equals = word.firstIndex(of: "=") {
      guard let flag = Self.flag(word, in: line.flags) else { return }
      start = String(word[...equals])
      prefix = String(word[word.index(after: equals)...])
      return complete(flag, words)
    }
    if !line.hasEnded, word.hasPrefix("-"), word != "-" || !line.flags.isEmpty {
      for flag in line.flags where !flag.name.isEmpty { add("--" + flag.name, flag.help) }
      return
    }
    if let action = line.action {
      let arguments = line.arguments
      let row = action.positional
      let last = row.last.flatMap { action.takesAllWords($0) ? $0 : nil }
      guard let parameter = arguments.count < row.count ? row[arguments.count] : last
      else { return }
      return complete(Placeholder(ActionArguments.placeholder(parameter)), [])
    }
    guard let command = line.command else { return line.words.isEmpty ? completeName() : () }
    for placeholder in Placeholder.next(in: command.usage, after: words) {
      complete(placeholder, words)
    }
  }

  private mutating func complete(_ flag: Flag, _ words: [String] = []) {
    guard case .value(let text) = flag.kind else { return }
    let placeholder = Placeholder(text)
    if text.contains(","), let comma = prefix.lastIndex(of: ",") {
      start += String(prefix[...comma])
      prefix = String(prefix[prefix.index(after: comma)...])
    }
    complete(placeholder, words)
  }

  private mutating func complete(_ placeholder: Placeholder, _ words: [String]) {
    for option in placeholder.options {
      if Placeholder.isFixed(option) {
        add(option, "")
      } else if let values = Placeholder.Values(rawValue: option) {
        complete(values, words)
      } else if let entity = catalog?.entityNames.first(where: { $0.uppercased() == option }) {
        addItems(of: entity)
      }
    }
  }

  private mutating func complete(_ values: Placeholder.Values, _ words: [String]) {
    switch values {
    case .file, .path, .folder: wantsFiles = true
    case .action, .intent: addActions()
    case .command: addCommands()
    case .page: for page in GuidePage.all { add(page.name, page.title) }
    case .setting: for setting in Setting.allCases { add(setting.rawValue, setting.help) }
    case .entity:
      let catalog = catalog
      for name in catalog?.entityNames ?? [] {
        add(EntitySchema.kind(of: name)) { (try? catalog?.entity(name))??.description }
      }
    case .reference: addItems(of: nil)
    case .title: if let entity = entity(words.first) { addItems(of: entity) }
    case .widget: for name in catalog?.widgetNames ?? [] { add(name, "") }
    case .automation: for name in catalog?.automationNames ?? [] { add(name, "") }
    case .run: for run in glance?.runs ?? [] { add(run.reference, run.title) }
    case .job: for job in glance?.jobs ?? [] { add(job.reference, job.title) }
    case .secret:
      let names = places.flatMap { try? SecretFile($0).read().keys.sorted() }
      for name in names ?? [] { add(name, "") }
    case .value:
      for value in words.dropFirst().first.flatMap(Setting.init(named:))?.choices ?? [] {
        add(value, "")
      }
    case .key: if let entity = entity(words.first) { addSortKeys(of: entity) }
    case .tag: for tag in glance?.tags(from: prefix) ?? [] { add(tag, "") }
    case .property: if let entity = entity(words.first) { addProperties(of: entity) }
    }
  }

  private mutating func completeName() {
    addActions()
    addCommands()
    for alias in Alias.all { add(alias.name, "same as \(alias.target)") }
  }

  private mutating func addCommands() {
    for command in CommandTable.all { add(command.name, command.summary) }
  }

  private mutating func addActions() {
    let catalog = catalog
    for name in catalog?.actionNames ?? [] {
      add(name) { catalog.flatMap { Self.description(of: name, in: $0) } }
    }
  }

  /// The description of an action, taken from a plain line of its text where there is one, since
  /// parsing all definitions takes longer than a start of the program.
  private static func description(of name: String, in catalog: DefinitionCatalog) -> String? {
    let key = "description: "
    let lines = catalog.source(of: name)?.split(separator: "\n") ?? []
    if let index = lines.firstIndex(where: { $0.hasPrefix(key) }) {
      let text = lines[index].dropFirst(key.count)
      let isContinued = lines.dropFirst(index + 1).first?.hasPrefix(" ") ?? false
      if !isContinued, text.first?.isLetter == true, !text.contains(": "), !text.contains(" #") {
        return String(text)
      }
    }
    let definition = try? catalog.action(name)
    return definition?.description ?? definition?.title
  }

  /// Adds items by reference if the word is one, and by title otherwise.
  private mutating func addItems(of entity: String?) {
    let parts = prefix.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count == 2, let named = self.entity(String(parts[0])) {
      let digits = String(parts[1])
      let items =
        digits.isEmpty
        ? glance?.items(titled: "", of: named) : glance?.items(numbered: digits, of: named)
      for item in items ?? [] { add(item.reference, item.title) }
      return
    }
    let items = glance?.items(titled: prefix, of: entity) ?? []
    for item in items {
      if prefix.isEmpty { add(item.reference, item.title) } else { add(item.title, item.reference) }
    }
    if entity == nil {
      for name in catalog?.entityNames ?? [] { add(EntitySchema.kind(of: name) + ":", "by number") }
    }
  }

  /// Adds the properties to sort by, in both directions.
  private mutating func addSortKeys(of name: String) {
    guard let entity = try? catalog?.entity(name) else { return }
    for key in entity.sortableNames {
      add(key, "smallest first")
      add("-" + key, "largest first")
    }
  }

  private mutating func addProperties(of name: String) {
    guard let entity = try? catalog?.entity(name) else { return }
    guard let equals = prefix.firstIndex(of: "=") else {
      for property in entity.properties {
        add(property.name.text + "=", property.description ?? property.title ?? "")
      }
      return
    }
    guard let property = entity.property(String(prefix[..<equals])) else { return }
    start += String(prefix[...equals])
    prefix = String(prefix[prefix.index(after: equals)...])
    let list = ActionArguments.placeholder(property.name.text, property.type)
    complete(Flag("", .value(list), ""))
  }

  /// Adds a candidate that begins with the word, ignoring case.
  ///
  /// - Parameter description: Called for such a candidate only.
  private mutating func add(_ value: String, _ description: () -> String?) {
    // A shell could not insert control characters safely.
    guard value.lowercased().hasPrefix(prefix.lowercased()), !value.isEmpty,
      value == value.harmless()
    else { return }
    text += "\(start)\(value)\t\((description() ?? "").harmless())\n"
  }

  private mutating func add(_ value: String, _ description: String) { add(value) { description } }

  // MARK: Sources

  private var catalog: DefinitionCatalog? {
    mutating get {
      if let loadedCatalog { return loadedCatalog }
      let loader = CatalogLoader(places: places, catalogFolder: catalogFolder) { _ in }
      loadedCatalog = try? loader.load()
      return loadedCatalog
    }
  }

  private mutating func action(_ name: String) -> ActionDefinition? {
    // A definition with errors has no flags.
    (try? catalog?.action(name)) ?? nil
  }

  /// The entity that a word or the kind of a reference names.
  private mutating func entity(_ word: String?) -> String? {
    guard let catalog, let word else { return nil }
    let kind = word.prefix { $0 != ":" }
    return try? ItemWords.entity(String(kind), in: catalog)
  }

  /// A read-only view of the existing store; nil if there is none.
  private var glance: StoreGlance? {
    let settings = Settings(
      path: places?.settings, environment: ProcessEnvironment.value, note: { _ in })
    let opening = StoreOpening(
      named: storePath, places: places, settings: settings, environment: ProcessEnvironment.value)
    return opening.path.flatMap { StoreGlance(path: $0) }
  }
}
