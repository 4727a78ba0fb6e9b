import CEL
import Engine
import Worker

/// What a job says goes into the worker's log; nobody answers.
final class WorkerFront: Front {
  private let log: WorkerLog
  private let progressed: (Progress) -> Void

  init(_ log: WorkerLog, progressed: @escaping (Progress) -> Void) {
    self.log = log
    self.progressed = progressed
  }

  var canAnswer: Bool { false }
  var observesSteps: Bool { false }

  func say(_ text: String) { log.note("said", [("text", .string(text))]) }

  func notify(_ notification: DesktopNotification) {
    log.note(
      "notification", level: notification.urgency == .critical ? .warning : .info,
      [("title", .string(notification.title)), ("text", .string(notification.text))])
  }

  func show(_ presentation: Presentation) {
    if case .text(let text) = presentation.layout { log.note("shown", [("text", .string(text))]) }
  }

  func ask(_ question: Question) throws -> Reply {
    throw RunError(.needsValue, "nobody is there to answer “\(question.prompt)”")
  }

  func step(_ path: [String]) {}
  func progress(_ progress: Progress) { progressed(progress) }
  func result(_ presentation: Presentation) {}
}
