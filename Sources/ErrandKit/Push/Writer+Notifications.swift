import Engine
import Links
import Store

extension Writer {
  /// Chooses an action of a notification in a browser: its automation goes on in a worker.
  ///
  /// - Parameters:
  ///   - code: The code of its ticket.
  ///   - index: The number of the action.
  /// - Throws: `conflict` if it was answered already or is too old, `not-found`, `store`, `busy`.
  package func answer(notification code: String, with index: Int) throws(ErrandError) {
    let tickets = PushTickets(try errand.neededPlaces())
    try writing { run in
      try tickets.take(code) { ticket in
        guard ticket.actions.indices.contains(index) else {
          throw RunError(.notFound, "this notification has no such action")
        }
        let job = try run.job(
          after: ticket.later, answer: ticket.actions[index], key: SHA256.hex(of: code))
        _ = try run.store().jobs.enqueue(job)
      }
    }
  }
}
