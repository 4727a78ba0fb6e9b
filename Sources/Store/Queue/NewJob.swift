package import CEL
package import Items

/// A job to be put into the queue.
package struct NewJob: Sendable {
  /// The intent, shortcut or automation that does it.
  package var handler: String
  /// Its input, as JSON or as the engine writes values.
  package var input: String
  /// Its other parameters by name, as an object likewise.
  package var arguments: String
  /// What keeps one waiting job of a kind: another with the same handler and key is not put in.
  package var key: String?
  /// What of the machine it waits for.
  package var requires: [Requirement]
  /// Whether no other job of its handler may be done at once.
  package var isExclusive = false
  /// Whether others of its handler that wait are done with it, in one run; such a job is exclusive.
  package var isJoined = false
  /// What it is held to, as the engine writes it; nil for everything.
  package var permissions: String?
  /// The automations that led to it, the first one first; nil for those of the job that puts it in.
  package var chain: [String]?
  /// Why it is given up before it was ever done; nil for a job that is to be done.
  package var refusal: String?
  /// Where it comes from, such as `share 3f…`, `automation tidy` or `save`.
  package var origin: String
  /// Before when it is not done; nil for at once.
  package var notBefore: Timestamp?
  /// When it is done again after a failure.
  package var retry: JobRetry

  package init(
    handler: String, input: String = "null", arguments: String = "{}", key: String? = nil,
    requires: [Requirement] = [], origin: String, notBefore: Timestamp? = nil,
    retry: JobRetry = .usual
  ) {
    self.handler = handler
    self.input = input
    self.arguments = arguments
    self.key = key
    self.requires = requires
    self.origin = origin
    self.notBefore = notBefore
    self.retry = retry
  }
}
