package import Store

/// The remedy of an error, worded by each front.
package enum Remedy: Hashable, Sendable {
  /// Advice worded the same in every front.
  case advice(String)
  /// Give a preset answer under this key.
  case answer(key: String)
  /// Accept confirmations in advance.
  case agree
  /// Pass a parameter of the top-level intent or shortcut.
  case parameter(String, of: String, isPrimary: Bool)
  /// Pass a parameter in the calling step, or preset its answer.
  case callParameter(String)
  /// Use one of these references; each has its title.
  case choose([String])
  /// List the items of an entity; `words` refers to them.
  case list(entity: String, words: String = "them")
  /// Save a URL first.
  case save(url: String)
  /// Repair or unlock the store.
  case store(StoreRemedy)
  /// Allow these capabilities to definitions from elsewhere, in the form of `--allow`.
  case allow([String])
  /// Cancel an active run, or wait for its end.
  case cancelRun(Int64)
  /// Allow these capabilities to the definition that enqueued the job, and run it again.
  case allowEnqueuer([String])
  /// Start a recorded run again from its first step.
  case startAnew
  /// Name the handler for a share.
  case nameHandler
  /// Discard a share from the inbox.
  case discardShare
  /// Install the binary with network support.
  case installNetwork
  /// Raise the step limit of the run.
  case raiseSteps
}
