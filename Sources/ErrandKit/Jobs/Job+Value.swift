package import CEL
import Items
package import Store

extension Job {
  /// A job for another program.
  package var value: Value {
    func time(_ time: Timestamp?) -> Value { time.map(Value.timestamp) ?? .null }
    return .map(
      MapValue([
        ("job", .int(number)), ("name", .string(handler)),
        ("state", .string(state.rawValue)), ("key", key.map(Value.string) ?? .null),
        ("origin", .string(origin)),
        ("requires", .list(requires.map { .string($0.rawValue) })),
        ("created", .timestamp(created)), ("due", .timestamp(due)),
        ("began", time(started)), ("ended", time(ended)),
        ("failures", .int(Int64(failures))), ("retries", .int(Int64(retry.times))),
        ("run", run.map(Value.int) ?? .null),
        ("error", error.isEmpty ? .null : .string(error)),
      ]))
  }
}
