import AppleShortcuts
import Catalog
import DefinitionTesting
import Engine
import Source

/// The generated test of a converted shortcut, which expects the results of a run.
enum ConvertedExample {
  /// A text that no result is equal to.
  private static let unknown = "'⁄ unknown'"

  /// Runs the test on fakes, and expects what comes of it; a test that fails is removed.
  static func complete(_ translation: inout ShortcutTranslator) {
    guard translation.text.contains("\ntests:\n") else { return }
    var trial = translation
    trial.expect("{output: \(unknown), shown: \(unknown), clipboard: \(unknown)}")
    let catalog = DefinitionCatalog()
    catalog.add(SourceFile(name: "example.yaml", text: trial.text), to: .file)
    guard catalog.problems.isEmpty, let action = try? catalog.action(translation.name),
      let test = action.tests.first
    else { return }
    var results: [String] = []
    for failure in TestRunner(catalog, clock: { 0 }).run(test, of: translation.name).failures {
      let subject = failure.message.replacing("`", with: "")
      if subject == "size(shown)" { continue }
      guard ["output", "shown", "clipboard"].contains(subject),
        let actual = failure.whole?.actual ?? failure.actual, actual.utf8.count <= 2_000
      else { return translation.expect(nil) }
      if actual != "null" { results.append("\(subject): \(actual)") }
    }
    translation.expect(results.isEmpty ? nil : "{\(results.joined(separator: ", "))}")
  }
}
