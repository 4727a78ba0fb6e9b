import CEL
import Catalog
import Engine
import ErrandKit
import Items
import JSON
import LanguageService
import Program
import Source
import Store
import YAML

/// A shortcut made of recorded runs: a step for each call, a parameter for each value that came from
/// outside, and a name for each result that a later call used.
struct RecordedShortcut {
  private let run: Run
  private let catalog: DefinitionCatalog
  private var parameters: [(name: String, type: String, declaration: String)] = []
  private var steps: [Step] = []

  private struct Step {
    let action: String
    var arguments: [(name: String, value: String)] = []
    /// The reference of the item, or the text, that the run gave; nil for other results.
    let result: String?
    /// The name of the result in later steps; nil if none uses it.
    var binding: String?
  }

  /// - Throws: `not-found` for a run whose definition is gone.
  init(_ records: [RecordedRun], _ run: Run, _ catalog: DefinitionCatalog) throws {
    self.run = run
    self.catalog = catalog
    let listing = try RunListing(run)
    for record in records {
      guard let action = try catalog.action(record.name) else {
        throw RunError(
          .notFound, "run \(record.number) called `\(record.name)`, which does not exist any more")
      }
      let lines = try run.store().runs.lines(ofRun: record.number)
      let call = try Run.call(of: record, lines, in: run.workspace)
      let result = listing.result(record).flatMap(Self.known)
      for given in call.calls {
        var step = Step(action: record.name, result: result)
        for (index, value) in given.sorted(by: { $0.key < $1.key })
        where action.allParameters.indices.contains(index) {
          let parameter = action.allParameters[index]
          step.arguments.append((parameter.name.text, try argument(value, parameter, of: action)))
        }
        steps.append(step)
      }
    }
  }

  /// The text that identifies a result in a later call; nil for results that could match by chance.
  private static func known(_ value: Value) -> String? {
    if case .object(let object) = value, let item = object as? Item {
      return item.reference.map { "\($0)" }
    }
    guard case .string(let text) = value, text.count > 3 else { return nil }
    return text
  }

  /// The template of an argument: an earlier result, or a parameter of the shortcut.
  private mutating func argument(
    _ given: GivenValue, _ parameter: ParameterDefinition, of action: ActionDefinition
  ) throws -> String {
    let text: String
    var word: String?
    switch given {
    case .texts(let texts):
      let isList = parameter.type.description.hasPrefix("list")
      word = texts.count == 1 ? texts[0] : nil
      // As a command line is read: elements are separated by commas.
      let elements = texts.flatMap { $0.split(separator: ",") }.map {
        String($0.drop { $0 == " " })
      }
      text =
        isList
        ? "[" + elements.map(Self.quoted).joined(separator: ", ") + "]"
        : Self.quoted(texts.joined(separator: " "))
    case .value(let value):
      word = Self.known(value)
      text = try word.map(Self.quoted) ?? JSONWriter().text(of: value)
    }
    if let word, let index = steps.lastIndex(where: { $0.result == word }) {
      if steps[index].binding == nil {
        steps[index].binding = free(steps[index].action.camelCased)
      }
      return "{{ \(steps[index].binding ?? "") }}"
    }
    let wanted =
      parameter.name.text == "input" ? action.name.text.camelCased + "Input" : parameter.name.text
    let type = parameter.type.description
    let declaration = declaration(of: parameter, in: action, default: text)
    if let same = parameters.first(where: {
      $0.declaration == declaration && $0.type == type && $0.name.hasPrefix(wanted)
    }) {
      return "{{ \(same.name) }}"
    }
    let name = free(wanted)
    parameters.append((name, type, declaration))
    return "{{ \(name) }}"
  }

  /// A name that no parameter and no result has.
  private func free(_ name: String) -> String {
    let taken = Set(parameters.map(\.name) + steps.compactMap(\.binding))
    return name.numbered(unless: taken.contains)
  }

  /// The declaration of a parameter as its definition has it, with the recorded value as its default.
  private func declaration(
    of parameter: ParameterDefinition, in action: ActionDefinition, default text: String
  ) -> String {
    // Prompts and words of a command line belong to the definition's own call.
    let omitted: Set = ["default", "prompt", "rest", "primary", "from", "suggest", "where"]
    var parts: [String] = []
    let source = SourceFile(
      name: action.name.text, text: catalog.source(of: action.name.text) ?? "")
    let root = DocumentSlice.split(source).compactMap { try? $0.parse() }.first?.mapping
    let node =
      root?["parameters"]?.mapping?[parameter.name.text]
      ?? (parameter.sources == nil ? nil : root?["input"])
    if let mapping = node?.mapping {
      for entry in mapping.entries where !omitted.contains(entry.key.text) {
        parts.append("\(entry.key.text): \(entry.value.span.text)")
      }
    } else {
      parts.append("type: \(Self.quoted(parameter.type.description))")
    }
    return "{" + (parts + ["default: \(text)"]).joined(separator: ", ") + "}"
  }

  /// A text as a scalar in quotes; braces in it begin no template.
  private static func quoted(_ text: String) -> String {
    func json(_ text: String) -> String { (try? JSONWriter().text(of: .string(text))) ?? "\"\"" }
    if text.contains("{{") { return json("{{ \(json(text).replacing("{{", with: "{\\u007b")) }}") }
    let isPlain = !text.contains("'") && text.unicodeScalars.allSatisfy { $0.value >= 0x20 }
    return isPlain ? "'\(text)'" : json(text)
  }

  /// The file.
  ///
  /// - Throws: `Diagnostics` if YAML cannot represent a recorded value.
  func text(named name: String) throws(Diagnostics) -> String {
    var lines = ["shortcut: \(name)"]
    if !parameters.isEmpty {
      lines.append("parameters:")
      lines += parameters.map { "  \($0.name): \($0.declaration)" }
    }
    lines.append("steps:")
    for step in steps {
      let arguments = step.arguments.map { "\($0.name): '\($0.value)'" }.joined(separator: ", ")
      lines.append("  - \(step.action): {\(arguments)}")
      if let binding = step.binding { lines.append("    as: \(binding)") }
    }
    let file = SourceFile(name: name, text: lines.joined(separator: "\n") + "\n")
    return try CanonicalLayout.text(of: file)
  }
}
