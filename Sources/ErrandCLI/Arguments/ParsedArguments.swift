import Program
import Source

/// The words of a command line, sorted into flags and positional words.
struct ParsedArguments {
  private(set) var words: [String] = []
  private var values: [String: [String]] = [:]
  private let passesUnknown: Bool
  private let advice: FlagAdvice?

  /// Sorts words by the flags that may be given; after `--` everything is positional.
  ///
  /// - Parameter passesUnknown: whether unknown flags are passed over, since a later look knows
  ///   them.
  /// - Parameter advice: What the command says about flags that it does not take.
  /// - Throws: `UsageError` for an unknown flag, a missing value, or a second value for a flag that
  ///   takes one.
  init(
    _ arguments: some Sequence<String>, flags: [Flag], passesUnknown: Bool = false,
    advice: FlagAdvice? = nil
  ) throws(UsageError) {
    self.passesUnknown = passesUnknown
    self.advice = advice
    var rest = Array(arguments)[...]
    while let word = rest.popFirst() {
      if word == "--" {
        words += rest
        return
      }
      if word.hasPrefix("--") {
        try takeLong(word.dropFirst(2), &rest, flags)
      } else if word.hasPrefix("-"), word.count > 1, !Self.isNumber(word), !word.hasPrefix("-#") {
        try takeShort(word.dropFirst(), &rest, flags)
      } else {
        words.append(word)
      }
    }
  }

  private mutating func takeLong(
    _ text: Substring, _ rest: inout ArraySlice<String>, _ flags: [Flag]
  ) throws(UsageError) {
    let name = String(text.prefix { $0 != "=" })
    let attached = text.contains("=") ? String(text.dropFirst(name.count + 1)) : nil
    guard let flag = Self.flag(named: name, in: flags) else {
      if name.hasPrefix("no-"), attached == nil,
        let flag = Self.flag(named: name.dropFirst(3), in: flags), case .toggle = flag.kind
      {
        values[flag.name, default: []].append("false")
        return
      }
      if passesUnknown { return }
      try refuse { $0.isNamed(name) }
      throw UsageError(
        "unknown flag --\(name)",
        help: Suggestion.nearest(to: name, in: flags.map(\.name)).map { "did you mean --\($0)?" }
          ?? advice?.help(name) ?? "see --help")
    }
    switch flag.kind {
    case .toggle: values[flag.name, default: []].append(attached ?? "true")
    case .value(let what):
      if attached == nil, let next = rest.first, Self.isFlag(next, of: flags) {
        throw UsageError(
          "--\(name) needs a value, and \(next) is a flag",
          help: "write --\(name) \(what), or --\(name)=\(next) if that is meant")
      }
      guard let value = attached ?? rest.popFirst() else {
        throw UsageError("--\(name) needs a value", help: "write --\(name) \(what)")
      }
      try give(value, to: flag)
    }
  }

  /// The flag that is meant by a name; one of that very name goes before another spelling.
  private static func flag(named name: some StringProtocol, in flags: [Flag]) -> Flag? {
    flags.first { $0.name == name } ?? flags.first { $0.isNamed(name) }
  }

  private mutating func give(_ value: String, to flag: Flag) throws(UsageError) {
    if let earlier = values[flag.name]?.last, !flag.isList {
      throw UsageError(givenTwice: "--\(flag.name)", earlier, value)
    }
    values[flag.name, default: []].append(value)
  }

  private mutating func takeShort(
    _ text: Substring, _ rest: inout ArraySlice<String>, _ flags: [Flag]
  ) throws(UsageError) {
    var letters = text
    while let letter = letters.popFirst() {
      guard let flag = flags.first(where: { $0.short == letter }) else {
        if passesUnknown { return }
        try refuse { $0.short == letter }
        throw UsageError(
          "unknown flag -\(letter)",
          help: Self.longForm(of: letter, in: flags).map { "did you mean --\($0)?" }
            ?? "see --help; put -- before words that begin with -")
      }
      guard case .value(let what) = flag.kind else {
        values[flag.name, default: []].append("true")
        continue
      }
      if letters.first == "=" { letters.removeFirst() }
      guard let value = letters.isEmpty ? rest.popFirst() : String(letters) else {
        throw UsageError("-\(letter) needs a value", help: "write -\(letter) \(what)")
      }
      try give(value, to: flag)
      return
    }
  }

  /// The one flag that a letter may stand for.
  private static func longForm(of letter: Character, in flags: [Flag]) -> String? {
    let names = flags.map(\.name).filter { $0.first == letter }
    return names.count == 1 ? names.first : nil
  }

  /// Refuses a common flag that the command has no use for.
  private func refuse(_ isMeant: (Flag) -> Bool) throws(UsageError) {
    guard let advice, let flag = Flag.common.first(where: isMeant) else { return }
    throw UsageError(
      "`\(advice.command)` doesn't accept --\(flag.name)",
      help: "errand help \(advice.command) lists the flags it accepts")
  }

  /// Whether a word is the long form of a flag.
  private static func isFlag(_ word: String, of flags: [Flag]) -> Bool {
    guard word.hasPrefix("--") else { return false }
    let name = word.dropFirst(2).prefix { $0 != "=" }
    return flags.contains { $0.isNamed(name) }
  }

  /// Whether a word such as `-3` or `-0.5` is a value and no flag.
  private static func isNumber(_ word: String) -> Bool {
    word.dropFirst().allSatisfy { $0.isASCII && ($0.isNumber || $0 == ".") } && word != "-0"
  }

  /// All values of a flag in the order in which they were given.
  func all(_ name: String) -> [String] { values[name] ?? [] }

  /// The last value of a flag.
  func last(_ name: String) -> String? { values[name]?.last }

  /// Whether a toggle is on.
  func isOn(_ name: String) -> Bool { values[name].map { $0.last != "false" } ?? false }

  /// The values of a flag that are written `name=value`.
  ///
  /// - Throws: `UsageError` for one without `=`.
  func pairs(_ name: String) throws(UsageError) -> [(key: String, value: String)] {
    var pairs: [(key: String, value: String)] = []
    for text in all(name) {
      guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
        throw UsageError(
          "“\(text)” isn't of the form NAME=VALUE", help: "write --\(name) NAME=VALUE")
      }
      pairs.append((String(text[..<equals]), String(text[text.index(after: equals)...])))
    }
    return pairs
  }
}

/// A command line that can't be understood.
struct UsageError: Error {
  let message: String
  let help: String?

  init(_ message: String, help: String? = nil) {
    self.message = message
    self.help = help
  }

  /// The error for two values of something that takes one.
  init(givenTwice what: String, _ first: String, _ second: String) {
    self.init(
      "\(what) is given twice: “\(first.shortened)” and “\(second.shortened)”",
      help: "keep one of them")
  }
}
