import ErrandKit

/// One of the command line's own commands.
struct Command: Sendable {
  /// How a command is run.
  enum Body: Sendable {
    /// With its flags and words; the status to exit with.
    case invocation(@Sendable (Invocation, ParsedArguments) throws -> Int32)
    /// With what its first word stands for, which tells the flags.
    case target(@Sendable (_ word: String, Invocation) throws -> RunTarget)
  }

  /// Whether a command changes nothing, so that it may end when nobody reads its output any more.
  enum Reading: Sendable {
    case never
    case always
    /// Unless one of these flags is given.
    case without([String])
    /// Unless it is given words.
    case withoutWords
  }

  let name: String
  let summary: String
  /// The words after the name, as help shows them.
  let usage: String
  /// More about it, for its help.
  let discussion: String
  /// Its own flags.
  let flags: [Flag]
  /// What of the common flags it has a use for.
  let serves: [Flag.Service]
  /// Advice about a flag that it does not have; nil for none.
  let flagHelp: @Sendable (_ name: String) -> String?
  let reads: Reading
  private(set) var body: Body

  /// A command that runs with its flags and words.
  init(
    _ name: String, _ summary: String, usage: String = "", discussion: String = "",
    flags: [Flag] = [], serves: [Flag.Service], reads: Reading = .never,
    flagHelp: @escaping @Sendable (_ name: String) -> String? = { _ in nil },
    run: @escaping @Sendable (Invocation, ParsedArguments) throws -> Int32
  ) {
    self.name = name
    self.summary = summary
    self.usage = usage
    self.discussion = discussion
    self.flags = flags
    self.serves = serves
    self.reads = reads
    self.flagHelp = flagHelp
    body = .invocation(run)
  }

  /// A command that runs what its first word stands for.
  init(
    _ name: String, _ summary: String, usage: String, discussion: String = "", flags: [Flag],
    target: @escaping @Sendable (_ word: String, Invocation) throws -> RunTarget
  ) {
    self.init(
      name, summary, usage: usage, discussion: discussion, flags: flags,
      serves: Flag.Service.allCases, run: { _, _ in ExitStatus.done })
    body = .target(target)
  }

  /// The common flags that it takes.
  var commonFlags: [Flag] { Flag.common(serves) }

  /// Whether it changes nothing when it is given these flags.
  func onlyReads(_ arguments: ParsedArguments) -> Bool {
    switch reads {
    case .never: false
    case .always: true
    case .without(let flags): flags.allSatisfy { arguments.all($0).isEmpty }
    case .withoutWords: arguments.words.isEmpty
    }
  }

  /// Refuses words that the command has no use for, which somebody meant something by.
  ///
  /// - Throws: `UsageError`.
  func expectUse(of words: [String]) throws(UsageError) {
    if usage.contains("…") { return }
    let count = usage.split(separator: " ").count
    guard words.count > count else { return }
    throw UsageError(
      count == 0
        ? "`\(name)` takes no words, and “\(words[0])” was given"
        : "unexpected argument “\(words[count])”", help: "errand help \(name)")
  }
}
