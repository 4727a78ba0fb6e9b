import Catalog
import Links
import Program
import YAML

extension Workspace {
  /// Whether a run of an intent or a shortcut may change the store or the world.
  ///
  /// - Complexity: O(steps of all that it calls).
  func mayChange(_ action: CompiledAction) -> Bool {
    var seen: Set<String> = [action.definition.name.text]
    var pending = [action]
    while let next = pending.popLast() {
      if next.steps.contains(where: \.mayChange) { return true }
      for name in next.callees where seen.insert(name).inserted {
        if let callee = try? self.action(name) { pending.append(callee) }
      }
    }
    return false
  }

  /// The definitions that a run of an intent or a shortcut goes on with, each with its hash: its own
  /// and those of all that it calls.
  ///
  /// - Throws: `Diagnostics` when one of them has a mistake.
  func recordedDefinitions(of name: String) throws -> [(hash: String, text: String)] {
    var names = [name]
    var seen: Set<String> = [name]
    var definitions: [(hash: String, text: String)] = []
    var next = 0
    while next < names.count {
      let name = names[next]
      next += 1
      if let text = library.source(of: name) { definitions.append((SHA256.hex(of: text), text)) }
      for callee in try action(name).callees.sorted() where seen.insert(callee).inserted {
        names.append(callee)
      }
    }
    return definitions
  }
}

extension CompiledStep {
  /// Whether it, or a step within it, may change the store or the world.
  fileprivate var mayChange: Bool {
    if case .verb(let call) = kind {
      switch call.verb.effect {
      case .pure, .read, .tell, .ask: return false
      case .write: return true
      case .outside:
        if call.verb.calls {
          if case .dynamicName? = call.arguments.first ?? nil { return true }
          return false
        }
        return call.verb.changesWorld
      }
    }
    return kind.blocks.contains { $0.contains(where: \.mayChange) }
  }
}

extension VerbSignature {
  /// Whether the world is another one after a call; it is the same after a wait.
  var changesWorld: Bool { effect == .outside && !calls && !traits.contains(.waits) }
}
