import CEL
import Catalog
import Engine
import Items
import Program
import Source
import YAML

/// The command-line interface of an intent or a shortcut: its flags and positional parameters.
struct ActionArguments {
  let definition: ActionDefinition
  /// The words of the call before its arguments.
  let call: String
  /// Parameters with their flag names, except those shadowed by a common flag.
  let flagged: [(parameter: ParameterDefinition, name: String)]

  init(_ definition: ActionDefinition, call: String? = nil) {
    self.definition = definition
    self.call = call ?? definition.name.text
    flagged = definition.parameters.map { (parameter: $0, name: $0.name.text.flagName) }
      .filter { own in !Flag.common.contains { $0.name == own.name } }
  }

  /// The letters of parameters that many definitions have.
  private static let shortFlags: [String: Character] = ["limit": "n", "tags": "t"]

  /// Whether a flag is built in rather than a parameter.
  func owns(_ flag: Flag) -> Bool { !flagged.contains { $0.name == flag.name } }

  /// Whether `--exit-status` applies: the action returns a list and no parameter has that name.
  var tellsEmpty: Bool {
    if case .list? = definition.returns?.unwrapped { owns(.exitStatus) } else { false }
  }

  /// Returns a flag for each parameter, and the built-in flags.
  ///
  /// - Parameter described: Whether to include help texts.
  func flags(described: Bool = false) -> [Flag] {
    var flags: [Flag] = []
    for (parameter, name) in flagged {
      let help = described ? Self.help(for: parameter) : ""
      let isToggle = parameter.type.unwrapped == .bool
      flags.append(
        Flag(
          name, short: isToggle ? nil : Self.shortFlags[name],
          isToggle ? .toggle : .value(Self.placeholder(parameter)), help,
          isList: Self.isList(parameter)))
    }
    flags.append(.parameter)
    flags += Flag.watching.filter(owns)
    if tellsEmpty { flags.append(.exitStatus) }
    if takesFilter {
      flags.append(
        Flag(
          ItemSelection.filterFlag.name, .value("EXPR"),
          "run for all items that match an expression"))
    }
    return flags
  }

  private static func help(for parameter: ParameterDefinition) -> String {
    let help = parameter.description ?? parameter.title ?? ""
    if case .bool = parameter.type.unwrapped { return help }
    return help + details(of: parameter)
  }

  private static func isList(_ parameter: ParameterDefinition) -> Bool {
    if case .list = parameter.type.unwrapped { true } else { false }
  }

  /// The placeholder of a parameter's value in help.
  static func placeholder(_ parameter: ParameterDefinition) -> String {
    placeholder(parameter.name.text, parameter.type)
  }

  /// The placeholder of a value by its name and type: texts named after tags are tags.
  static func placeholder(_ name: String, _ type: DataType) -> String {
    let text = valueName(type)
    return WordForm.namesTags(name) ? text.replacing("TEXT", with: "TAG") : text
  }

  static func valueName(_ type: DataType) -> String {
    switch type.unwrapped {
    case .list(let element): valueName(element) + ",…"
    case .enumeration(let values): values.joined(separator: "|")
    case .int, .double: "N"
    case .string, .any: "TEXT"
    case .entity(let name): name.uppercased()
    case .map, .record: "JSON"
    default: type.unwrapped.description.uppercased()
    }
  }

  private static func details(of parameter: ParameterDefinition) -> String {
    var details: [String] = []
    let constraints = parameter.constraints
    if let least = constraints.min, let most = constraints.max {
      details.append("\(Value.double(least).text) to \(Value.double(most).text)")
    }
    if let text = parameter.defaultNode?.scalar?.text, !text.isEmpty {
      details.append("default \(text)")
    }
    return details.isEmpty ? "" : " [\(details.joined(separator: ", "))]"
  }

  /// Positional parameters: the primary one, then the required ones.
  var positional: [ParameterDefinition] {
    guard let primary = definition.primaryParameter else { return [] }
    let others = definition.parameters.filter {
      $0.name.text != primary.name.text && $0.isRequired && $0.type.unwrapped != .bool
    }
    return takesAllWords(primary) ? [primary] : [primary] + others
  }

  func takesAllWords(_ parameter: ParameterDefinition) -> Bool {
    if parameter.isRest || Self.isList(parameter) { return true }
    return parameter.sources != nil
      && [.string, .any, .share].contains(parameter.type.unwrapped)
  }

