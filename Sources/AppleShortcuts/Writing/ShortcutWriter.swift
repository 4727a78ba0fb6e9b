package import CEL
package import Catalog
import JSON
import Source
import YAML

/// Writes an Errand shortcut for Apple's app, as far as its actions allow.
package struct ShortcutWriter {
  /// A place that Apple's actions cannot express.
  package struct Problem: Sendable {
    package let line: Int
    package let message: String
  }

  /// The places that Apple's actions cannot express.
  package private(set) var problems: [Problem] = []
  /// The actions so far.
  var actions: [Value] = []
  /// The values by their names.
  var names: [String: Reference] = [:]
  /// The value of the previous step; nil if the app cannot express it.
  var it: Reference? = .input
  /// The number of actions that have an id.
  var count = 0
  /// The nesting depth of loops.
  var depth = 0
  /// The line of the current step.
  var line = 1
  /// The actions that comments keep, with their lines.
  private var kept: [(line: Int, identifier: String, parameters: MapValue, need: String)] = []
  /// The outputs of actions that are not here, by their need.
  var missing: [String: Reference] = [:]

  /// A value that an action can refer to.
  enum Reference {
    case output(String)
    case variable(String)
    case input, now

    var token: Value {
      switch self {
      case .output(let id):
        ShortcutWriter.plist([
          "Type": "ActionOutput", "OutputUUID": .string(id), "OutputName": "Result",
        ])
      case .variable(let name):
        ShortcutWriter.plist(["Type": "Variable", "VariableName": .string(name)])
      case .input: ShortcutWriter.plist(["Type": "ExtensionInput"])
      case .now: ShortcutWriter.plist(["Type": "CurrentDate"])
      }
    }

    var attachment: Value {
      ShortcutWriter.plist(["Value": token, "WFSerializationType": "WFTextTokenAttachment"])
    }
  }

  /// Writes a shortcut.
  ///
  /// - Parameter text: The text of its document, whose comments keep actions.
  package init(_ action: ActionDefinition, text document: String = "") {
    kept = Self.kept(in: document)
    names["input"] = .input
    for parameter in action.parameters {
      // Ask for each parameter when the shortcut starts.
      let name = parameter.name.text
      let id = add(
        "ask", ["WFAskActionPrompt": .string(parameter.prompt?.scalar.text ?? "\(name)?")])
      add(
        "setvariable",
        ["WFVariableName": .string(name), "WFInput": Reference.output(id).attachment])
      names[name] = .variable(name)
    }
    for variable in action.variables {
      names[variable.name.text] = .variable(variable.name.text)
      guard let node = variable.valueNode, node.scalar?.isNull != true else { continue }
      if let value = value(node) { assign(variable.name.text, value) }
    }
    it = .input
    write(action.steps)
    writeKept(before: .max)
    if let output = action.output, let value = value(output) {
      add("output", ["WFOutput": text([.value(value)])])
    }
  }

  /// The property list.
  package var propertyList: Value {
    Self.plist([
      "WFWorkflowActions": .list(actions), "WFWorkflowClientVersion": "2302.0.4",
      "WFWorkflowMinimumClientVersion": .int(900), "WFWorkflowMinimumClientVersionString": "900",
      "WFWorkflowHasShortcutInputVariables": .bool(true), "WFWorkflowImportQuestions": .list([]),
      "WFWorkflowInputContentItemClasses": .list(["WFStringContentItem", "WFURLContentItem"]),
      "WFWorkflowTypes": .list([]), "WFWorkflowOutputContentItemClasses": .list([]),
    ])
  }

  /// The actions that the comments of a document keep.
  private static func kept(
    in text: String
  ) -> [(line: Int, identifier: String, parameters: MapValue, need: String)] {
    var kept: [(line: Int, identifier: String, parameters: MapValue, need: String)] = []
    var need = ""
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let comment = line.drop { $0 == " " }
      if comment.hasPrefix("# not here: ") { need = String(comment.dropFirst(2)) }
      guard comment.hasPrefix("# apple: ") else { continue }
      let words = comment.dropFirst(9).split(separator: " ", maxSplits: 1)
      guard let identifier = words.first else { continue }
      var parameters = MapValue()
      if words.count > 1, case .map(let map)? = try? JSONParser().parse(String(words[1])) {
        parameters = map
      }
      kept.append((index + 1, String(identifier), parameters, need))
    }
    return kept
  }

  /// Adds the actions that comments keep before a line.
  mutating func writeKept(before line: Int) {
    while let action = kept.first, action.line < line {
      kept.removeFirst()
      actions.append(
        Self.plist([
          "WFWorkflowActionIdentifier": .string(action.identifier),
          "WFWorkflowActionParameters": .map(action.parameters),
        ]))
      if case .string(let id)? = action.parameters["UUID"] {
        missing[action.need] = .output(id)
        it = .output(id)
      }
    }
  }

  // MARK: Actions

  /// Adds an action, and returns its id.
  @discardableResult
  mutating func add(_ name: String, _ parameters: [(String, Value)]) -> String {
    count += 1
    let digits = String(count)
    let id = "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
    var map = MapValue()
    for (key, value) in parameters { map[key] = value }
    map["UUID"] = .string(id)
    actions.append(
      Self.plist([
        "WFWorkflowActionIdentifier": .string("is.workflow.actions." + name),
        "WFWorkflowActionParameters": .map(map),
      ]))
    return id
  }

  /// Adds an action, and returns its id.
  @discardableResult
  mutating func add(_ name: String, _ parameters: KeyValuePairs<String, Value> = [:])
    -> String
  {
    add(name, parameters.map { ($0.key, $0.value) })
  }

  /// Reports that the app cannot express the current line.
  mutating func refuse(_ message: String) {
    problems.append(Problem(line: line, message: message))
  }

  /// Sets a variable.
  mutating func assign(_ name: String, _ value: Reference) {
    add("setvariable", ["WFVariableName": .string(name), "WFInput": value.attachment])
    names[name] = .variable(name)
  }
}
