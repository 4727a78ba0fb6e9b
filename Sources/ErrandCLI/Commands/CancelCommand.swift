import Engine
import Source
import Store

/// `errand cancel`: ends a run.
enum CancelCommand {
  static let command = Command(
    "cancel", "end a run, also one that is suspended", usage: "RUN",
    discussion: """
      A run that goes on does what its `finally` blocks do, and ends; one that does not end in 15 \
      seconds loses the right to write. One that is suspended will not go on any more.
      """, serves: []
  ) { invocation, arguments in
    guard let word = arguments.words.first else {
      throw UsageError("`cancel` needs the number of a run", help: "`errand runs` lists them")
    }
    let session = try invocation.session()
    let run = try RunWord.run(word, in: session.store())
    let hasEnded = try session.cancel(run)
    invocation.say(
      hasEnded
        ? "Cancelled run \(String(run.number)) of \(run.name)."
        : "Run \(String(run.number)) of \(run.name) did not end, and can write nothing any more.")
    return ExitStatus.done
  }
}
