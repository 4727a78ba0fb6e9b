import CEL
package import Catalog
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
  package init(_ action: ActionDefinition) {
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
    if let output = action.output, let value = value(output) {
      add("output", ["WFOutput": text([.value(value)])])
    }
  }

  /// The property list, in XML.
  package var propertyList: String {
    PropertyListText.xml(
      of: Self.plist([
        "WFWorkflowActions": .list(actions), "WFWorkflowClientVersion": "2302.0.4",
        "WFWorkflowMinimumClientVersion": .int(900), "WFWorkflowMinimumClientVersionString": "900",
        "WFWorkflowHasShortcutInputVariables": .bool(true), "WFWorkflowImportQuestions": .list([]),
        "WFWorkflowInputContentItemClasses": .list(["WFStringContentItem", "WFURLContentItem"]),
        "WFWorkflowTypes": .list([]), "WFWorkflowOutputContentItemClasses": .list([]),
      ]))
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
