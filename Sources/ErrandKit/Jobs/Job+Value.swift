package import CEL
import Items
package import Store

extension Job {
  /// The job for machine-readable output.
  package var value: Value {
    .record([
      "job": number, "name": handler, "state": state.rawValue, "key": key, "origin": origin,
      "requires": requires.map(\.rawValue), "created": created, "due": due, "began": started,
      "ended": ended, "failures": failures, "retries": retry.times, "run": run,
      "error": error.isEmpty ? nil : error,
    ])
  }
}
