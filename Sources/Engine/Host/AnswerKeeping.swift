/// A place for the answers of servers, which outlives the process.
package struct AnswerKeeping: Sendable {
  /// The answer that is kept under a key; nil when none is.
  package var answer: @Sendable (_ key: String) -> HTTPReply?
  /// Keeps an answer under a key; false when that can't be done.
  package var keep: @Sendable (_ key: String, HTTPReply) -> Bool
  /// Removes what is kept under a key.
  package var remove: @Sendable (_ key: String) -> Void

  package init(
    answer: @escaping @Sendable (_ key: String) -> HTTPReply?,
    keep: @escaping @Sendable (_ key: String, HTTPReply) -> Bool,
    remove: @escaping @Sendable (_ key: String) -> Void
  ) {
    self.answer = answer
    self.keep = keep
    self.remove = remove
  }
}
