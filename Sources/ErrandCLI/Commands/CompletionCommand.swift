import Program

/// `errand completion`: prints the script that makes a shell ask the program for completions.
enum CompletionCommand {
  static let command = Command(
    "completion", "print the completion script of a shell", usage: "bash|zsh|fish",
    discussion: """
      The script asks the program, so it stays as it is when definitions change. `make install` \
      installs all three; elsewhere, save it where the shell looks: docs/cli.md names the places.
      """,
    serves: [], reads: .always
  ) { invocation, arguments in
    let name = try arguments.words.first.expected("missing shell", help: "name bash, zsh or fish")
    let shell = try CompletionScript(rawValue: name).expected(
      "unknown shell “\(name.shortened)”", help: "name bash, zsh or fish")
    invocation.console.result(shell.text)
  }
}
