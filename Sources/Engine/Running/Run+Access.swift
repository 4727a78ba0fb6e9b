import CEL
import Catalog
import Items
import Program

/// What a run may touch: a person decides once, and every step is held to it.
extension Run {
  /// Whether definitions from elsewhere are held to what a person allowed.
  var guardsAccess: Bool { isHeld || decideAccess != nil }

  /// Asks what an intent or a shortcut may touch, unless that was decided.
  ///
  /// - Parameter guardian: The definition that names it only now, and is held to what was allowed.
  /// - Throws: `not-allowed`, `declined`.
  func authorize(_ name: String, for guardian: String? = nil) throws {
    guard guardsAccess,
      let request = try workspace.accessRequest(of: name, for: guardian ?? (isHeld ? name : nil))
    else { return }
    let open = request.touches.filter { !permissions.covers($0) }
    if open.isEmpty { return }
    if isHeld {
      let wanted = open.map(\.words).joined(separator: ", ")
      throw RunError(
        .notAllowed, "`\(name)` may not \(wanted): what enqueued it may not either",
        remedy: .allowEnqueuer(open.map(\.grant)))
    }
    guard let decideAccess else { return }
    permissions = permissions.joined(by: try decideAccess(request))
  }

  /// Holds every step to the permissions that the store keeps with a job; null holds it to none.
  func hold(to kept: Value) {
    guard !kept.isNull else { return }
    isHeld = true
    permissions = Permissions(value: kept, canonical: host.machine.files.canonical)
  }

  /// The permissions that a job or a record of this run keeps; null for everything.
  var keptPermissions: Value { isHeld ? permissions.value : .null }
}

extension Runner {
  /// Whether its steps are held to what a person allowed.
  var isHeld: Bool { isGuarded && run.guardsAccess }

  /// Decides about what a step names only when it runs.
  ///
  /// - Throws: `not-allowed`, `declined`.
  func authorize(named name: String) throws {
    try permit(.run, name)
    try run.authorize(name, for: isHeld ? guardian : nil)
  }

  /// Whether a definition that came with the program may enqueue an intent or a shortcut here: one
  /// from elsewhere could reach any host with what it wrote into an address.
  func mayEnqueueShipped(_ name: String) -> Bool {
    guard isHeld else { return true }
    guard run.permissions.allows(.http, nil), let touches = try? run.workspace.touches(of: name)
    else { return false }
    return touches.allSatisfy(run.permissions.covers)
  }

  /// What a job that it enqueues is held to, as the store keeps it; null for everything.
  var permissionsOfJobs: Value { isHeld ? run.permissions.value : .null }

  /// Refuses what a definition from elsewhere may not touch.
  ///
  /// - Parameters:
  ///   - target: Which one; nil for any.
  ///   - starter: What starts a program.
  /// - Throws: `not-allowed`.
  func permit(_ kind: Touch.Kind, _ target: String?, by starter: String? = nil) throws {
    guard isHeld else { return }
    try Self.permit(kind, target, by: starter, run.permissions, run.isHeld)
  }

  /// What refuses the hosts that a definition from elsewhere may not reach.
  var hostGuard: @Sendable (String) throws -> Void {
    guard isHeld else { return { _ in } }
    let permissions = run.permissions
    let isJob = run.isHeld
    return { try Self.permit(.http, $0, permissions, isJob) }
  }

  private static func permit(
    _ kind: Touch.Kind, _ target: String?, by starter: String? = nil,
    _ permissions: Permissions, _ isJob: Bool
  ) throws {
    if permissions.allows(kind, target) { return }
    let touch = target.map { Touch(kind, $0) } ?? Touch(any: kind)
    let subject = isJob ? "what enqueued this job" : "this file"
    var message = "\(subject) isn't allowed to \(touch.words)"
    if kind == .exec, target == nil, let starter {
      message = "\(starter) can start anything, and \(subject) isn't allowed to \(touch.words)"
    }
    throw RunError(.notAllowed, message, remedy: .allow([touch.grant]))
  }
}
