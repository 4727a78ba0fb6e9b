import CEL
import Catalog
import Items
import Program

/// Permissions of a run: granted once by a person, then enforced for every step.
extension Run {
  /// Whether definitions from elsewhere are subject to permissions.
  var guardsAccess: Bool { access.isHeld || access.decide != nil }

  /// Asks for the permissions of an intent or a shortcut, unless they were granted.
  ///
  /// - Parameter guardian: the restricted definition that named it at run time.
  /// - Throws: `not-allowed`, `declined`.
  func authorize(_ name: String, for guardian: String? = nil) throws {
    guard guardsAccess,
      let request = try workspace.permissionRequest(
        of: name, for: guardian ?? (access.isHeld ? name : nil))
    else { return }
    let open = request.capabilities.filter { !access.granted.covers($0) }
    if open.isEmpty { return }
    if access.isHeld {
      let wanted = open.map(\.words).joined(separator: ", ")
      throw RunError(
        .notAllowed, "`\(name)` is not allowed to \(wanted), nor is what enqueued it",
        remedy: .allowEnqueuer(open.map(\.grant)))
    }
    guard let decide = access.decide else { return }
    access.granted = access.granted.joined(by: try decide(request))
  }

  /// Restricts every step to the stored permissions of a job; null for no restriction.
  func hold(to kept: Value) {
    guard !kept.isNull else { return }
    access.isHeld = true
    access.granted = CapabilitySet(value: kept, canonical: host.machine.files.canonical)
  }

  /// The permissions to store with jobs and records of this run; null for no restriction.
  var keptPermissions: Value { access.isHeld ? access.granted.value : .null }
}

extension Runner {
  /// Whether its steps are restricted.
  var isHeld: Bool { isGuarded && run.guardsAccess }

  /// Checks permissions for a definition named at run time.
  ///
  /// - Throws: `not-allowed`, `declined`.
  func authorize(named name: String) throws {
    try permit(.run, name)
    try run.authorize(name, for: isHeld ? guardian : nil)
  }

  /// Whether a built-in definition may enqueue an intent or a shortcut here. One from elsewhere
  /// could otherwise send data to any host in a URL.
  func mayEnqueueShipped(_ name: String) -> Bool {
    guard isHeld else { return true }
    guard run.access.granted.allows(.http, nil),
      let capabilities = try? run.workspace.capabilities(of: name)
    else { return false }
    return capabilities.allSatisfy(run.access.granted.covers)
  }

  /// The permissions to store with jobs it enqueues; null for no restriction.
  var permissionsOfJobs: Value { isHeld ? run.access.granted.value : .null }

  /// Throws if a restricted definition lacks a permission.
  ///
  /// - Parameters:
  ///   - target: the object of the access; nil for any.
  ///   - starter: the step that starts a program.
  /// - Throws: `not-allowed`.
  func permit(_ kind: Capability.Kind, _ target: String?, by starter: String? = nil) throws {
    guard isHeld else { return }
    try Self.permit(kind, target, by: starter, run.access.granted, isJob: run.access.isHeld)
  }

  /// The files of the machine; for a restricted definition, an access that checks its permission again
  /// once a file is open, since another run may have exchanged a folder of its path.
  func files(for kind: Capability.Kind) -> FileAccess {
    let files = run.host.machine.files
    guard isHeld, let approved = files.approved else { return files }
    return approved { [permissions = run.access.granted, isJob = run.access.isHeld] in
      try Self.permit(kind, $0, permissions, isJob: isJob)
    }
  }

  /// A closure that rejects hosts without permission.
  var hostGuard: @Sendable (String) throws -> Void {
    guard isHeld else { return { _ in } }
    return { [permissions = run.access.granted, isJob = run.access.isHeld] in
      try Self.permit(.http, $0, permissions, isJob: isJob)
    }
  }

  private static func permit(
    _ kind: Capability.Kind, _ target: String?, by starter: String? = nil,
    _ permissions: CapabilitySet, isJob: Bool
  ) throws {
    if permissions.allows(kind, target) { return }
    let capability = target.map { Capability(kind, $0) } ?? Capability(any: kind)
    let subject = isJob ? "what enqueued this job" : "this file"
    var message = "\(subject) is not allowed to \(capability.words)"
    if kind == .exec, target == nil, let starter {
      message =
        "\(starter) can start anything, and \(subject) is not allowed to \(capability.words)"
    }
    throw RunError(.notAllowed, message, remedy: .allow([capability.grant]))
  }
}
