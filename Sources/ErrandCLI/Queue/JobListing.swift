import CEL
import Engine
import Items
import Store

/// Jobs as rows for people and values for programs.
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
      if !job.error.isEmpty { parts.append(RunListing.short(job.error)) }
      return parts.joined(separator: "; ")
    case .running: return job.process.map { "in process \($0)" } ?? ""
    case .dead: return RunListing.short(job.error)
    case .suspended: return "errand queue retry \(job.number)"
    case .done: return job.run.map { "run \($0)" } ?? ""
    case .cancelled: return RunListing.short(job.error)
    }
  }

  /// A job for another program.
  static func value(_ job: Job) -> Value {
    func time(_ time: Timestamp?) -> Value { time.map(Value.timestamp) ?? .null }
    return .map(
      MapValue([
        ("job", .int(job.number)), ("name", .string(job.handler)),
        ("state", .string(job.state.rawValue)), ("key", job.key.map(Value.string) ?? .null),
        ("origin", .string(job.origin)),
        ("requires", .list(job.requires.map { .string($0.rawValue) })),
        ("created", .timestamp(job.created)), ("due", .timestamp(job.due)),
        ("began", time(job.started)), ("ended", time(job.ended)),
        ("failures", .int(Int64(job.failures))), ("retries", .int(Int64(job.retry.times))),
        ("run", job.run.map(Value.int) ?? .null),
        ("error", job.error.isEmpty ? .null : .string(job.error)),
      ]))
  }
}
