package import CEL
package import Items
import JSON
import POSIX

/// A job on its way to a worker of another machine.
package struct HubJob: Sendable {
  /// The id of the job on all machines.
  package var uid: GlobalID
  package var handler: String
  /// The input and the arguments, in the engine's encoding.
  package var input: String
  package var arguments: String
  /// The permissions of the person who enqueued it, in the engine's encoding; nil for all.
  package var permissions: String?
  package var key: String?
  package var requires: [Requirement]
  /// The name of the only machine that may run it; nil for any.
  package var target: String?
  /// The time until it is due.
  package var delay: Duration
  package var retry: JobRetry
  /// The number of the hub's current lease; 0 before it is taken.
  package var fence: Int64 = 0
  /// The name of the machine that enqueued it.
  package var sender = ""

  /// A job to be sent.
  init(_ job: NewJob, uid: GlobalID, target: String?, delay: Duration) {
    self.uid = uid
    (handler, input, arguments) = (job.handler, job.input, job.arguments)
    (permissions, key, requires) = (job.permissions, job.key, job.requires)
    (self.target, self.delay, retry) = (target, delay, job.retry)
  }

  // MARK: As text

  /// The parts opaque to the hub, as JSON.
  package var payload: String {
    get throws {
      try JSONWriter(escapesInvisible: false).text(
        of: .map(
          MapValue([
            ("input", .string(input)), ("arguments", .string(arguments)),
            ("permissions", permissions.map(Value.string) ?? .null),
          ])))
    }
  }

  /// Reads a job that was taken from a hub.
  ///
  /// - Returns: nil for a malformed payload.
  package init?(
    uid: GlobalID, handler: String, payload: String, requires: Int64, fence: Int64, sender: String
  ) {
    guard case .map(let map)? = try? JSONParser().parse(payload),
      case .string(let input)? = map["input"], case .string(let arguments)? = map["arguments"],
      // The queue holds JSON only.
      (try? JSONParser().parse(input)) != nil,
      case .map? = try? JSONParser().parse(arguments)
    else { return nil }
    self.uid = uid
    (self.handler, self.input, self.arguments) = (handler, input, arguments)
    if case .string(let text)? = map["permissions"] { permissions = text }
    self.requires = Requirement.all(in: requires)
    (self.fence, self.sender) = (fence, sender)
    (delay, retry) = (.zero, JobRetry(times: 0))
  }

  /// The text of a job in the outbox, with the time when it is due by this machine's clock.
  func text(due: Int64?) throws -> String {
    let entries: [(String, Value)] = [
      ("payload", .string(try payload)), ("key", key.map(Value.string) ?? .null),
      ("requires", .int(Requirement.mask(of: requires))),
      ("target", target.map(Value.string) ?? .null), ("due", due.map(Value.int) ?? .null),
      ("times", .int(Int64(retry.times))), ("delay", .int(retry.delay.microseconds)),
      ("backoff", .double(retry.backoff)), ("longest", .int(retry.longest.microseconds)),
    ]
    return try JSONWriter(escapesInvisible: false).text(of: .map(MapValue(entries)))
  }

  /// Reads a job in the outbox; nil for a malformed one.
  ///
  /// - Parameter now: This machine's time, in microseconds since 1970.
  init?(uid: GlobalID, handler: String, text: String, now: Int64) {
    guard case .map(let map)? = try? JSONParser().parse(text),
      case .string(let payload)? = map["payload"], case .int(let requires)? = map["requires"]
    else { return nil }
    self.init(
      uid: uid, handler: handler, payload: payload, requires: requires, fence: 0, sender: "")
    if case .string(let text)? = map["key"] { key = text }
    if case .string(let name)? = map["target"] { target = name }
    if case .int(let due)? = map["due"] { delay = .microseconds(max(0, due - now)) }
    func int(_ name: String) -> Int64 {
      if case .int(let int)? = map[.string(name)] { int } else { 0 }
    }
    retry = JobRetry(
      times: Int(int("times")), delay: .microseconds(int("delay")),
      longest: .microseconds(int("longest")))
    switch map["backoff"] {
    case .double(let factor)?: retry.backoff = factor
    case .int(let factor)?: retry.backoff = Double(factor)
    default: break
    }
  }
}

/// The right of this machine to run a job of a hub: it ends when the hub gives the job to another.
package struct HubLease: Hashable, Sendable {
  package let uid: GlobalID
  package let fence: Int64
  /// The number of the job in the queue of this machine.
  package let job: Int64

  package init(uid: GlobalID, fence: Int64, job: Int64) {
    (self.uid, self.fence, self.job) = (uid, fence, job)
  }
}

/// The end of a job of a hub on this machine.
package struct HubJobEnd: Hashable, Sendable {
  /// The kinds of ends.
  package enum Kind: String, Sendable {
    case done, failed, cancelled, dead
  }

  package let lease: HubLease
  package let kind: Kind
  package let error: String
  /// The number of the recorded run on this machine.
  package let run: Int64?

  package init(_ lease: HubLease, _ kind: Kind, error: String = "", run: Int64? = nil) {
    (self.lease, self.kind, self.error, self.run) = (lease, kind, error, run)
  }
}

/// The hub reassigned jobs that a push ends to other machines; nothing was pushed.
package struct HubFenceLost: Error {
  package let jobs: [GlobalID]
  package init(_ jobs: [GlobalID]) { self.jobs = jobs }
}

/// A job on a hub, for people.
package struct HubJobEntry: Sendable {
  package var number: Int64
  package var handler: String
  package var state: Job.State
  /// The names of the machines that enqueued it and that run it, or did last.
  package var sender: String
  package var worker: String?
  package var created: Timestamp
  package var due: Timestamp
  package var started: Timestamp?
  package var ended: Timestamp?
  /// The number of its run on the worker's machine.
  package var run: Int64?
  package var failures: Int
  package var error: String

  package init(number: Int64, handler: String, state: Job.State, sender: String) {
    (self.number, self.handler, self.state, self.sender) = (number, handler, state, sender)
    (created, due) = (Timestamp(microseconds: 0), Timestamp(microseconds: 0))
    (failures, error) = (0, "")
  }
}
