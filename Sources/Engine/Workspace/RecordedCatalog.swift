package import Catalog
import Source
import YAML

/// The definitions for resuming a recorded run, and the names subject to permission checks; shared
/// by the command line, workers and resumed runs.
package struct RecordedCatalog {
  /// The recorded intents and shortcuts, with current versions of entities and of definitions that
  /// the run has not used yet.
  package let catalog: DefinitionCatalog
  /// The names that are no longer the person's own: changed since, deleted, or from elsewhere.
  package private(set) var foreignNames: Set<String> = []

  /// The definitions of a recorded run.
  ///
  /// - Parameters:
  ///   - definitions: the texts recorded with the run.
  ///   - current: the current definitions.
  package init(ofRun number: Int64, _ definitions: [String], in current: DefinitionCatalog) {
    catalog = DefinitionCatalog()
    for name in current.entityNames where current.layer(ofEntity: name) != .builtIn {
      if let text = current.source(of: name) {
        catalog.add(SourceFile(name: "\(name) (now)", text: text), to: .user)
      }
    }
    for (index, text) in definitions.enumerated() {
      let file = SourceFile(name: "run \(number), definition \(index + 1)", text: text)
      for definition in catalog.add(file, to: .user)
      where !Self.isOwn(definition.name, text, in: current) {
        foreignNames.insert(definition.name)
      }
    }
    let recorded = Set(catalog.addedActionNames)
    for name in current.addedActionNames where !recorded.contains(name) {
      guard let text = current.source(of: name) else { continue }
      catalog.add(SourceFile(name: "\(name) (now)", text: text), to: .user)
      if !Self.isOwn(name, text, in: current) { foreignNames.insert(name) }
    }
  }

  /// Whether the user's folder or the built-in layer defines the name with exactly this text.
  private static func isOwn(_ name: String, _ text: String, in current: DefinitionCatalog) -> Bool {
    !current.isForeign(action: name) && current.source(of: name) == text
  }
}

extension DefinitionCatalog {
  /// Whether an intent or a shortcut comes from elsewhere: neither built in nor from the user's
  /// folder.
  func isForeign(action name: String) -> Bool {
    switch place(ofAction: name)?.layer {
    case .project?, .catalog?, .file?: true
    case .builtIn?, .user?, nil: false
    }
  }

  /// The error for an unknown intent or shortcut.
  func missing(action name: String) -> RunError {
    RunError(
      .notFound, "there is no intent or shortcut `\(name)`",
      help: name.contains(" ")
        ? "`run` starts an intent or a shortcut; for a program write `exec`"
        : Suggestion.help(for: name, in: actionNames))
  }
}
