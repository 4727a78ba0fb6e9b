import Program

/// What a run may touch: a person decides once, and every step is held to it.
extension Run {
  /// Asks what an intent or a shortcut may touch, unless that was decided.
  ///
  /// - Throws: `not-allowed`, `declined`.
  func authorize(_ name: String) throws {
    guard let decideAccess, let request = try workspace.accessRequest(of: name) else { return }
    let open = request.touches.filter { !permissions.covers($0) }
    if open.isEmpty { return }
    permissions = permissions.joined(by: try decideAccess(request))
  }
}

extension Runner {
  /// Refuses what a definition from elsewhere may not touch.
  ///
  /// - Parameter target: which one; nil for any.
  /// - Throws: `not-allowed`.
  func permit(_ kind: Touch.Kind, _ target: String?) throws {
    guard isGuarded, run.decideAccess != nil else { return }
    try Self.permit(kind, target, run.permissions)
  }

  /// Whether a definition from elsewhere asked for this, and may not reach every host: what it put in
  /// for later could reach one with whatever it wrote into an address.
  var keepsFromReaching: Bool {
    isGuarded && run.decideAccess != nil && !run.permissions.allows(.http, nil)
  }

  /// What refuses the hosts that a definition from elsewhere may not reach.
  var hostGuard: @Sendable (String) throws -> Void {
    guard isGuarded, run.decideAccess != nil else { return { _ in } }
    let permissions = run.permissions
    return { try Self.permit(.http, $0, permissions) }
  }

  private static func permit(
    _ kind: Touch.Kind, _ target: String?, _ permissions: Permissions
  ) throws {
    if permissions.allows(kind, target) { return }
    let touch = target.map { Touch(kind, $0) } ?? Touch(any: kind)
    throw RunError(
      .notAllowed, "this file may not \(touch.words)", remedy: .allow([touch.grant]))
  }
}

extension Touch {
  /// What is done to it, in words that follow “may”.
  package var words: String {
    switch kind {
    case .exec: "start \(target ?? "any program")"
    case .http: "reach \(target ?? "any host")"
    case .read: "read \(target ?? "any file")"
    case .write: "write \(target ?? "any file")"
    case .clipboard: "use the clipboard"
    case .open: "open addresses in the browser"
    case .secret: "use \(target.map { "the secret \($0)" } ?? "any secret")"
    case .run: "run what it names later"
    }
  }
}
