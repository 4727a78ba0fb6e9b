extension RunError {
  /// The codes of language §8, and those that a `fail` step makes up.
  package struct Code: Hashable, Sendable, CustomStringConvertible {
    package let name: String

    package init(_ name: String) {
      self.name = name
    }

    package var description: String { name }

    package static let needsValue = Code("needs-value")
    package static let invalidValue = Code("invalid-value")
    package static let ambiguous = Code("ambiguous")
    package static let notFound = Code("not-found")
    package static let conflict = Code("conflict")
    package static let declined = Code("declined")
    package static let cancelled = Code("cancelled")
    package static let denied = Code("denied")
    package static let busy = Code("busy")
    package static let timeout = Code("timeout")
    package static let network = Code("network")
    package static let http = Code("http")
    package static let exec = Code("exec")
    package static let notAllowed = Code("not-allowed")
    package static let noSecret = Code("no-secret")
    package static let io = Code("io")
    package static let store = Code("store")
    package static let failed = Code("failed")
    package static let `internal` = Code("internal")
    package static let suspended = Code("suspended")

    /// The names of all of them, which errors have that no `fail` raises.
    package static let known = [
      needsValue, invalidValue, ambiguous, notFound, conflict, declined, cancelled, denied, busy,
      timeout, network, http, exec, notAllowed, noSecret, io, store, failed, .internal, suspended,
    ].map(\.name)
  }
}
