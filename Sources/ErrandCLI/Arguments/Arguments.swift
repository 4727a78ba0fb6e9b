import CEL
import Items
import Program
import Source

/// A command line, parsed into flags and positional words in two phases: common flags first, the
/// others once the command is known.
struct Arguments {
  private(set) var words: [String] = []
  private var values: [String: [String]] = [:]
  /// Unparsed words, in order.
  private(set) var open: [String]
  private var advice: FlagAdvice?
  /// Values of flags, each with the positional words directly after it.
  private(set) var splits: [SplitValue] = []

  /// Creates arguments from unparsed words.
  init(_ words: [String]) { open = words }

  /// Parses the flags known so far; a word after an unknown flag may be its value.
  ///
  /// - Throws: `UsageError` for a missing value, or a second value for a flag that takes one.
  mutating func takeKnown(_ flags: [Flag]) throws(UsageError) {
    var rest = open[...]
    open = []
    while let word = rest.popFirst() {
      if word == "--" {
        open += ["--"] + rest
        return
      }
      if try take(word, &rest, flags) { continue }
      open.append(word)
      if Self.isFlag(word), !word.contains("="), let next = rest.first, !next.hasPrefix("--") {
        open.append(rest.removeFirst())
      }
    }
  }

  private var plainPositions: [Int] {
    let end = open.firstIndex(of: "--") ?? open.endIndex
    return open.indices.filter { $0 > end || $0 < end && !Self.isFlag(open[$0]) }
  }

  /// The unparsed words that are not flags, including possible values of unknown flags.
  var plainWords: [String] { plainPositions.map { open[$0] } }

  /// Removes and returns the first plain word.
  mutating func takeFirst() -> String? { plainPositions.first.map { open.remove(at: $0) } }

  /// Parses the remaining words; after `--` everything is positional.
  ///
  /// - Parameter advice: Hints about flags the command does not accept.
  /// - Throws: `UsageError` for an unknown or unsupported flag, a missing value, or a second value for
  ///   a flag that takes one.
  mutating func take(_ flags: [Flag], advice: FlagAdvice? = nil) throws(UsageError) {
    self.advice = advice
    for flag in Flag.common where values[flag.name] != nil {
      if !flags.contains(where: { $0.name == flag.name }) {
        try refuse(flags) { $0.name == flag.name }
      }
    }
    var rest = open[...]
    open = []
    while let word = rest.popFirst() {
      if word == "--" {
        words += rest
        break
      }
      let count = splits.count
      if try take(word, &rest, flags) {
        // A toggle ends the words of the value before it.
        if splits.count == count { splits.indices.last.map { splits[$0].isClosed = true } }
        continue
      }
      guard Self.isFlag(word) else {
        if let last = splits.indices.last, !splits[last].isClosed {
          splits[last].words.append(word)
        }
        words.append(word)
        continue
      }
      throw word.hasPrefix("--") ? try unknown(long: word, flags) : try unknown(short: word, flags)
    }
    if let split = splits.first(where: { $0.value.hasSuffix(",") && !$0.words.isEmpty }) {
      throw split.error
    }
  }

  /// Removes the first positional word, such as the name after `run`.
  mutating func dropFirst() {
    guard !words.isEmpty else { return }
    words.removeFirst()
    for index in splits.indices {
      if splits[index].start == 0, !splits[index].words.isEmpty {
        splits[index].words.removeFirst()
      }
      splits[index].start = max(0, splits[index].start - 1)
    }
  }

  /// The value of a flag to which a positional word may belong; nil for other words.
  func split(at index: Int) -> SplitValue? {
    // A flag that every command has, such as --store, takes no text of several words.
    splits.last { split in
      split.start <= index && index < split.start + split.words.count
        && !Flag.isEverywhere(split.flag)
    }
  }

  private static let order =
    "the command comes first, then its flags; `errand help` lists the commands"

  /// The error for an unknown flag where the command should be, with the value that it may have.
  func strayFlag(_ flag: String, before word: String) -> UsageError {
    let name = flag.drop { $0 == "-" }.prefix { $0 != "=" }
    let help =
      FamiliarWords.help(flag: String(name), of: nil, Flag.common)
      ?? (word.contains("://")
        ? "the command comes first: errand save \(word.quotedForShell)"
        : WordForm.isName(word)
          ? "the command comes first: errand get \(word)"
          : Self.order)
    return UsageError("unknown flag \(flag)", help: help)
  }

  /// The unknown flag before the first plain word; nil if there is none.
  var strayFlag: String? { open.first.flatMap { $0 != "--" && Self.isFlag($0) ? $0 : nil } }

  /// The words before the first flag, and those from it on.
  var parts: (words: ArraySlice<String>, flags: ArraySlice<String>) {
    let end = open.firstIndex(where: Self.isFlag) ?? open.endIndex
    return (open[..<end], open[end...])
  }

  private static let switchWords = ["yes", "no", "true", "false", "on", "off"]

