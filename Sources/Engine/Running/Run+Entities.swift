import Catalog
import Program
import YAML

extension Run {
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
