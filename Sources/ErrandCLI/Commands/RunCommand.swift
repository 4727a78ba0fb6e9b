/// `errand run`: runs a shortcut or an intent, by name or from a file.
enum RunCommand {
  static let command = Command(
    "run", "run a shortcut or an intent, by name or from a file", usage: "NAME|FILE|- [INPUT…]",
    discussion: """
      A FILE contains a `/` or ends in `.yaml`; `FILE#name` chooses one of several; `-` reads the
      document from standard input. An INPUT of `-` is read from standard input. The parameters
      of what is run are flags here, too.
      """,
    flags: [.parameter]
  ) { word, invocation in
    try invocation.target(word)
  }
}
