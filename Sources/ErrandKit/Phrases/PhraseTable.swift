import Catalog
import Items
import Phrases
import Program
import YAML

/// The phrases of a language and a layer with the definitions they refer to, as plain rows for a
/// cache file.
struct PhraseTable {
  /// A phrase of an intent or a shortcut.
  struct Row: Equatable, Sendable {
    let action: String
    let text: String
    /// Values that it implies, as written on the command line.
    var values: [(name: String, text: String)] = []

    static func == (left: Row, right: Row) -> Bool {
      left.action == right.action && left.text == right.text
        && left.values.map(\.name) == right.values.map(\.name)
        && left.values.map(\.text) == right.values.map(\.text)
    }
  }

  /// The value types that a phrase can fill a parameter with.
  enum Kind: String {
    case words, item, file, choice, number, date, when, timestamp, duration, period, recurrence, url
    case range, list

    /// Whether its values are days, which may have a time.
    var hasDays: Bool { self == .date || self == .when }

    /// Whether times in a text beside it are its values.
    var takesTimes: Bool { hasDays || self == .recurrence || self == .range }
  }

  /// A parameter of an intent or a shortcut.
  struct Parameter: Equatable {
    let action: String
    let name: String
    let kind: Kind
    /// The entity of an item.
    var entity = ""
    /// The values of a choice, each with the templates that say it.
    var choices: [(value: String, templates: [String])] = []
    /// Whether a call needs it.
    var isRequired = false
    /// Whether it is a list of another kind of values than texts, or a Boolean.
    var type = ""

    /// Whether a span such as `from monday to friday` fills it, perhaps with the parameter of its end.
    func takesSpans(among own: [Parameter]) -> Bool {
      kind == .range
        || kind.hasDays && own.contains { ["end", "until"].contains($0.name) && $0.kind.hasDays }
    }

    static func == (left: Parameter, right: Parameter) -> Bool {
      left.action == right.action && left.name == right.name && left.kind == right.kind
    }
  }

  let language: String
  var rows = PhraseRows([])
  var parameters: [Parameter] = []
  var rules: [String: String] = [:]
  var skip: [String] = []
  /// Words for reading what no phrase fits, by their use: `small`, `not`, or what they mean.
  var words: [(use: String, words: [String])] = []
  /// Templates for parameters beside texts, by their names.
  var roles: [(name: String, template: String)] = []
  /// Templates of sentences that ask for a command of the program.
  var commands: [(name: String, template: String)] = []
  /// The telling words of those templates.
  var commandWords: [String] = []
  var index: PhraseIndex?
  /// The words of phrases.
  var literals = PhraseWords()

  /// Uses of words, which no word has as its name.
  static let small = "*small"
  static let negations = "*not"
  /// Before the entity whose kind words name.
  static let kind = "*kind "

  /// The name of a parameter among all lists.
  static func list(_ action: String, _ parameter: String) -> String { "\(action) \(parameter)" }
}

/// Reading from definitions.
extension PhraseTable {
  /// Collects the phrases of the definitions of some layers in a language.
  ///
  /// Definitions with mistakes have no phrases.
  init(_ catalog: DefinitionCatalog, layers: [DefinitionCatalog.Layer], language: String) {
    self.language = language
    // The built-in rules are for everybody, so that a copy of a built-in definition means the same.
    for layer in layers.contains(.builtIn) ? layers : [.builtIn] + layers {
      for vocabulary in (try? catalog.vocabularies(in: layer, language: language)) ?? [] {
        for (name, template) in vocabulary.rules { rules[name.text] = template.text }
        skip += vocabulary.skip.map(\.text)
        roles += vocabulary.roles.map { ($0.name.text, $0.template.text) }
        words.append((Self.small, vocabulary.small.map(\.text)))
        words.append((Self.negations, vocabulary.negations.map(\.text)))
        commands += vocabulary.commands.flatMap { command in
          command.templates.map { (command.name.rawValue, $0.text) }
        }
        words += vocabulary.synonyms.map { ($0.word.text.lowercased(), $0.others.map(\.text)) }
      }
    }
    let speaking = catalog.speaking([language])
    for name in catalog.entityNames {
      guard let entity = try? speaking.entity(name) else { continue }
      words.append(
        (Self.kind + name, [entity.displayName, entity.displayNamePlural].map { $0.lowercased() }))
    }
    var rows: [Row] = []
    for name in catalog.actionNames {
      guard let place = catalog.place(ofAction: name), layers.contains(place.layer),
        place.kind == .intent || place.kind == .shortcut,
        case .action(let definition)? = try? catalog.untranslated(name)
      else { continue }
      add(definition, place.layer, catalog, to: &rows)
    }
    self.rows = PhraseRows(rows)
  }

