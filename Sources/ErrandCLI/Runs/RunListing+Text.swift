import CEL
import Engine
import ErrandKit
import Exchange
import Source
import Store

/// Recorded runs as rows for people.
extension RunListing {
  /// The columns of a row.
  static let columns = ["run", "name", "state", "began", "took", "result"]

  /// A run as a row.
  func row(_ run: RecordedRun, _ times: TimeText) -> [String] {
    [
      String(run.number), run.name, run.state.rawValue, times.text(run.started), took(run),
      outcome(run),
    ]
  }

  /// How long a run took, for a person; empty while it goes on.
  private func took(_ run: RecordedRun) -> String {
    guard let length = run.ended?.since(run.started) else { return "" }
    return Self.text(microseconds: length.totalNanoseconds.map { $0 / 1000 } ?? 0)
  }

  private func outcome(_ run: RecordedRun) -> String {
    if let error = error(run) { return Self.text(error) }
    if run.state == .suspended || run.state == .interrupted, run.isDurable {
      return "errand resume \(run.number)"
    }
    return result(run).map { session.renderer.text(of: $0).inOneLine } ?? ""
  }

  /// An error for a person, with those that led to it.
  static func text(_ error: RunError) -> String {
    ([error] + error.causes).map { "\($0.message) [\($0.code)]" }.joined(separator: ", cause: ")
  }

  /// A length of time as a person reads it at a glance.
  static func text(microseconds: Int64) -> String {
    switch microseconds {
    case ..<1_000: "0 ms"
    case ..<1_000_000: "\(microseconds / 1_000) ms"
    case ..<60_000_000: "\(microseconds / 1_000_000).\(microseconds / 100_000 % 10) s"
    default: "\(microseconds / 60_000_000) min \(microseconds / 1_000_000 % 60) s"
    }
  }
}
