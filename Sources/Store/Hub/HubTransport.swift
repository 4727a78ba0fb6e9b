package import Items

/// The log of changes that machines share: PostgreSQL, or a list in tests.
package protocol HubTransport: AnyObject {
  /// Begins a sync of a machine, which is made known to the hub.
  ///
  /// - Parameters:
  ///   - seen: The number and name of the last change that the machine has merged.
  func begin(_ member: HubStore.Membership) throws -> HubGreeting

  /// Appends messages, ends jobs and records the machine's turn, atomically. Messages that exist
  /// already are skipped.
  ///
  /// - Throws: `HubTurnTaken` when the machine's turn was taken by another push, `HubFenceLost` when
  ///   jobs were given to others.
  func push(_ batch: HubBatch, of machine: Int64, turn: Int64) throws

  /// The messages after a number, oldest first, without those of one machine.
  func pull(after seen: Int64, without machine: Int64, limit: Int) throws -> HubPage
}

/// The jobs of a hub.
package protocol HubQueue: AnyObject {
  /// Takes jobs that are due, oldest first, and ends those that cannot be read.
  func take(_ request: HubJobRequest, of machine: Int64) throws -> HubTake
  /// Renews leases; returns the jobs that are still this machine's.
  func renew(_ leases: [HubLease], of machine: Int64) throws -> Set<GlobalID>
  /// Whether a machine is the first one at an occasion of an automation.
  func win(_ occasion: String, of automation: String, for machine: Int64) throws -> Bool
}

/// The jobs that a hub gave.
package struct HubTake: Sendable {
  package var jobs: [HubJob] = []
  /// The jobs that cannot be read, which are dead now.
  package var unreadable: [(handler: String, sender: String)] = []

  package init() {}
}

/// A request for jobs of a hub.
package struct HubJobRequest: Sendable {
  /// The intents and shortcuts that the machine offers.
  package let handlers: [String]
  /// The machine conditions that are met.
  package let available: [Requirement]
  /// The machine's name, for jobs that only it may run.
  package let name: String
  /// The jobs that the machine has and whose end the hub may not know.
  package let held: [GlobalID]
  package let limit: Int
}

/// The content of a push.
package struct HubBatch: Sendable {
  package var messages: [Outbox.Message] = []
  package var jobs: [HubJob] = []
  package var ends: [HubJobEnd] = []
  /// The name of the last message or job.
  package var lastName: GlobalID?

  package init() {}
  package var isEmpty: Bool { messages.isEmpty && jobs.isEmpty && ends.isEmpty }
}

/// A connection to a hub; only in the binary with the network.
package protocol HubConnection: HubTransport, HubQueue {
  /// Makes the hub, or brings it to this release's version; returns whether it is new.
  func make() throws -> Bool
  /// The random name of the hub.
  func name() throws -> String
  /// Asks for a sign whenever something is sent.
  func listen() throws
  /// Waits for a sign, for a readable descriptor, or for a time; returns whether the hub gave one.
  func wait(_ time: Duration, or descriptor: Int32) throws -> Bool
  /// The time after which jobs go to another machine unless their leases were renewed.
  var leaseTime: Duration { get }
  /// The jobs of all machines, latest first.
  func jobs(limit: Int) throws -> [HubJobEntry]
  /// Cancels jobs, or makes ended ones wait again; returns the numbers of those it changed.
  func change(_ numbers: [Int64], isRetry: Bool) throws -> [Int64]
  /// Keeps the bytes of a file, unless the hub has them.
  func keep(_ bytes: [UInt8], named hash: String, of machine: Int64) throws
  /// The bytes of a file; nil if the hub does not have them.
  func bytes(named hash: String) throws -> [UInt8]?
}

/// The address of a hub, as psql finds it.
package struct HubAddress: Sendable {
  /// The name of a service of `pg_service.conf`; empty for the environment's address.
  package var service: String
  /// A connection string that is kept as a secret; nil for none.
  package var secret: String?

  package init(service: String = "", secret: String? = nil) {
    (self.service, self.secret) = (service, secret)
  }
}

/// A failure of a hub or of the way to it.
package struct HubFailure: Error {
  /// The kinds that callers distinguish.
  package enum Kind: Sendable {
    /// The hub cannot be reached now.
    case away
    /// The hub refuses the machine.
    case refused
    /// The person ended the wait.
    case interrupted
  }

  package let kind: Kind
  package let message: String

  package init(_ kind: Kind, _ message: String) {
    (self.kind, self.message) = (kind, message)
  }
}

/// The facts about a hub and a machine at the beginning of a sync.
package struct HubGreeting: Sendable {
  /// The random name of the hub.
  package var hub: String
  /// The hub's time, in microseconds since 1970.
  package var now: Int64
  /// The number of the machine's last push, and the name of its last message.
  package var turn: Int64
  package var turnName: GlobalID?
  /// Whether the hub has the change that the machine saw last.
  package var knowsSeen: Bool
  /// The number of log rows whose numbers the hub never assigned; they are ignored.
  package var strays = 0

  package init(hub: String, now: Int64, turn: Int64, turnName: GlobalID?, knowsSeen: Bool) {
    (self.hub, self.now, self.turn, self.turnName) = (hub, now, turn, turnName)
    self.knowsSeen = knowsSeen
  }
}

/// Some of the messages of a hub.
package struct HubPage: Sendable {
  package var messages: [Outbox.Message]
  /// The number and name of the last change examined.
  package var last: Int64
  package var lastName: String
  /// Whether there are no more.
  package var isLast: Bool
  /// The hub's time, in microseconds since 1970; 0 if it did not say.
  package var now: Int64

  package init(
    messages: [Outbox.Message], last: Int64, lastName: String, isLast: Bool, now: Int64 = 0
  ) {
    (self.messages, self.last, self.lastName, self.isLast) = (messages, last, lastName, isLast)
    self.now = now
  }
}

/// The turn of a push was taken: this store is a copy of another machine's, or was copied.
package struct HubTurnTaken: Error {
  package init() {}
}
