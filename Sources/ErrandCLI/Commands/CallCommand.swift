/// `errand call`: runs an intent or a shortcut whose name is also a command.
enum CallCommand {
  static let command = Command(
    "call", "run an intent or a shortcut whose name is also a command", usage: "NAME [WORDS…]",
    flags: [Flag("param", short: "p", .value("NAME=VALUE"), "give a parameter by its name")]
  ) { command, rest, console in
    try TargetCommand.run(command, rest, console) { word, _ in word }
  }
}
