import Catalog
import Program
import YAML

extension Run {
  /// Whether a run of an intent or a shortcut may come to need the store for more than reading: it
  /// writes, or it is recorded.
  ///
  /// - Throws: `Diagnostics` when its definition is wrong.
  package func mayWrite(_ name: String) throws -> Bool {
    let action = try workspace.action(name)
    let definition = action.definition
    return definition.isDurable || definition.runMode != nil || workspace.mayChange(action)
  }

  /// The entities whose items an intent or a shortcut may come to work on, by what it says.
  func entities(of action: CompiledAction) throws -> Set<String> {
    var found: Set<String> = []
    var open = [action]
    var seen: Set<String> = [action.definition.name.text]
    while let next = open.popLast() {
      found.formUnion(next.entities)
      for name in next.callees where seen.insert(name).inserted {
        open.append(try workspace.action(name))
      }
    }
    return found
  }
}
