import Store

/// `errand redo`: makes again what was taken back last.
enum RedoCommand {
  static let command = Command(
    "redo", "redo the last undone change",
    discussion: "Called again, it redoes the change that was undone before.", serves: []
  ) { invocation, _ in
    let changes = try Reverting(invocation).run("redoing") {
      try $0.redo(progress: $2, files: $1)
    }
    Reverting(invocation).tell(changes, "Redone:", orSay: "Nothing to redo.")
    return ExitStatus.done
  }
}
