import Glibc
import TestSupport
import Testing

@testable import ErrandCLI

/// Completion in real shells on a terminal.
@Suite(.enabled(if: TmuxScreen.isInstalled, "tmux is not installed"))
struct ShellCompletionTests {
  private static func isInstalled(_ shell: String) -> Bool {
    ["/usr/bin/", "/bin/", "/usr/local/bin/"].contains { access($0 + shell, X_OK) == 0 }
  }

  /// Titles that would run a program if a shell evaluated them.
  private static let hostile = [
    "A$(touch pwned)", "B`touch pwned`", "X'; touch pwned; '", "D\"; touch pwned; \"",
    "Q; touch pwned", "H (touch pwned)", "G \\$(touch pwned) | x & y > pwned",
  ]

  private func sandbox() throws -> Sandbox {
    let sandbox = try Sandbox(["Notes.txt": ""])
    for title in ["Swift Forums"] + Self.hostile + ["K\ntouch pwned\n", "I\u{1B}]0;x\u{7}"] {
      let name = title.utf8.map(String.init).joined()
      _ = try sandbox.run(
        "create", "link", "url=https://example.org/\(name)", "title=\(title)", "tags=work")
    }
    // Prints the words it is called with, as the shell passes them.
    try sandbox.write("#!/bin/sh\nprintf '[%s]' \"$@\"; echo\n", to: "bin/shown", isProgram: true)
    try sandbox.write("", to: ".zshrc")
    return sandbox
  }

  /// Starts a shell with its script, in which `errand` completes but `shown` runs on Enter.
  private func screen(_ shell: String, _ sandbox: Sandbox) throws -> TmuxScreen {
    let line: String
    switch shell {
    case "bash":
      try sandbox.write(
        """
        PS1='ready> '
        source <(errand completion bash)
        bind 'set bell-style none'
        errand() { shown "$@"; }
        """, to: "rc")
      line = "exec bash --noprofile --rcfile rc -i"
    case "zsh":
      try sandbox.write(
        """
        PS1='ready> '
        autoload -Uz compinit && compinit -u -D
        source <(command errand completion zsh)
        errand() { shown "$@" }
        """, to: ".zshrc")
      line = "exec zsh -i"
    default:
      try sandbox.write(
        """
        function fish_prompt; printf 'ready> '; end
        set -g fish_greeting
        command errand completion fish | source
        function errand; shown $argv; end
        """, to: "rc")
      line = "exec fish --no-config -i -C 'source rc'"
    }
    let screen = try TmuxScreen(line, in: sandbox, columns: 120, rows: 30)
    _ = try screen.screen(showing: "ready>")
    return screen
  }

  /// Types a line, completes its last word and runs it; the shell must have passed these words.
  private func expect(_ typed: String, gives words: String, _ screen: TmuxScreen) throws {
    try screen.type(typed)
    try screen.press("Tab", "Enter")
    _ = try screen.screen(showing: words)
  }

  private func completes(in shell: String) throws {
    let sandbox = try sandbox()
    let screen = try screen(shell, sandbox)
    try expect("errand vacu", gives: "[vacuum]", screen)
    try expect("errand find --coun", gives: "[find][--count]", screen)
    try expect("errand find --color=al", gives: "[find][--color=always]", screen)
    try expect("errand get link:1", gives: "[get][link:1", screen)
    try expect("errand backup Note", gives: "[backup][Notes.txt]", screen)
    try expect("errand get Swi", gives: "[get][Swift Forums]", screen)
    for title in Self.hostile {
      try expect("errand get \(title.prefix(1))", gives: "[get][\(title)]", screen)
    }
    try screen.type("errand get K")
    try screen.press("Tab", "Tab", "C-c")
    #expect(access(sandbox.path + "/pwned", F_OK) != 0)
  }

  @Test(.enabled(if: isInstalled("bash"), "bash is not installed"))
  func bashCompletes() throws { try completes(in: "bash") }

  @Test(.enabled(if: isInstalled("zsh"), "zsh is not installed"))
  func zshCompletes() throws { try completes(in: "zsh") }

  @Test(.enabled(if: isInstalled("fish"), "fish is not installed"))
  func fishCompletes() throws { try completes(in: "fish") }
}
