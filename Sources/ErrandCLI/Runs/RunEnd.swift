import Engine

/// What a run that did not come to its end tells the person.
enum RunEnd {
  /// The exit status of a run that goes on later.
  static let suspendedStatus: Int32 = 5

  /// Runs a body, and makes an error of its being suspended or ended by another process.
  static func translating<Result>(_ session: Run, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let cancellation as Cancellation {
      let run = session.number.map { "run \($0)" } ?? "the run"
      switch cancellation.reason {
      case .suspended:
        var error = RunError(
          .suspended,
          "\(run) is suspended" + (session.suspension.map { ": \($0)" } ?? ""),
          help: session.number.map { "`errand resume \($0)` goes on with it" })
        error.status = suspendedStatus
        error.isDeliberate = true
        throw error
      case .superseded:
        var error = RunError(.cancelled, "\(run) was ended by another process")
        error.status = ExitStatus.failed
        throw error
      case .interrupted, .sibling, .deadline, .crashed: throw cancellation
      }
    }
  }
}
