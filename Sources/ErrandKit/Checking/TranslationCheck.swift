import CEL
import Catalog
import Engine
import Source
import YAML

/// Checks a translation against its definition: names that do not exist, texts that are missing, and
/// placeholders that differ.
struct TranslationCheck {
  private let workspace: Workspace
  private let translation: TranslationDefinition
  private let layer: DefinitionCatalog.Layer

  init(
    _ workspace: Workspace, _ translation: TranslationDefinition,
    _ layer: DefinitionCatalog.Layer
  ) {
    self.workspace = workspace
    self.translation = translation
    self.layer = layer
  }

  private var name: String { translation.name.text }

  /// The mistakes and omissions.
  var findings: [Diagnostic] {
    let catalog = workspace.catalog
    switch try? catalog.untranslated(name) {
    case .action(let action)?:
      return findings(action) + compilationErrors(name)
    case .entity(let entity)?:
      return findings(entity) + compilationErrors(name)
    default:
      let names = catalog.actionNames + catalog.entityNames
      // Its own mistakes are reported at its own place.
      if names.contains(name) { return [] }
      return [
        Diagnostic(
          "unknown-definition", "there is no definition `\(name)` to translate",
          at: translation.name.span, help: Suggestion.help(for: name, in: names))
      ]
    }
  }

  /// The errors of the definition with the texts of the translation, at their places in it.
  private func compilationErrors(_ name: String) -> [Diagnostic] {
    let file = translation.name.span.file
    let speaking = workspace.speaking([translation.language])
    let found =
      workspace.catalog.place(ofAction: name) == nil
      ? speaking.findings(inEntity: name) : speaking.findings(inAction: name)
    return found.filter { $0.severity == .error && $0.span?.file === file }
  }

  private func findings(_ action: ActionDefinition) -> [Diagnostic] {
    var found: [Diagnostic] = []
    let parameters = action.allParameters
    for naming in translation.parameters {
      guard let parameter = parameters.first(where: { $0.name.text == naming.name.text }) else {
        found.append(unknown("parameter", naming.name, parameters.map(\.name.text)))
        continue
      }
      found += differences(parameter.prompt, naming.prompt)
    }
    let missing = parameters.filter { parameter in
      parameter.prompt != nil
        && !translation.parameters.contains {
          $0.name.text == parameter.name.text && $0.prompt != nil
        }
    }
    var texts = missing.map { "the prompt of `\($0.name.text)`" }
    if action.title != nil, translation.title == nil { texts.append("`title`") }
    if action.description != nil, translation.description == nil { texts.append("`description`") }
    if action.dialog.full != nil, translation.full == nil { texts.append("`dialog.full`") }
    if !action.phrases.isEmpty, translation.phrases.isEmpty { texts.append("`phrases`") }
    found += untranslated(texts)
    found += differences(action.dialog.full, translation.full)
    found += differences(action.dialog.short, translation.short)
    let labels = Self.labels(of: action.steps)
    for step in translation.steps where !labels.contains(step.name.text) {
      found.append(unknown("step", step.name, labels))
    }
    return found
  }

  private func findings(_ entity: EntityDefinition) -> [Diagnostic] {
    var found: [Diagnostic] = []
    for naming in translation.properties where entity.property(naming.name.text) == nil {
      found.append(unknown("property", naming.name, entity.properties.map(\.name.text)))
    }
    var texts: [String] = []
    if entity.description != nil, translation.description == nil { texts.append("`description`") }
    if translation.displayName == nil { texts.append("`display.name`") }
    return found + untranslated(texts)
  }

  private func unknown(_ kind: String, _ name: Scalar, _ names: [String]) -> Diagnostic {
    Diagnostic(
      "unknown-\(kind)", "`\(self.name)` has no \(kind) `\(name.text)`", at: name.span,
      help: Suggestion.help(for: name.text, in: names))
  }

  private func untranslated(_ texts: [String]) -> [Diagnostic] {
    guard !texts.isEmpty else { return [] }
    return [
      Diagnostic(
        "W311", "not translated: \(texts.joined(separator: ", "))", at: translation.name.span,
        help: "add it, or the text stays as it is in `\(name)`", severity: .warning)
    ]
  }

  /// A warning if a text names other variables than the text that it replaces.
  private func differences(_ original: Template?, _ text: Template?) -> [Diagnostic] {
    guard let original, let text else { return [] }
    let (wanted, found) = (Self.names(in: original), Self.names(in: text))
    guard wanted != found else { return [] }
    func list(_ names: Set<String>) -> String {
      names.sorted().map { "`\($0)`" }.joined(separator: ", ")
    }
    let (absent, added) = (wanted.subtracting(found), found.subtracting(wanted))
    let parts =
      (absent.isEmpty ? [] : ["lacks \(list(absent))"])
      + (added.isEmpty ? [] : ["has \(list(added)) in addition"])
    return [
      Diagnostic(
        "W312", "the translation \(parts.joined(separator: " and "))", at: text.scalar.span,
        help: "use the same placeholders as the original", severity: .warning)
    ]
  }

  /// The variables in a template.
  private static func names(in template: Template) -> Set<String> {
    var names: Set<String> = []
    for case .expression(let source) in template.segments {
      guard let expression = try? Expression.parse(source.text) else { continue }
      names.formUnion(CEL.Environment().freeNames(of: expression).map(\.name))
    }
    return names
  }

  /// The names of steps, at any depth.
  private static func labels(of steps: [Step]) -> [String] {
    steps.flatMap { step in
      [step.binding?.text ?? step.label].compactMap { $0 } + step.blocks.flatMap(labels)
    }
  }
}
