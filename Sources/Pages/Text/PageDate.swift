package import CEL

/// The dates of pages, documents and feeds, which come in every form that people write.
package struct PageDate {
  /// The moment of a time on the person's wall, which dates without a zone mean.
  let moment: @Sendable (CivilTime) -> Timestamp

  package init(moment: @escaping @Sendable (CivilTime) -> Timestamp) {
    self.moment = moment
  }

  /// The moment of a text; nil where it is none that can be told.
  package func timestamp(_ text: String?) -> Timestamp? {
    guard let text else { return nil }
    let parts = DateParts(text)
    guard let time = parts.time else { return nil }
    let result: Timestamp
    if let offset = parts.offset {
      let (seconds, nanoseconds) = (time.secondsSinceEpoch, time.nanoseconds)
      result = Timestamp(seconds: seconds - Int64(offset), nanoseconds: nanoseconds)
    } else {
      result = moment(time)
    }
    return result.isInRange ? result : nil
  }
}
