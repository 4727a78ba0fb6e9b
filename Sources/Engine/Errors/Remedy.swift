package import Store

/// What can be done about an error; each front words it in its own way.
package enum Remedy: Hashable, Sendable {
  /// Advice that reads the same everywhere.
  case advice(String)
  /// Give the answer to a question ahead of time, under this key.
  case answer(key: String)
  /// Accept confirmations ahead of time.
  case agree
  /// Give a parameter of the intent or shortcut that was asked for.
  case parameter(String, of: String, isPrimary: Bool)
  /// Give a parameter in the step that makes the call, or answer it ahead of time.
  case callParameter(String)
  /// Give one of these references, each with its title.
  case choose([String])
  /// Look at the items of an entity, in the words for them.
  case list(entity: String, words: String = "them")
  /// Save an address first.
  case save(url: String)
  /// Do something about the store.
  case store(StoreRemedy)
  /// Allow these to definitions from elsewhere, in the words of `--allow`.
  case allow([String])
  /// End a run that goes on, or wait for its end.
  case cancelRun(Int64)
  /// Allow these to what put a job into the queue, and run that again.
  case allowEnqueuer([String])
  /// Run what a record tells of anew, from its first step.
  case startAnew
  /// Name the intent or shortcut that takes what was shared.
  case nameHandler
  /// Take a share out of the inbox.
  case discardShare
  /// Install the program that reaches the network.
  case installNetwork
  /// Allow a longer run.
  case raiseLimit(Limit)

  /// A bound of a run that a person can raise.
  package enum Limit: String, Hashable, Sendable {
    case steps = "max-steps"
  }
}
