import Engine
import ErrandKit
import Glibc
import Program
import Source

/// `errand secret`: stores secrets for `secret("NAME")`.
enum SecretCommand {
  static let command: Command = .init(
    "secret", "store tokens and passwords for shortcuts",
    usage: "set SECRET [-] | list | rm SECRET",
    discussion: """
      `set NAME` asks for the secret on the terminal, without showing it, or reads it from standard
      input with `-`; `list` shows the names, `rm NAME` deletes one. They are kept in a file that
      only you can read, unless the setting `secretCommand` names a password manager.
      """,
    serves: []
  ) { invocation, arguments in
    let places = try invocation.places.expected(
      "cannot store secrets: HOME is not set")
    let file = SecretFile(places)
    var words = arguments.words
    let verb = words.isEmpty ? "" : words.removeFirst()
    switch (verb, words.count) {
    case ("set", 1...2): try set(words, file, invocation)
    case ("list", 0):
      for name in try file.read().keys.sorted() { invocation.console.result(name + "\n") }
    case ("rm", 1), ("delete", 1): try remove(words[0], file, invocation)
    default:
      if ["get", "show"].contains(verb) {
        throw UsageError(
          "secrets cannot be shown",
          help: "definitions read them with secret(\"\(words.first ?? "NAME")\")")
      }
      throw command.misuse(arguments.words)
    }
  }

  private static func set(_ words: [String], _ file: SecretFile, _ invocation: Invocation) throws {
    let name = words[0]
    if let problem = SecretFile.problem(withName: name) {
      throw UsageError(
        problem,
        help: name.contains("=")
          ? "the value is asked for, or piped in: errand secret set \(name.prefix { $0 != "=" }) -"
          : "use up to 64 letters, digits, _, - and .")
    }
    try UsageError.expect(
      words.count == 1 || words[1] == "-",
      "a secret cannot be given on the command line, where others can read it",
      help: "leave it out to be asked, or pipe it in with -")
    let text = words.count == 2 ? try StandardInput.text() : try asked(name, invocation)
    if let problem = SecretFile.problem(withText: text) {
      throw UsageError(problem, help: "a shorter one cannot be hidden in output")
    }
    try file.change { $0[name] = text }
    invocation.say("Saved the secret \(name).")
  }

  private static func asked(_ name: String, _ invocation: Invocation) throws -> String {
    guard let text = try HiddenPrompt(invocation.console).ask("Secret \(name):") else {
      throw UsageError(
        "cannot ask for the secret: there is no terminal",
        help: "pipe it in: errand secret set \(name) -")
    }
    return text
  }

  private static func remove(
    _ name: String, _ file: SecretFile, _ invocation: Invocation
  ) throws {
    let known = try file.read()
    try UsageError.expect(
      known[name] != nil, "there is no secret “\(name)”",
      help: Suggestion.help(for: name, in: known.keys.sorted()))
    try file.change { $0[name] = nil }
    invocation.say("Removed the secret \(name).")
  }
}
