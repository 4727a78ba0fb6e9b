/// Who hears the dialog of a run and answers its questions.
package protocol Front: AnyObject {
  /// Whether a person can answer.
  var canAnswer: Bool { get }
  /// Whether it wants to hear of steps.
  var observesSteps: Bool { get }
  /// Says a sentence.
  func say(_ text: String)
  /// Puts something on the screen.
  func show(_ presentation: Presentation)
  /// Asks a question; called only when somebody can answer.
  ///
  /// - Throws: `cancelled` when the person leaves.
  func ask(_ question: Question) throws -> Reply
  /// Hears that a step of the asked-for intent or shortcut begins.
  func step(_ path: [String])
  /// Hears how far a long piece of work has come.
  func progress(_ progress: Progress)
  /// Hears what the run came to, once it is done.
  func result(_ presentation: Presentation)
}

/// How far a long piece of work has come.
package struct Progress: Sendable {
  /// What is done, in lines, items or whatever it counts.
  package let done: Int
  /// How much there is to do; nil when that is not known.
  package let total: Int?

  /// So much of a total.
  package init(done: Int, total: Int? = nil) {
    self.done = done
    self.total = total
  }
}
