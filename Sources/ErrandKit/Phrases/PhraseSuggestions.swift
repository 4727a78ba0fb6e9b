package import Catalog
package import Engine
import Items
import Store
import YAML

/// Phrases that a definition could have: its title with the parameters of its recorded calls.
package enum PhraseSuggestions {
  /// The most recorded calls that are looked at.
  private static let mostCalls = 200
  /// The most phrases that are suggested.
  private static let most = 8

  /// The templates for a definition, those of frequent calls first, and then those with no parameter, with
  /// what is required, and with all of them.
  ///
  /// - Throws: what the store throws.
  package static func templates(for definition: ActionDefinition, _ run: Run) throws -> [String] {
    let parameters = definition.allParameters.filter { !$0.isTrigger }
    var counts: [[String]: Int] = [:]
    for call in try calls(of: definition.name.text, run) {
      let names = parameters.indices.filter { call[$0] != nil }.map { parameters[$0].name.text }
      counts[names, default: 0] += 1
    }
    let frequent = counts.sorted { ($0.value, $1.key.count) > ($1.value, $0.key.count) }.map(\.key)
    let required = parameters.filter(\.isRequired).map(\.name.text)
    var seen: Set<String> = []
    return (frequent + [[], required, parameters.map(\.name.text)])
      .map { template(definition, parameters, $0) }
      .filter { seen.insert($0).inserted }.prefix(most).map(\.self)
  }

  private static func calls(of name: String, _ run: Run) throws -> [[Int: GivenValue]] {
    guard let store = try? run.store() else { return [] }
    var selection = RunSelection(limit: mostCalls)
    selection.name = name
    return try store.runs.recorded(selection).flatMap { record in
      (try? Run.call(of: record, [], in: run.workspace).calls) ?? []
    }
  }

  /// The title, the first value as it is, and each other one after its name; days and addresses are known
  /// by their form.
  private static func template(
    _ definition: ActionDefinition, _ parameters: [ParameterDefinition], _ given: [String]
  ) -> String {
    let title = String(
      definition.displayTitle.lowercased().map { $0.isLetter || $0.isNumber ? $0 : " " })
    var parts = title.split(separator: " ").map(String.init)
    for (position, parameter) in parameters.enumerated() where given.contains(parameter.name.text) {
      let name = parameter.name.text
      var type = parameter.type.unwrapped
      while case .optional(let inner) = type { type = inner }
      switch type {
      case .bool: continue
      case .date, .when, .timestamp, .url: parts.append("{\(name)}")
      default:
        let article = (definition.language ?? "en") == "en" ? "[with] [the] " : ""
        parts.append(position == 0 ? "{\(name)}" : "\(article)\(name) {\(name)}")
      }
    }
    return parts.joined(separator: " ")
  }
}
