import Store

/// What of a run the store has.
final class RunRecording {
  /// How a run ended.
  struct End {
    let state: RecordedRun.State
    /// Its value, as the journal writes values.
    var result = ""
    /// Its error, likewise.
    var error = ""
  }

  /// Its number; nil before the store has it.
  var number: Int64?
  /// What the store is told of it when it is recorded.
  let draft: RunDraft
  /// How it ended; nil while it goes on.
  var end: End?
  /// Whether the store has its end.
  var isEndWritten = false
  /// Shows other processes that this one is awake.
  var heartbeat: Heartbeat?
  /// How many answers given ahead of time were taken.
  var takenAnswers = 0

  init(_ draft: RunDraft, number: Int64? = nil) {
    self.draft = draft
    self.number = number
  }
}
