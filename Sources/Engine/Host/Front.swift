/// Who hears the dialog of a run and answers its questions.
package protocol Front: AnyObject {
  /// Whether a person can answer.
  var canAnswer: Bool { get }
  /// Whether it wants to hear of steps.
  var observesSteps: Bool { get }
  /// Says a sentence.
  func say(_ text: String)
  /// Tells a notification that no channel could show, where nobody can answer.
  func notify(_ notification: DesktopNotification)
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
  /// Hears of something that goes on for a while.
  func activity(_ activity: Activity)
  /// Hears what the run came to, once it is done.
  func result(_ presentation: Presentation)
  /// Hears why the run failed, where that may not be seen elsewhere.
  func failed(_ message: String)
  /// Hears what the run came to, where that was written and may not be seen.
  func wroteResult(_ presentation: Presentation)
}

extension Front {
  package func notify(_ notification: DesktopNotification) { say(notification.line) }
  package func failed(_ message: String) {}
  package func activity(_ activity: Activity) {}
  package func wroteResult(_ presentation: Presentation) {}
}