  private mutating func add(
    _ own: ActionDefinition, _ layer: DefinitionCatalog.Layer, _ catalog: DefinitionCatalog,
    to rows: inout [Row]
  ) {
    let isOwnLanguage = (own.language ?? "en") == language
    let name = own.name.text
    let translations =
      (try? catalog.translations(of: name, in: layer, language: language)) ?? []
    var phrases = isOwnLanguage ? own.phrases : []
    var definition = own
    for translation in translations.reversed() {
      phrases += translation.phrases
      definition = definition.translated(by: translation)
    }
    guard isOwnLanguage || !translations.isEmpty else { return }
    for phrase in phrases {
      rows.append(
        Row(
          action: name, text: phrase.text,
          values: phrase.values.map { ($0.key.text, Self.text(of: $0.value)) }))
    }
    let title = Self.plain(definition.displayTitle.lowercased())
    if isOwnLanguage || definition.title != own.title, !title.isEmpty {
      rows.append(Row(action: name, text: language == "en" ? "[run|start] \(title)" : title))
    }
    for parameter in definition.allParameters where !parameter.isTrigger {
      parameters.append(Self.parameter(parameter, of: name))
    }
  }

  private static func parameter(
    _ parameter: ParameterDefinition, of action: String
  ) -> Parameter {
    var type = parameter.type.unwrapped
    while case .optional(let inner) = type { type = inner }
    var result = Parameter(
      action: action, name: parameter.name.text, kind: kind(of: type),
      isRequired: parameter.isRequired)
    switch type {
    case .entity(let entity): result.entity = entity
    case .list(let element): result.type = element == .string ? "list" : "other"
    case .bool: result.type = "bool"
    case .int: result.type = "int"
    case .double: result.type = "double"
    default: break
    }
    if case .enumeration(let values) = type {
      result.choices = values.map { value in
        (value, [plain(value)] + (parameter.say[value] ?? []).map(\.text))
      }
    } else if type == .bool {
      result.choices = ["true", "false"].map { ($0, (parameter.say[$0] ?? []).map(\.text)) }
    }
    return result
  }

  private static func kind(of type: DataType) -> Kind {
    switch type {
    case .enumeration, .bool: .choice
    case .int, .double: .number
    case .date: .date
    case .when: .when
    case .timestamp: .timestamp
    case .duration: .duration
    case .url: .url
    case .file: .file
    case .entity: .item
    case .list(.string): .list
    case .refined(let refined): Kind(rawValue: refined.name) ?? .words
    default: .words
    }
  }

  /// A text in which no sign has a meaning in templates.
  private static func plain(_ text: String) -> String {
    String(text.map { $0.isLetter || $0.isNumber || $0 == "-" ? $0 : " " })
      .split(separator: " ").joined(separator: " ")
  }

  /// The value of a node, as written on the command line.
  private static func text(of node: Node) -> String {
    if let nodes = node.sequence {
      return nodes.compactMap { $0.scalar?.text }.joined(separator: ",")
    }
    return node.scalar?.text ?? ""
  }
}

/// A file that keeps a table.
extension PhraseTable {
  private static let magic = "errand phrases 2"
  private static let separator: Character = "\u{1F}"