  /// Rejects a word after a toggle that can only be meant as its value.
  private func expectNoValue(of flag: Flag, _ next: String?) throws(UsageError) {
    guard let next else { return }
    if Self.switchWords.contains(next.lowercased()) {
      let isOn = ["yes", "true", "on"].contains(next.lowercased())
      throw UsageError(
        "--\(flag.name) takes no value, but “\(next)” follows it",
        help: "write \(isOn ? "--\(flag.name)" : "--no-\(flag.name)") alone; "
          + "to pass the word, write it before the flags")
    }
    if flag.service == .json, next.contains(","), next.allSatisfy({ $0.isLetter || $0 == "," }) {
      let columns = next.split(separator: ",").map { "{{ self.\($0) }}" }.joined(separator: " ")
      throw UsageError(
        "--\(flag.name) takes no properties, but “\(next.shortened)” follows it",
        help: "it prints all of them; for some, write --format '\(columns)'")
    }
  }

  /// Consumes a word that is one of `flags`, with its value; returns false for any other word.
  private mutating func take(
    _ word: String, _ rest: inout ArraySlice<String>, _ flags: [Flag]
  ) throws(UsageError) -> Bool {
    guard Self.isFlag(word) else { return false }
    if word.hasPrefix("--") { return try takeLong(word.dropFirst(2), &rest, flags) }
    return try takeShort(word.dropFirst(), &rest, flags)
  }

  /// Whether a word has the form of a flag; `-3` and `-0.5` are values.
  private static func isFlag(_ word: String) -> Bool {
    guard word.hasPrefix("-"), word.count > 1, !word.hasPrefix("-#") else { return false }
    return word == "-0"
      || !word.dropFirst().allSatisfy { $0.isASCII && ($0.isNumber || $0 == ".") }
  }

  private mutating func takeLong(
    _ text: Substring, _ rest: inout ArraySlice<String>, _ flags: [Flag]
  ) throws(UsageError) -> Bool {
    let name = String(text.prefix { $0 != "=" })
    let attached = text.contains("=") ? String(text.dropFirst(name.count + 1)) : nil
    guard let flag = Self.flag(named: name, in: flags) else {
      guard name.hasPrefix("no-"), attached == nil,
        let flag = Self.flag(named: name.dropFirst(3), in: flags), case .toggle = flag.kind
      else { return false }
      values[flag.name, default: []].append("false")
      return true
    }
    switch flag.kind {
    case .toggle:
      guard let word = attached else {
        try expectNoValue(of: flag, rest.first)
        values[flag.name, default: []].append("true")
        break
      }
      guard case .success(.bool(let isOn)) = LiteralReader.read(word, as: .bool) else {
        throw UsageError(
          "--\(name) is on or off, not “\(word.shortened)”", help: "write --\(name) alone")
      }
      values[flag.name, default: []].append("\(isOn)")
    case .value(let what):
      if attached == nil, let next = rest.first, Self.isLong(next, of: flags) {
        throw UsageError(
          "--\(name) needs a value, and \(next) is a flag",
          help: "write --\(name) \(what), or --\(name)=\(next) if that is meant")
      }
      guard let value = attached ?? rest.popFirst() else {
        throw UsageError("--\(name) needs a value", help: "write --\(name) \(what)")
      }
      try give(value, to: flag)
    }
    return true
  }

  private mutating func takeShort(
    _ text: Substring, _ rest: inout ArraySlice<String>, _ flags: [Flag]
  ) throws(UsageError) -> Bool {
    var letters = text
    var toggles: [Flag] = []
    while let letter = letters.popFirst() {
      guard let flag = flags.first(where: { $0.short == letter }) else { return false }
      guard case .value(let what) = flag.kind else {
        toggles.append(flag)
        continue
      }
      if letters.first == "=" { letters.removeFirst() }
      guard let value = letters.isEmpty ? rest.popFirst() : String(letters) else {
        throw UsageError("-\(letter) needs a value", help: "write -\(letter) \(what)")
      }
      try give(value, to: flag)
      break
    }
    if let last = toggles.last, letters.isEmpty { try expectNoValue(of: last, rest.first) }
    for flag in toggles { values[flag.name, default: []].append("true") }
    return true
  }

  /// Finds a flag by name; an exact match beats an alternative spelling.
  private static func flag(named name: some StringProtocol, in flags: [Flag]) -> Flag? {
    flags.first { $0.name == name } ?? flags.first { $0.isNamed(name) }
  }

  private mutating func give(_ value: String, to flag: Flag) throws(UsageError) {
    if let earlier = values[flag.name]?.last, !flag.isList {
      throw flag.name == "where"
        ? UsageError(
          "--where is given twice", help: "write --where \("\(earlier) && \(value)".quotedForShell)"
        )
        : UsageError(givenTwice: "--\(flag.name)", earlier, value)
    }
    values[flag.name, default: []].append(value)
    splits.append(SplitValue(flag: flag, value: value, start: words.count))
  }

  private func unknown(long word: String, _ flags: [Flag]) throws(UsageError) -> UsageError {
    if let space = word.firstIndex(of: " "), Self.isLong(String(word[..<space]), of: flags) {
      let value = word[word.index(after: space)...].trimmed
      return UsageError(
        "a flag and its value are two words, but “\(word.shortened)” is one",
        help: "write \(word[..<space]) \(String(value).quotedForShell)")
    }
    let name = String(word.dropFirst(2).prefix { $0 != "=" })
    try refuse(flags) { $0.isNamed(name) }
    return unknown("--\(name)", name, flags)
  }

