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
  /// Subcommands that are commands of their own, by name.
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
  func expectUse(of words: [String]) throws(UsageError) {
    if usage.contains("…") { return }
    let count = usage.split(separator: " ").count
    guard words.count > count else { return }
    throw UsageError(
      count == 0
        ? "`\(name)` takes no arguments, but “\(words[0])” was given"
        : "unexpected argument “\(words[count])”", help: "errand help \(name)")
  }
}
