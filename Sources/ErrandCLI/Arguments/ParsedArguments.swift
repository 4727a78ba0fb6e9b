import Source

/// The words of a command line, sorted into flags and positional words.
struct ParsedArguments {
  private(set) var words: [String] = []
  private var values: [String: [String]] = [:]
  private let passesUnknown: Bool
  private let command: String?

  /// Sorts words by the flags that may be given; after `--` everything is positional.
  ///
  /// - Parameter passesUnknown: whether unknown flags are passed over, since a later look knows
  ///   them.
  /// - Parameter command: the name of the command that may refuse common flags.
  /// - Throws: `UsageError` for an unknown flag or a missing value.
  init(
    _ arguments: some Sequence<String>, flags: [Flag], passesUnknown: Bool = false,
    command: String? = nil
  ) throws(UsageError) {
    self.passesUnknown = passesUnknown
    self.command = command
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
    guard let flag = flags.first(where: { $0.name == name }) else {
      if name.hasPrefix("no-"), attached == nil,
        let flag = flags.first(where: { $0.name == name.dropFirst(3) }), case .toggle = flag.kind
      {
        values[flag.name, default: []].append("false")
        return
      }
      if passesUnknown { return }
      try refuse { $0.name == name }
      throw UsageError(
        "there is no flag --\(name)",
        help: Suggestion.nearest(to: name, in: flags.map(\.name)).map { "did you mean --\($0)?" }
          ?? "--help lists the flags")
    }
    switch flag.kind {
    case .toggle: values[name, default: []].append(attached ?? "true")
    case .value(let what):
      if attached == nil, let next = rest.first, Self.isFlag(next, of: flags) {
        throw UsageError(
          "--\(name) needs a value, and \(next) is a flag",
          help: "write --\(name) \(what), or --\(name)=\(next) if that is meant")
      }
      guard let value = attached ?? rest.popFirst() else {
        throw UsageError("--\(name) needs a value", help: "write --\(name) \(what)")
      }
      values[name, default: []].append(value)
    }
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
          "there is no flag -\(letter)",
          help: Self.longForm(of: letter, in: flags).map { "did you mean --\($0)?" }
            ?? "--help lists the flags; what begins with - and is none comes after --")
      }
      guard case .value(let what) = flag.kind else {
        values[flag.name, default: []].append("true")
        continue
      }
      if letters.first == "=" { letters.removeFirst() }
      guard let value = letters.isEmpty ? rest.popFirst() : String(letters) else {
        throw UsageError("-\(letter) needs a value", help: "write -\(letter) \(what)")
      }
      values[flag.name, default: []].append(value)
      return
    }
  }

  /// The one flag that a letter may stand for; `-n` is a number of lines or items everywhere.
  private static func longForm(of letter: Character, in flags: [Flag]) -> String? {
    if letter == "n", flags.contains(where: { $0.name == "limit" }) { return "limit" }
    let names = flags.map(\.name).filter { $0.first == letter }
    return names.count == 1 ? names.first : nil
  }

  /// Refuses a common flag that the command has no use for.
  private func refuse(_ isMeant: (Flag) -> Bool) throws(UsageError) {
    guard let command, let flag = Flag.common.first(where: isMeant) else { return }
    throw UsageError(
      "`\(command)` has no use for --\(flag.name)",
      help: "errand help \(command) lists the flags that it takes")
  }

  /// Whether a word is the long form of a flag.
  private static func isFlag(_ word: String, of flags: [Flag]) -> Bool {
    guard word.hasPrefix("--") else { return false }
    let name = word.dropFirst(2).prefix { $0 != "=" }
    return flags.contains { $0.name == name }
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
          "“\(text)” is not of the form NAME=VALUE", help: "write --\(name) NAME=VALUE")
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
}