  /// The bytes of a file for a key.
  func bytes(key: String) -> [UInt8] {
    var lines = [Self.magic, key, language]
    func line(_ fields: [String]) {
      lines.append(
        fields.map { $0.replacing("\n", with: " ").replacing("\t", with: " ") }
          .joined(separator: "\t"))
    }
    for (name, text) in rules.sorted(by: { $0.key < $1.key }) { line(["R", name, text]) }
    for word in skip { line(["S", word]) }
    for (name, template) in roles { line(["O", name, template]) }
    for (use, words) in words { line(["W", use] + words) }
    for (name, template) in commands { line(["C", name, template]) }
    line(["K"] + commandWords)
    for parameter in parameters {
      line(
        [
          "A", parameter.action, parameter.name, parameter.kind.rawValue, parameter.entity,
          parameter.isRequired ? "1" : "0", parameter.type,
        ]
          + parameter.choices.map {
            ([$0.value] + $0.templates).joined(separator: String(Self.separator))
          })
    }
    lines += literals.lines
    for row in rows {
      line(["P", row.action, row.text] + row.values.flatMap { [$0.name, $0.text] })
    }
    let text = lines.joined(separator: "\n") + "\n\n"
    return Array(text.utf8) + (index?.bytes ?? [])
  }

  /// The texts of a line between its tabs.
  static func fields(_ line: ArraySlice<UInt8>) -> [String] {
    var fields: [String] = []
    var start = line.startIndex
    for index in line.indices where line[index] == 0x09 {
      fields.append(String(decoding: line[start..<index], as: UTF8.self))
      start = index + 1
    }
    fields.append(String(decoding: line[start...], as: UTF8.self))
    return fields
  }

  /// The ranges of the lines up to an empty one; nil if there is none.
  private static func lines(of bytes: [UInt8]) -> [Range<Int>]? {
    bytes.withUnsafeBufferPointer { bytes in
      var lines: [Range<Int>] = []
      var start = 0
      for index in bytes.indices where bytes[index] == 0x0A {
        if index == start { return lines }
        lines.append(start..<index)
        start = index + 1
      }
      return nil
    }
  }

  /// Reads a file; nil if its format or key differs.
  init?(_ bytes: [UInt8], key: String) {
    guard let lines = Self.lines(of: bytes), lines.count >= 3 else { return nil }
    func text(_ line: Int) -> String { String(decoding: bytes[lines[line]], as: UTF8.self) }
    guard text(0) == Self.magic, text(1) == key else { return nil }
    language = text(2)
    var phrases: [Range<Int>] = []
    var (literals, stems): ([Range<Int>], [Range<Int>]) = ([], [])
    for line in lines[3...] {
      // Rows and words are read when they are used.
      if bytes[line.lowerBound] == UInt8(ascii: "P") {
        phrases.append(line)
        continue
      }
      if bytes[line.lowerBound] == UInt8(ascii: "L") {
        literals.append(line)
        continue
      }
      if bytes[line.lowerBound] == UInt8(ascii: "T") {
        stems.append(line)
        continue
      }
      let fields = Self.fields(bytes[line])
      switch (fields[0], fields.count) {
      case ("R", 3): rules[fields[1]] = fields[2]
      case ("S", 2): skip.append(fields[1])
      case ("O", 3): roles.append((fields[1], fields[2]))
      case ("W", 2...): words.append((fields[1], Array(fields[2...])))
      case ("C", 3): commands.append((fields[1], fields[2]))
      case ("K", _): commandWords = Array(fields[1...])
      case ("A", 7...):
        guard let kind = Kind(rawValue: fields[3]) else { return nil }
        let choices = fields[7...].map { choice in
          let parts = choice.split(separator: Self.separator).map(String.init)
          return (value: parts.first ?? "", templates: Array(parts.dropFirst()))
        }
        parameters.append(
          Parameter(
            action: fields[1], name: fields[2], kind: kind, entity: fields[4], choices: choices,
            isRequired: fields[5] == "1", type: fields[6]))
      default: return nil
      }
    }
    rows = PhraseRows(bytes, lines: phrases)
    self.literals = PhraseWords(bytes, words: literals, stems: stems)
    let end = (lines.last?.upperBound ?? 0) + 2
    guard let index = PhraseIndex(bytes[end...], templates: phrases.count) else { return nil }
    self.index = index
  }
}
