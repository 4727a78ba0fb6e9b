import Program
import Source

/// A built-in command.
struct Command: Sendable {
  /// The calls of a command that only read; these end once the output pipe is closed.
  enum Reading: Sendable {
    case never
    case always
    /// Unless one of these flags is given.
    case without([String])
    /// Unless words are given.
    case withoutWords
  }

  let name: String
  let summary: String
  /// The words after the name, as help shows them.
  let usage: String
  /// Further paragraphs of its help.
  let discussion: String
  /// Flags other than the common ones.
  let flags: [Flag]
  /// Supported services; common flags that need others are rejected.
  let serves: [Flag.Service]
  /// Hint for an unknown flag; nil if none.
  let flagHelp: @Sendable (_ name: String) -> String?
  let reads: Reading
  /// Whether its flags are those declared here; otherwise the action it runs declares them.
  let sortsFlags: Bool
  /// Subcommands with their own flags and help, by name.
  let others: [String: @Sendable () -> Command]
  /// Runs it with its flags and words.
  let run: @Sendable (Invocation, Arguments) throws -> Void

  init(
    _ name: String, _ summary: String, usage: String = "", discussion: String = "",
    flags: [Flag] = [], serves: [Flag.Service], reads: Reading = .never, sortsFlags: Bool = true,
    others: [String: @Sendable () -> Command] = [:],
    flagHelp: @escaping @Sendable (_ name: String) -> String? = { _ in nil },
    run: @escaping @Sendable (Invocation, Arguments) throws -> Void
  ) {
    self.name = name
    self.summary = summary
    self.usage = usage
    self.discussion = discussion
    self.flags = flags
    self.serves = serves
    self.reads = reads
    self.sortsFlags = sortsFlags
    self.others = others
    self.flagHelp = flagHelp
    self.run = run
  }

  /// The common flags it accepts.
  var commonFlags: [Flag] { Flag.common(serves) }

  /// Whether it only reads when called with these arguments.
  func onlyReads(_ arguments: Arguments) -> Bool {
    switch reads {
    case .never: false
    case .always: true
    case .without(let flags): flags.allSatisfy { arguments.all($0).isEmpty }
    case .withoutWords: arguments.words.isEmpty
    }
  }

  /// Rejects surplus words.
  ///
  /// - Throws: `UsageError`.
  func expectUse(of arguments: Arguments) throws(UsageError) {
    let words = arguments.words
    if usage.hasPart("…") { return }
    let count = Placeholder.rows(of: usage).map(\.count).max() ?? 0
    guard words.count > count else { return }
    if let split = arguments.split(at: count) { throw split.error }
    if usage.contains(" | ") { throw misuse(words) }
    throw UsageError(
      count == 0
        ? "`\(name)` takes no arguments, but “\(words[0])” was given"
        : "unexpected argument “\(words[count])”", help: surplusHelp(words, count))
  }

  /// Advice on a call with more words than the command takes.
  private func surplusHelp(_ words: [String], _ count: Int) -> String {
    let call = "errand \(name)"
    if let flag = flags.first(where: { $0.takesReference && WordForm.isName(words[count]) }) {
      return "write --\(flag.name) \(words[count])"
    }
    if usage.hasSuffix(" NAME") {
      let before = words.prefix(count - 1).map { " " + $0 }.joined()
      let joined = words.dropFirst(count - 1).joined(separator: "-").lowercased()
      return "a name is one word: \(call)\(before) \(joined)"
    }
    switch count {
    case 0: return "write `\(call)`; errand help \(name)"
    case 1 where !usage.contains("|"):
      let calls = words.prefix(3).map { "\(call) \($0.quotedForShell)" }
      return "one at a time: \(calls.joined(separator: "; "))"
    default: return "write \(call) \(usage)"
    }
  }

  /// The error for words that fit no alternative of the usage line: an unknown subcommand, or one
  /// with too few or too many words.
  func misuse(_ words: [String]) -> UsageError {
    var rows = Placeholder.rows(of: usage)
    var depth = 0
    func options(_ row: [Substring]) -> [String] {
      row.count > depth ? Placeholder(row[depth]).options : []
    }
    while depth < words.count {
      let fixed = rows.filter { options($0).contains(words[depth]) }
      let open = rows.filter { row in options(row).contains { !Placeholder.isFixed($0) } }
      if fixed.isEmpty, open.isEmpty || words.count == 1 { break }
      rows = fixed.isEmpty ? open : fixed
      depth += 1
    }
    let path = ([name] + words.prefix(depth)).joined(separator: " ")
    let rests = rows.map { $0.dropFirst(depth).joined(separator: " ") }
    let forms = rests.map { "errand \(path)" + ($0.isEmpty ? "" : " \($0)") }
      .reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    guard depth < words.count else {
      let wanted = rests.filter { !$0.isEmpty }.joined(separator: ", or ")
      return UsageError(
        "`\(path)` needs \(wanted)", help: forms.joined(separator: "\n"))
    }
    let names = rows.flatMap(options).filter(Placeholder.isFixed)
    if names.isEmpty {
      return UsageError(
        "unexpected word “\(words[depth])” after `\(path)`", help: forms.joined(separator: "\n"))
    }
    let near = Suggestion.nearest(to: words[depth], in: names)
    return UsageError(
      "unknown subcommand “\(words[depth])”",
      help: (depth == 0 ? FamiliarWords.help(words[0], after: name) : nil)
        ?? (usage.hasPrefix("[") && words.count == 1 && NounAndVerb.isListing(words[0])
          ? "`errand \(name)` shows the list" : nil)
        ?? near.map { "did you mean `errand \(path) \($0)`?" }
        ?? "write " + forms.joined(separator: ", or "))
  }
}
