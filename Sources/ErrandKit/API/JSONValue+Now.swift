import CEL
import Glibc
import JSON

extension JSONValue {
  /// The current time as RFC 3339 text.
  package static var now: JSONValue {
    .string(Timestamp(seconds: Int64(time(nil))).jsonText)
  }
}
