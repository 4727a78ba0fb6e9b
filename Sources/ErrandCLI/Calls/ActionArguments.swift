import CEL
import Catalog
import Engine
import Items
import Program
import Source
import YAML

/// The command line of an intent or a shortcut: its flags, and what its words stand for.
struct ActionArguments {
  let definition: ActionDefinition
  /// The parameters with a flag of their own: all but those whose flag means the same everywhere.
  private let flagged: [ParameterDefinition]
  /// The flags of `flagged`.
  private let flagNames: [String]

  init(_ definition: ActionDefinition) {
    self.definition = definition
    var flagged: [ParameterDefinition] = []
    var names: [String] = []
    for parameter in definition.parameters {
      let name = parameter.name.text.flagName
      if Flag.common.contains(where: { $0.name == name }) { continue }
      flagged.append(parameter)
      names.append(name)
    }
    self.flagged = flagged
    flagNames = names
  }

  /// Whether a flag is ours, and no parameter's.
  func owns(_ flag: Flag) -> Bool { !flagNames.contains(flag.name) }

  /// Whether `--exit-status` is ours, and tells whether a list is empty.
  var tellsEmpty: Bool {
    if case .list? = definition.returns?.unwrapped {
      owns(.exitStatus)
    } else {
      false
    }
  }

  /// A flag for each parameter that has no place among the words, and for the others, too.
  ///
  /// - Parameter described: whether they are to be shown; their help is left out otherwise.
  func flags(described: Bool = false) -> [Flag] {
    var flags: [Flag] = []
    for (parameter, name) in zip(flagged, flagNames) {
      let help = described ? Self.help(for: parameter) : ""
      let isToggle = parameter.type.unwrapped == .bool
      flags.append(
        Flag(
          name, short: name == "limit" && !isToggle ? "n" : nil,
          isToggle ? .toggle : .value(Self.valueName(parameter.type)), help,
          isList: Self.isList(parameter)))
    }
    flags.append(.parameter)
    flags += Flag.watching.filter(owns)
    if tellsEmpty { flags.append(.exitStatus) }
    if takesFilter {
      flags.append(
        Flag(ItemSelection.filterFlag.name, .value("EXPR"), "run for all for which it holds"))
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

  static func valueName(_ type: DataType) -> String {
    switch type.unwrapped {
    case .list(let element): valueName(element) + ",…"
    case .enumeration(let values): values.joined(separator: "|")
    case .int, .double: "N"
    case .string, .any: "TEXT"
    case .entity(let name): name.uppercased()
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

  /// The parameters that words stand for: the primary one, then those that must be given.
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

  /// The position of a parameter among all of the definition.
  func position(of name: String) -> Int? {
    definition.allParameters.firstIndex { $0.name.text == name }
  }

  /// The given values by the position of their parameter.
  ///
  /// - Throws: `UsageError` for a word or a name that belongs to nothing.
  func given(
    _ arguments: ParsedArguments, words: [String], readInput: () throws -> String
  ) throws -> [Int: GivenValue] {
    let parameters = definition.allParameters
    var given: [Int: GivenValue] = [:]
    func give(_ texts: [String], to name: String) {
      if let index = position(of: name) { given[index] = .texts(texts) }
    }
    for (parameter, name) in zip(flagged, flagNames) {
      let texts = arguments.all(name)
      if !texts.isEmpty { give(texts, to: parameter.name.text) }
    }
    for (name, value) in try arguments.pairs(Flag.parameter.name) {
      guard let index = position(of: name) else {
        throw UsageError(
          "`\(definition.name.text)` has no parameter `\(name)`",
          help: Suggestion.help(for: name, in: parameters.map(\.name.text)))
      }
      var earlier: [String] = []
      if case .texts(let texts)? = given[index] { earlier = texts }
      if let first = earlier.last, !Self.isList(parameters[index]) {
        throw UsageError(givenTwice: "`\(name)`", first, value)
      }
      give(earlier + [value], to: name)
    }
    var words = try words.map { $0 == "-" ? try readInput() : $0 }
    for parameter in positional where !words.isEmpty {
      if let index = position(of: parameter.name.text), given[index] != nil {
        throw UsageError(
          "`\(parameter.name.text)` is given twice: by a flag, and by “\(words[0])”",
          help: "keep one of them")
      }
      if case .bool = parameter.type.unwrapped,
        case .failure = LiteralReader.read(
          words[0], as: .bool)
      {
        let flag = "--\(parameter.name.text.flagName)"
        throw UsageError(
          "unexpected argument “\(words[0])”",
          help: "`errand \(definition.name.text) \(flag)` turns `\(parameter.name.text)` on; "
            + "`errand \(definition.name.text) --help` lists the flags")
      }
      let taken = takesAllWords(parameter) ? words : [words[0]]
      words.removeFirst(taken.count)
      give(Self.isList(parameter) ? taken : [taken.joined(separator: " ")], to: parameter.name.text)
    }
    if let extra = words.first {
      throw UsageError(
        positional.isEmpty
          ? "`\(definition.name.text)` takes no words, and “\(extra)” was given"
          : "unexpected argument “\(extra)”",
        help: "errand \(definition.name.text) --help")
    }
    return given
  }

  /// The words as a usage line shows them.
  var usage: String {
    positional.map { parameter in
      let name = (parameter.sources != nil ? "input" : parameter.name.text).uppercased()
      let text = takesAllWords(parameter) ? "\(name)…" : name
      return parameter.isRequired ? text : "[\(text)]"
    }.joined(separator: " ")
  }
}
