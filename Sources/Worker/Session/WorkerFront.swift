import CEL
package import Engine

/// Writes the output of jobs to the worker's log; cannot answer questions.
package final class WorkerFront: Front {
  private let log: WorkerLog
  private let progressed: (Progress) -> Void

  package init(_ log: WorkerLog, progressed: @escaping (Progress) -> Void) {
    self.log = log
    self.progressed = progressed
  }

  package func say(_ text: String) { log.note("said", [("text", .string(text))]) }

  package func notify(_ notification: DesktopNotification) {
    log.note(
      "notification", level: notification.urgency == .critical ? .warning : .info,
      [("title", .string(notification.title)), ("text", .string(notification.text))])
  }

  package func show(_ presentation: Presentation) {
    if case .text(let text) = presentation.layout { log.note("shown", [("text", .string(text))]) }
  }

  package func progress(_ progress: Progress) { progressed(progress) }
}
