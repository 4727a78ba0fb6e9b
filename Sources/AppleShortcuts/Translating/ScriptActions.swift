/// Scripts of shells.
enum ScriptActions {
  static let rows: [ActionRow] = [
    ActionRow("runshellscript", "the shell of this machine") { t, a in
      let script = t.text(a, "Script")
      let shell = a.choice("Shell", "/bin/sh").contains("bash") ? "bash" : "sh"
      let input = t.given(a, "Input")
      if a.choice("InputMode", "to stdin").contains("arg") {
        t.give(
          "exec",
          [
            (
              "command",
              .code(
                .cel(
                  "[\(.text(shell)), \"-c\", \(script), \"-\"] + \(input.asList).map(i, toText(i))",
                  .list))
            )
          ],
          kind: .text, of: a, name: "output")
        return
      }
      var arguments: [(key: String?, value: Step.Argument)] =
        [
          (
            "command",
            .list(
              // A script that is known only at run time is an argument of one that is not.
              script.literal == nil
                ? [
                  .word(shell), .word("'-c'"), .text("eval \"$1\""), .word("'-'"), .code(script),
                ]
                : [.word(shell), .word("'-c'"), .code(script)])
          )
        ]
      if !input.isNothing { arguments.append(("stdin", .code(t.contents(input).asText))) }
      t.give("exec", arguments, kind: .text, of: a, name: "output")
    },
    ActionRow("runsshscript", "by ssh, with its keys instead of a password") { t, a in
      let target: Code = .joined([t.text(a, "WFSSHUser"), .text("@"), t.text(a, "WFSSHHost")])
      var arguments: [(key: String?, value: Step.Argument)] = [
        (
          "command",
          .list([
            .word("ssh"), .word("'-p'"), .code(t.text(a, "WFSSHPort", "22")),
            .word("'--'"), .code(target), .code(t.text(a, "WFSSHScript")),
          ])
        )
      ]
      let input = t.given(a, "WFInput")
      if !input.isNothing { arguments.append(("stdin", .code(t.contents(input).asText))) }
      t.give("exec", arguments, kind: .text, of: a, name: "output")
    },
  ]
}
