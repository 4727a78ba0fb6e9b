import ErrandKit

/// `errand call`: runs an intent or a shortcut whose name is also a command.
enum CallCommand {
  static let command = Command(
    "call", "run an intent or a shortcut whose name is also a command", usage: "NAME [WORDS…]",
    flags: [.parameter]
  ) { word, _ in
    RunTarget(named: word)
  }
}
