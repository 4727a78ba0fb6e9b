import Store

/// `errand redo`: makes again what was taken back last.
enum RedoCommand {
  static let command = Command(
    "redo", "make again what was taken back last",
    discussion: "Called again, it makes again what was taken back before.", serves: []
  ) { invocation, _ in
    let changes = try Reverting(invocation).run("making again") {
      try $0.redo(progress: $2, files: $1)
    }
    Reverting(invocation).tell(changes, "Made again", orSay: "There is nothing to make again.")
    return ExitStatus.done
  }
}
