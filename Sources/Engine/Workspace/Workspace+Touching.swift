package import Program
import YAML

/// What intents and shortcuts may touch, over all that they call.
extension Workspace {
  /// Everything that an intent or a shortcut may touch, with all that it calls.
  ///
  /// - Throws: `Diagnostics` with what is wrong with any of them.
  package func touches(of name: String) throws -> Set<Touch> {
    var found: Set<Touch> = []
    try visitCalled(from: [name]) { found.formUnion($0.touches) }
    return found
  }

  /// Whether it may come to reach the network: by an `http`, or by a name made when a step runs.
  package func mayReachNetwork(_ name: String) throws -> NetworkNeed {
    var need = NetworkNeed.none
    try visitCalled(from: [name]) { action in
      for touch in action.touches {
        if touch.kind == .http { need = .certain }
        if touch.kind == .run, need == .none { need = .possible }
      }
    }
    return need
  }

  /// Visits intents and shortcuts and all that they call, each once.
  func visitCalled(from names: [String], _ visit: (CompiledAction) throws -> Void) throws {
    var seen = Set(names)
    var pending = names
    while let name = pending.popLast() {
      let action = try action(name)
      try visit(action)
      for callee in action.callees where seen.insert(callee).inserted { pending.append(callee) }
    }
  }
}

/// Whether a program comes to reach the network.
package enum NetworkNeed: Sendable {
  /// Nothing in it does.
  case none
  /// What it runs is named when a step runs.
  case possible
  /// A step in it does.
  case certain
}
