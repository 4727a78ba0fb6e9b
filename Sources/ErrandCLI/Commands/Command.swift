/// One of the command line's own commands.
struct Command: Sendable {
  let name: String
  let summary: String
  /// The words after the name, as help shows them.
  let usage: String
  /// More about it, for its help.
  let discussion: String
  let flags: [Flag]
  let run: @Sendable (Invocation, ParsedArguments) throws -> Int32

  init(
    _ name: String, _ summary: String, usage: String = "", discussion: String = "",
    flags: [Flag] = [], run: @escaping @Sendable (Invocation, ParsedArguments) throws -> Int32
  ) {
    self.name = name
    self.summary = summary
    self.usage = usage
    self.discussion = discussion
    self.flags = flags
    self.run = run
  }

  /// All of them, in the order in which help lists them.
  static let all: [Command] = [
    .run, .call, .find, .get, .create, .update, .delete, .list, .show, .eval, .importItems,
    .exportItems, .undo, .backup, .vacuum, .trust, .doctor, .help, .version,
  ]

  static func named(_ name: String) -> Command? { all.first { $0.name == name } }
}
