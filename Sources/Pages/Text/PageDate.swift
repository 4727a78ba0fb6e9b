package import CEL
import ForeignText

/// The dates of pages, documents and feeds, which come in every form that people write.
package struct PageDate {
  /// The moment of a time on the person's wall, which dates without a zone mean.
  let moment: @Sendable (CivilTime) -> Timestamp

  package init(moment: @escaping @Sendable (CivilTime) -> Timestamp) {
    self.moment = moment
  }

  /// The moment of a text; nil where it is none that can be told.
  package func timestamp(_ text: String?) -> Timestamp? {
    text.flatMap { ForeignDate($0) }?.moment(local: moment)
  }
}
