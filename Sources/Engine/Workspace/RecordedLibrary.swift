package import Catalog
import Source
import YAML

/// The definitions that a recorded run goes on with, and which of them are held to what a person
/// allowed: the one decision for the command line, workers and resumed runs.
package struct RecordedLibrary {
  /// The recorded intents and shortcuts, with all else as it is now: entities, and what the run has
  /// not named yet.
  package let library: Library
  /// Those that are not the person's own any more: they changed since, are gone, or came from
  /// elsewhere.
  package private(set) var foreignNames: Set<String> = []

  /// The definitions of the recorded run of a number.
  ///
  /// - Parameters:
  ///   - definitions: the texts that the store keeps of the run.
  ///   - current: the definitions in reach now.
  package init(ofRun number: Int64, _ definitions: [String], in current: Library) {
    library = Library()
    for name in current.entityNames where current.layer(ofEntity: name) != .builtIn {
      if let text = current.source(of: name) {
        library.add(SourceFile(name: "\(name) (now)", text: text), to: .user)
      }
    }
    for (index, text) in definitions.enumerated() {
      let file = SourceFile(name: "run \(number), definition \(index + 1)", text: text)
      for definition in library.add(file, to: .user)
      where !Self.isOwn(definition.name, text, in: current) {
        foreignNames.insert(definition.name)
      }
    }
    let recorded = Set(library.addedActionNames)
    for name in current.addedActionNames where !recorded.contains(name) {
      guard let text = current.source(of: name) else { continue }
      library.add(SourceFile(name: "\(name) (now)", text: text), to: .user)
      if !Self.isOwn(name, text, in: current) { foreignNames.insert(name) }
    }
  }

  /// Whether a person's own folder, or the program, defines a name with just this text.
  private static func isOwn(_ name: String, _ text: String, in current: Library) -> Bool {
    switch current.place(ofAction: name)?.layer {
    case .builtIn?, .user?: current.source(of: name) == text
    case .project?, .catalog?, .file?, nil: false
    }
  }
}