  /// Index of a parameter in the definition.
  func position(of name: String) -> Int? {
    definition.allParameters.firstIndex { $0.name.text == name }
  }

  /// Returns the given values by parameter index.
  ///
  /// - Throws: `UsageError` for an unexpected word or unknown name.
  func given(
    _ arguments: Arguments, words: [String], note: @escaping (String) -> Void,
    readInput: () throws -> String
  ) throws -> [Int: GivenValue] {
    let parameters = definition.allParameters
    var given: [Int: GivenValue] = [:]
    var texts: [Int: [String]] = [:]
    for (parameter, name) in flagged where !arguments.all(name).isEmpty {
      if let index = position(of: parameter.name.text) { texts[index] = arguments.all(name) }
    }
    for (name, value) in try arguments.pairs(Flag.parameter.name) {
      let index = try position(of: name).expected(
        "`\(definition.name.text)` has no parameter `\(name)`",
        help: Suggestion.help(for: name, in: parameters.map(\.name.text)))
      if let first = texts[index]?.last, !Self.isList(parameters[index]) {
        throw UsageError(givenTwice: "`\(name)`", first, value)
      }
      texts[index, default: []].append(value)
    }
    func give(_ texts: [String], to index: Int, isFlag: Bool) throws {
      let parameter = parameters[index]
      given[index] = try ShellValue(
        name: parameter.name.text, type: parameter.type, isFlag: isFlag, note: note
      ).given(texts)
    }
    for (index, texts) in texts.sorted(by: { $0.key < $1.key }) {
      try give(texts, to: index, isFlag: true)
    }
    var words = try words.map { $0 == "-" ? try readInput() : $0 }
    for parameter in positional where !words.isEmpty {
      guard let index = position(of: parameter.name.text) else { continue }
      if given[index] != nil {
        throw UsageError(
          "`\(parameter.name.text)` is given twice: by a flag, and by “\(words[0])”",
          help: "keep one of them")
      }
      let taken = takesAllWords(parameter) ? words : [words[0]]
      for word in taken.flatMap({ $0.split(separator: " ").map(String.init) }) {
        guard let meant = flag(meantBy: word) else { continue }
        let name = String(meant.dropFirst(2).prefix { $0 != "=" })
        if name == parameter.name.text.flagName {
          // `link:1` is a reference.
          if WordForm.isField(word) {
            note(
              "“\(word.shortened)” is taken as it stands; to set `\(parameter.name.text)` write "
                + String(word.drop { $0 != "=" }.dropFirst()).quotedForShell)
          }
          continue
        }
        note(
          "“\(word.shortened)” is taken for a part of `\(parameter.name.text)`; "
            + "to set `\(name)` write \(meant)\(Self.again(definition))")
      }
      words.removeFirst(taken.count)
      try give(
        Self.isList(parameter) ? taken : [taken.joined(separator: " ")], to: index, isFlag: false)
    }
    if let extra = words.first {
      throw UsageError(
        positional.isEmpty
          ? "`\(definition.name.text)` takes no arguments, but “\(extra)” was given"
          : "unexpected argument “\(extra)”",
        help: unexpected(words))
    }
    return given
  }

  /// The flag that a word such as `due:tomorrow`, `times=2`, `+home` or `@home` stands for; nil for
  /// other words.
  func flag(meantBy word: String) -> String? {
    let names = flagged.map(\.name)
    if names.contains("tags"), "+@".contains(word.first ?? " "),
      word.dropFirst().first?.isLetter == true, word.dropFirst().allSatisfy({ !"@.".contains($0) })
    {
      return "--tags=\(String(word.dropFirst()).quotedForShell)"
    }
    let name = word.prefix { $0.isLetter || $0 == "_" || $0 == "-" }
    let value = word.dropFirst(name.count + 1)
    guard !name.isEmpty, !value.isEmpty, !value.hasPrefix("//"), ":=".contains(word[name.endIndex])
    else { return nil }
    // The words of a search have fields of their own.
    if word[name.endIndex] == ":",
      ["after", "before"].contains(name) || positional.first?.name.text == "query"
    {
      return nil
    }
    let own = flagged.first { $0.name == name || $0.parameter.name.text == name }?.name
    return (own ?? FamiliarWords.meant(String(name), names)).map {
      "--\($0)=\(String(value).quotedForShell)"
    }
  }

