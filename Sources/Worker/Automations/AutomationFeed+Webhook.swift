package import CEL
import Engine
import Items
import Program
import Store

/// Triggers by requests to webhooks.
extension AutomationFeed {
  /// Enqueues the jobs of the automations with a webhook, in one transaction.
  ///
  /// - Parameters:
  ///   - body: The body of the request.
  ///   - access: The permissions of the automations in the engine's encoding, by their names.
  /// - Returns: The numbers of the jobs.
  /// - Throws: `not-found`, `not-allowed`, `invalid-value`; errors of the store.
  package func receive(
    _ webhook: String, body: Value, holdingTo access: [String: String]
  ) throws -> [Int64] {
    let now = world.now
    var jobs: [DueJob] = []
    var (isKnown, isAllowed) = (false, false)
    for armed in triggers {
      guard case .webhook(webhook, let fields) = armed.trigger.event else { continue }
      isKnown = true
      guard let permissions = access[armed.name] else { continue }
      isAllowed = true
      let value = armed.trigger.value(
        time: .timestamp(now), body: try fields.map { try run.body(body, of: $0) } ?? body)
      guard admits(armed, now) else { continue }
      // Each request counts, also one that is equal to another.
      var job = try job(armed, value, key: "\(armed.trigger.key) \(session.store.makeUID().text)")
      job.permissions = permissions
      jobs.append(dueJob(job, armed, occasion: ""))
    }
    guard isKnown else {
      throw RunError(.notFound, "no automation has the webhook `\(webhook)`")
    }
    guard isAllowed else {
      throw RunError(
        .notAllowed,
        "what the webhook `\(webhook)` triggers was not allowed when its address was made",
        help: "make a new address with `errand serve token create`")
    }
    return try session.store.transaction { try jobs.compactMap { try enqueue($0) } }
  }
}
