import ErrandKit
import Inbox

extension InboxEntry {
  /// The columns of a row.
  static let columns = ["share", "state", "what", "from", "for", "why"]

  /// The entry for a person.
  var row: [String] {
    [
      ShareName.short(name), state.rawValue, summary, from ?? "", handler ?? "", reason ?? "",
    ]
  }
}
