import CEL
import Engine
import Worker

/// What a job says goes into the worker's log; nobody answers.
final class WorkerFront: Front {
  private let log: WorkerLog

  init(_ log: WorkerLog) { self.log = log }

  var canAnswer: Bool { false }
  var observesSteps: Bool { false }

  func say(_ text: String) { log.note("said", [("text", .string(text))]) }

  func show(_ presentation: Presentation) {
    if case .text(let text) = presentation.layout { log.note("shown", [("text", .string(text))]) }
  }

  func ask(_ question: Question) throws -> Reply {
    throw RunError(.needsValue, "nobody is there to answer “\(question.prompt)”")
  }

  func step(_ path: [String]) {}
  func progress(_ progress: Progress) {}
  func result(_ presentation: Presentation) {}
}
