package import CEL

extension Timestamp {
  /// The moment as JSON holds it: RFC 3339 in UTC, to the microsecond as stores keep it.
  package var jsonText: String {
    Timestamp(microseconds: microseconds).text
  }
}