  private func unknown(short word: String, _ flags: [Flag]) throws(UsageError) -> UsageError {
    let letters = word.dropFirst().prefix { $0 != "=" }
    // `-json` is a long flag with a dash too few.
    if letters.count > 2, let flag = Self.flag(named: letters, in: flags) {
      return UsageError("unknown flag -\(letters)", help: "did you mean --\(flag.name)?")
    }
    let isWord = letters.count > 2 && advice?.takesWords() == true
    if letters.contains(":")
      || isWord && FamiliarWords.help(flag: String(letters), of: advice?.command, flags) == nil
    {
      return UsageError(
        "unknown flag \(word)", help: "a word that begins with - comes after --: -- \(word)")
    }
    let letter = letters.first { letter in !flags.contains { $0.short == letter } } ?? "-"
    try refuse(flags) { $0.short == letter }
    return unknown(
      letters.count > 2 ? "-\(letters)" : "-\(letter)",
      letters.count > 2 ? String(letters) : String(letter), flags)
  }

  /// The error for an unknown flag, with a suggestion or the list of the command's flags.
  private func unknown(_ flag: String, _ name: String, _ flags: [Flag]) -> UsageError {
    let own = flags.filter { flag in !Flag.isEverywhere(flag) }.map { "--\($0.name)" }
    let list = advice.map { advice in
      own.isEmpty
        ? "`\(advice.command)` has no flags of its own; \(advice.helpCall)"
        : "`\(advice.command)` has \(own.prefix(8).joined(separator: ", "))"
          + (own.count > 8 ? ", …" : "") + "; \(advice.helpCall)"
    }
    return UsageError(
      "unknown flag \(flag)",
      help: FamiliarWords.help(flag: name, of: advice?.command, flags) ?? advice?.help(name)
        ?? list ?? Self.order)
  }

  /// Rejects a common flag that the command does not support.
  private func refuse(_ flags: [Flag], _ isMeant: (Flag) -> Bool) throws(UsageError) {
    guard let advice, let flag = Flag.common.first(where: isMeant) else { return }
    throw UsageError(
      "`\(advice.command)` does not accept --\(flag.name)",
      help: FamiliarWords.help(flag: flag.name, of: advice.command, flags)
        ?? "\(advice.helpCall) lists the flags it accepts")
  }

  /// Whether a word is the long form of one of `flags`.
  private static func isLong(_ word: String, of flags: [Flag]) -> Bool {
    guard word.hasPrefix("--") else { return false }
    let name = word.dropFirst(2).prefix { $0 != "=" }
    return flags.contains { $0.isNamed(name) }
  }

  /// All values of a flag, in order.
  func all(_ name: String) -> [String] { values[name] ?? [] }

  /// The last value of a flag.
  func last(_ name: String) -> String? { values[name]?.last }

  /// Whether a toggle is on.
  func isOn(_ name: String) -> Bool { values[name].map { $0.last != "false" } ?? false }

  /// The words that give another command those of some flags that are given here.
  func words(of flags: [Flag]) -> [String] {
    flags.flatMap { flag -> [String] in
      switch flag.kind {
      case .toggle: isOn(flag.name) ? ["--\(flag.name)"] : []
      case .value: all(flag.name).map { "--\(flag.name)=\($0)" }
      }
    }
  }

  /// Parses the values of a flag written as `name=value`.
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

/// A command's hints about flags it does not accept.
struct FlagAdvice {
  /// The command's name, for messages about unsupported common flags.
  let command: String
  /// The call whose `--help` lists the flags.
  var call: String?
  /// Whether the command takes any words, which may begin with a dash.
  var takesWords: () -> Bool = { false }
  /// Returns the hint for a flag name, or nil.
  let help: (_ flag: String) -> String?

  /// The command line that shows the help.
  var helpCall: String { call.map { "errand \($0) --help" } ?? "errand help \(command)" }
}

/// The value of a flag with the words after it, which may belong to it, such as `--due in 3 days`.
struct SplitValue {
  let flag: Flag
  let value: String
  /// The index of the first word after it.
  var start: Int
  var words: [String] = []
  /// Whether another flag came after it.
  var isClosed = false

  /// The flag with the value and the first words as one word.
  func joined(_ count: Int = .max) -> String {
    let all = [value] + words.prefix(count)
    let isCommaSeparated = flag.isList && !value.contains("=")
    let text = isCommaSeparated ? WordForm.commaSeparated(all) : all.joined(separator: " ")
    return "--\(flag.name) \(text.quotedForShell)"
  }

  /// The error for words that belong to the value.
  var error: UsageError { error() }

  func error(_ count: Int = .max, or other: String = "") -> UsageError {
    UsageError(
      "“\(words.prefix(count).joined(separator: " ").shortened)” follows the value of --\(flag.name)",
      help: "write \(joined(count))\(other)")
  }
}
