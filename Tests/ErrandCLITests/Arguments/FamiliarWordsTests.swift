import TestSupport
import Testing

@testable import ErrandCLI

/// Flags, subcommands and words that people bring from other programs.
@Suite struct FamiliarWordsTests {
  @Test(arguments: [
    (["secret", "set"], "`secret set` needs SECRET [-]"),
    (["secret", "add", "x"], "did you mean `errand secret set NAME`?"),
    (["serve", "token"], "`serve token` needs create TOKEN, or list, or revoke TOKEN"),
    (["serve", "tokn"], "did you mean `errand serve token`?"),
    (["worker", "start"], "`errand worker` starts it here"),
    (["worker", "status"], "did you mean `errand worker --status`?"),
    (["worker", "--stop"], "end it with Ctrl-C"),
    (["settings", "color"], "`errand settings get color` shows its value"),
    (["settings", "set", "pager"], "`settings set pager` needs VALUE"),
    (["widget", "tasks", "press"], "`widget tasks press` needs BUTTON|REF"),
    (["inbox", "show"], "`inbox show` needs SHARE"),
    (["mcp", "allow"], "`mcp allow` needs NAME…"),
    (["hub", "leave", "now"], "unexpected word “now” after `hub leave`"),
    (["undo", "-n", "3"], "`errand undo` undoes one change"),
    (["log", "-f"], "`errand activity --follow`"),
    (["recent", "--all"], "`errand find links` shows all of them"),
    (["recent", "--before", "yesterday"], "--where 'createdAt"),
    (["add-task", "x", "--important"], "write --priority high"),
    (["add-task", "x", "--nonsense"], "`add-task` has --title, --due"),
    (["find", "links", "--order-by", "title"], "did you mean --sort?"),
    (["find", "links", "-json"], "unknown flag -json"),
    (["find", "links", "-json"], "did you mean --json?"),
    (["delete", "link:1", "-f"], "did you mean --yes?"),
    (["delete", "--all"], "errand delete ENTITY --where true"),
    (["update", "link:1", "--set", "title=X"], "write NAME=VALUE without --set"),
    (["update", "link:1", "title", "=", "X"], "write title=X"),
    (["--verbose", "recent"], "did you mean --trace?"),
    (["todo"], "did you mean `errand tasks`?"),
    (["recent", "extra", "words"], "errand search extra words"),
    (["save", "swift"], "errand search swift"),
    (["get", "links:1"], "did you mean `link:1`?"),
    (["show", "nope"], "`errand list` shows all names"),
    (["changes", "--by", "nope"], "there is no intent, shortcut, automation or command `nope`"),
    (["find", "links", "--where", "title == Swift"], "a text needs quotes: `\"Swift\"`"),
    (["find", "links", "--where", "createdAt > 2026-01-01"], "date(\"2026-01-01\")"),
    (["find", "links", "where", "title=Swift"], "--where 'title == \"Swift\"'"),
    (["search", "title:"], "“title:” needs a word directly after it"),
    (["recent", "--format", "{title}"], "write a value as '{{ self.title }}'"),
    (["recent", "--format", "json"], "did you mean --json?"),
    (["recent", "--language", "xx"], "there are no texts in the language “xx”"),
    (["convert", "nope.shortcut"], "name a file: errand convert FILE.shortcut"),
    (["import", "/etc/passwd"], "/etc/passwd is not in a known format"),
  ])
  func theRightWordIsNamed(_ words: [String], _ part: String) throws {
    let sandbox = try Sandbox()
    _ = try sandbox.run("save", "https://swift.org", "--title", "Swift")
    let run = try sandbox.run(words)
    #expect(run.err.contains(part), "\(run)")
  }

  /// A flag is suggested only to a command that has it.
  @Test(arguments: ["force", "verbose", "n", "f", "t", "all", "since", "file", "sort-by"])
  func noOtherFlagIsSuggested(_ name: String) {
    for command in CommandTable.all {
      let help = FamiliarWords.help(flag: name, of: command.name, command.flags) ?? ""
      guard help.hasPrefix("did you mean --") else { continue }
      let meant = help.dropFirst("did you mean --".count).dropLast()
      #expect(command.flags.contains { $0.name == meant }, "\(command.name) \(name): \(help)")
    }
  }
}