  /// A note about the last words of a text that may be meant as a date, as in `Buy bread tomorrow`;
  /// nil for other words, and for those of a search.
  func date(meantBy words: [String], _ arguments: Arguments, _ run: Run) -> String? {
    let words = words.joined(separator: " ").split(separator: " ")
    guard let primary = positional.first, takesAllWords(primary), words.count > 1,
      (try? run.mayWrite(definition.name.text)) == true
    else { return nil }
    let texts = (1..<min(words.count, 5)).reversed().map { words.suffix($0).joined(separator: " ") }
    for (parameter, name) in flagged where arguments.all(name).isEmpty {
      let found: String?
      var meant: String?
      switch parameter.type.unwrapped {
      case .date, .when, .timestamp:
        found = texts.first {
          $0.contains(where: \.isLetter) && (try? run.expect($0, fits: parameter)) != nil
        }
        if found == nil { meant = Self.day(like: words[words.count - 1]) }
      case .refined:
        found = texts.first {
          $0.hasPrefix("every ") && (try? run.expect($0, fits: parameter)) != nil
        }
      default: continue
      }
      guard let text = meant ?? found else { continue }
      return "“\(meant == nil ? text : String(words[words.count - 1]))” is taken for a part of "
        + "`\(primary.name.text)`; to set `\(parameter.name.text)` write --\(name) "
        + text.quotedForShell + Self.again(definition)
    }
    return nil
  }

  /// Says what is to be done before a call that saves something is repeated.
  private static func again(_ definition: ActionDefinition) -> String {
    let saves = definition.steps.contains { step in
      if case .call(let call) = step.kind { call.name.text == "create" } else { false }
    }
    return saves ? ", after `errand undo`" : ""
  }

  /// The name of a day that a word is a slip for; nil for other words.
  private static func day(like word: Substring) -> String? {
    let days = [
      "tomorrow", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    ]
    let day = Suggestion.nearest(to: word.lowercased(), in: days)
    return word.utf8.count > 5 ? day : nil
  }

  /// Rejects words that belong to the value of the flag before them, such as `--due in 3 days`.
  func expectWhole(_ arguments: Arguments, _ run: Run) throws {
    for split in arguments.splits where !split.words.isEmpty {
      let primary = positional.first
      let parameter = flagged.first { $0.name == split.flag.name }?.parameter
      if let parameter {
        func fits(_ count: Int) -> Bool {
          let words = [split.value] + split.words.prefix(count)
          return (try? run.expect(words.joined(separator: " "), fits: parameter)) != nil
        }
        if !fits(0), let count = (1...split.words.count).last(where: fits) {
          throw split.error(count)
        }
      }
      guard let primary else { throw split.error }
      if [.int, .url].contains(primary.type.unwrapped) { continue }
      if split.flag.name == primary.name.text.flagName { throw split.error }
      if takesAllWords(primary) {
        guard split.start > 0, parameter.map(Self.maySpread) ?? false else { continue }
        throw split.error(or: ", or all words together before the flags")
      }
      if arguments.words.count > positional.count { throw split.error }
    }
  }

  /// Whether values of a parameter may be several words.
  private static func maySpread(_ parameter: ParameterDefinition) -> Bool {
    switch parameter.type.unwrapped {
    case .int, .double, .bool, .url, .enumeration, .entity, .map, .record, .file: false
    default: true
    }
  }

  /// Whether any words may follow.
  var takesWords: Bool { positional.first.map(takesAllWords) ?? false }

  /// The advice for surplus words: they may be a single value, or search words.
  private func unexpected(_ words: [String]) -> String {
    let name = call
    // A word may be a value of a flag, or the beginning of one.
    for (parameter, flag) in flagged {
      guard case .enumeration(let values) = parameter.type.unwrapped, let word = words.first else {
        continue
      }
      let meant = values.filter { $0 == word || word.utf8.count > 2 && $0.hasPrefix(word) }
      if meant.count == 1 { return "write --\(flag) \(meant[0].quotedForShell)" }
    }
    guard let primary = positional.first else { return "errand \(name) --help lists its flags" }
    switch primary.type.unwrapped {
    case .string, .any: return "put what belongs together in quotes: errand \(name) \(usage)"
    default: return "write errand \(name) \(usage); to search for words: errand search WORDS"
    }
  }

  /// Positional parameters as shown in the usage line.
  var usage: String {
    positional.map { parameter in
      let name = (parameter.sources != nil ? "input" : parameter.name.text).uppercased()
      let text = takesAllWords(parameter) ? "\(name)…" : name
      return parameter.isRequired ? text : "[\(text)]"
    }.joined(separator: " ")
  }
}
