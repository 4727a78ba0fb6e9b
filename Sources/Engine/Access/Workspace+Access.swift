import Catalog
package import Program
import Source
import YAML

/// What intents and shortcuts may touch, over all that they call.
extension Workspace {
  /// Everything that an intent or a shortcut may touch, with all that it calls.
  ///
  /// - Throws: `Diagnostics` with what is wrong with any of them.
  package func touches(of name: String) throws -> [Touch] {
    var found: Set<Touch> = []
    try visitCalled(from: [name], withJobs: true) { found.formUnion($0.touches) }
    return found.sorted(by: Touch.isBefore)
  }

  /// Whether it may come to reach the network: by an `http`, a `notify`, or by a name made when a step
  /// runs.
  package func networkNeed(of name: String) throws -> NetworkNeed {
    var need = NetworkNeed.none
    try visitCalled(from: [name]) { action in
      for touch in action.touches {
        if touch.kind == .http { need = .certain }
        // A notification that can't be sent is kept, so it does without.
        let isSent =
          touch.kind == .notify
          && touch.target ?? NotificationChannel.ntfy.rawValue
            == NotificationChannel.ntfy.rawValue
        if touch.kind == .run || isSent, need == .none { need = .possible }
      }
    }
    return need
  }

  /// What of an intent or a shortcut a person must decide about: what came from elsewhere in it and
  /// all that this calls; nil when all of it is the person's own or came with the program.
  ///
  /// - Parameter guardian: The definition that runs it and is held to what a person allowed; all
  ///   that it runs is, too, wherever it comes from.
  /// - Throws: `Diagnostics` with what is wrong with any of them.
  package func accessRequest(
    of name: String, for guardian: String? = nil
  ) throws -> AccessRequest? {
    var foreign: [String] = []
    if let guardian { foreign = guardian == name ? [name] : [guardian, name] }
    try visitCalled(from: [name], withJobs: true) { action in
      let name = action.definition.name.text
      if action.isForeign, !foreign.contains(name) { foreign.append(name) }
    }
    guard let asking = foreign.first else { return nil }
    var files = [try action(asking).definition.name.span.file.name]
    var touches: Set<Touch> = []
    var parts: [AccessRequest.Part] = []
    try visitCalled(from: foreign, withJobs: true) { action in
      touches.formUnion(action.touches)
      let name = action.definition.name
      if action.isForeign, !files.contains(name.span.file.name) {
        files.append(name.span.file.name)
      }
      guard !library.isBuiltIn(action: name.text) else { return }
      parts.append(
        AccessRequest.Part(
          name: "\(action.definition.kind.rawValue) \(name.text)",
          text: library.source(of: name.text) ?? "", file: name.span.file.name))
    }
    return AccessRequest(
      parts: parts.sorted { $0.name < $1.name }, files: files,
      touches: touches.sorted(by: Touch.isBefore))
  }

  /// Visits intents and shortcuts and all that they call, each once.
  ///
  /// - Parameter withJobs: Whether what they put into the queue is called, too.
  private func visitCalled(
    from names: [String], withJobs: Bool = false, _ visit: (CompiledAction) throws -> Void
  ) throws {
    var seen = Set(names)
    var pending = names
    while let name = pending.popLast() {
      let action = try action(name)
      try visit(action)
      // What came with the program puts nothing in for those who may not do it themselves.
      let addsJobs = withJobs && !library.isBuiltIn(action: name)
      let called = addsJobs ? action.callees.union(action.enqueued) : action.callees
      for callee in called where seen.insert(callee).inserted { pending.append(callee) }
    }
  }
}

/// Whether a program comes to reach the network.
package enum NetworkNeed: Sendable {
  /// Nothing in it does.
  case none
  /// What it runs is named when a step runs, or it can do without.
  case possible
  /// A step in it does.
  case certain
}
