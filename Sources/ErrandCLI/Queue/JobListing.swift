import CEL
import Engine
import ErrandKit
import Items
import Store

/// Jobs as rows for people.
struct JobListing {
  private let session: Run

  private let times: TimeText

  /// Rows with times as one reads them on a terminal, or as another program does.
  init(_ session: Run, _ times: TimeText) {
    self.session = session
    self.times = times
  }

  /// The columns of a row.
  static let columns = ["job", "name", "state", "queued at", "from", "next"]

  /// A job for a person.
  func row(_ job: Job) -> [String] {
    [
      String(job.number), job.handler, job.state.rawValue,
      times.text(job.created), job.origin, next(job),
    ]
  }

  private func next(_ job: Job) -> String {
    switch job.state {
    case .waiting:
      var parts: [String] = []
      if job.due > session.host.now() {
        parts.append("again \(times.text(job.due))")
      }
      if !job.requires.isEmpty {
        parts.append("needs " + job.requires.map(\.rawValue).joined(separator: ", "))
      }
      if !job.error.isEmpty { parts.append(job.error.inOneLine) }
      return parts.joined(separator: "; ")
    case .running: return job.process.map { "in process \($0)" } ?? ""
    case .dead: return job.error.inOneLine
    case .suspended: return "errand queue retry \(job.number)"
    case .done: return job.run.map { "run \($0)" } ?? ""
    case .cancelled: return job.error.inOneLine
    }
  }
}
