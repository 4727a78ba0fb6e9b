import AppleShortcuts
import CEL
import Catalog
import DefinitionTesting
import Engine
import JSON
import Source
import Testing

/// A shortcut of Apple's app, in a compact notation for tests.
///
/// Actions are a list of `["name", {parameters}]` in JSON. A text `=a` is the output of the action
/// whose UUID is `a`, `=$x` the variable `x`, and `=input`, `=now` and `=clipboard` the
/// corresponding values; `‹a›` inserts such a value into a text. `"if"`, `"else"`, `"end"` and so
/// on stand for the parts of groups.
struct SampleShortcut {
  let bytes: [UInt8]

  init(_ actions: String, root: String = "{}") throws {
    guard case .list(let list) = try JSONParser().parse(actions),
      case .map(var file) = try JSONParser().parse(root)
    else { throw Missing() }
    var written: [Value] = []
    for value in list {
      guard case .list(let parts) = value, case .string(let name) = parts[0] else {
        throw Missing()
      }
      var parameters = MapValue()
      if parts.count > 1, case .map(let map) = parts[1] {
        for entry in map.entries { parameters[entry.key.text] = Self.expanded(entry.value) }
      }
      var action = MapValue()
      let groups: [String: (String, Int64)] = [
        "if": ("conditional", 0), "else": ("conditional", 1), "fi": ("conditional", 2),
        "each": ("repeat.each", 0), "eachEnd": ("repeat.each", 2), "times": ("repeat.count", 0),
        "timesEnd": ("repeat.count", 2), "menu": ("choosefrommenu", 0),
        "item": ("choosefrommenu", 1),
        "menuEnd": ("choosefrommenu", 2),
      ]
      var identifier = name
      if let (kind, mode) = groups[name] {
        identifier = kind
        parameters["WFControlFlowMode"] = .int(mode)
        if parameters["GroupingIdentifier"] == nil {
          parameters["GroupingIdentifier"] = .string("g")
        }
      }
      if !identifier.contains("com.") { identifier = "is.workflow.actions." + identifier }
      action["WFWorkflowActionIdentifier"] = .string(identifier)
      action["WFWorkflowActionParameters"] = .map(parameters)
      written.append(.map(action))
    }
    file["WFWorkflowActions"] = .list(written)
    bytes = Array(PropertyListText.xml(of: .map(file)).utf8)
  }

  /// The shorthand was wrong.
  struct Missing: Error {}

  private static func token(_ name: String) -> MapValue {
    var token = MapValue()
    switch name {
    case "input": token["Type"] = .string("ExtensionInput")
    case "now": token["Type"] = .string("CurrentDate")
    case "clipboard": token["Type"] = .string("Clipboard")
    case "ask": token["Type"] = .string("Ask")
    default:
      if name.hasPrefix("$") {
        token["Type"] = .string("Variable")
        token["VariableName"] = .string(String(name.dropFirst()))
      } else {
        token["Type"] = .string("ActionOutput")
        token["OutputUUID"] = .string(name)
        token["OutputName"] = .string("Output")
      }
    }
    return token
  }

  private static func wrapped(_ value: Value, _ kind: String) -> Value {
    var map = MapValue()
    map["Value"] = value
    map["WFSerializationType"] = .string(kind)
    return .map(map)
  }

  private static func expanded(_ value: Value) -> Value {
    switch value {
    case .string(let text) where text.hasPrefix("=") && text.count > 1:
      return wrapped(.map(token(String(text.dropFirst()))), "WFTextTokenAttachment")
    case .string(let text) where text.contains("‹"):
      var plain = ""
      var ranges = MapValue()
      var rest = text[...]
      while let start = rest.firstIndex(of: "‹"), let end = rest.firstIndex(of: "›") {
        plain += rest[..<start]
        ranges["{\(plain.utf16.count), 1}"] = .map(
          token(String(rest[rest.index(after: start)..<end])))
        plain += "\u{FFFC}"
        rest = rest[rest.index(after: end)...]
      }
      var string = MapValue()
      string["string"] = .string(plain + rest)
      string["attachmentsByRange"] = .map(ranges)
      return wrapped(.map(string), "WFTextTokenString")
    case .list(let values): return .list(values.map(expanded))
    case .map(let map):
      var copy = MapValue()
      for entry in map.entries { copy[entry.key.text] = expanded(entry.value) }
      return .map(copy)
    default: return value
    }
  }

  /// The YAML of the shortcut.
  func text(_ missing: ShortcutTranslator.Missing = .needed) throws -> String {
    try ShortcutTranslator(bytes, at: "sample.shortcut", missing: missing) { _ in false }.text
  }

  /// The faults in the result of a test of the shortcut, in YAML.
  func problems(_ test: String, missing: ShortcutTranslator.Missing = .needed) throws -> [String] {
    try Self.problems(of: text(missing), test)
  }

  /// The faults in the result of a test of a converted shortcut.
  static func problems(of text: String, _ test: String) throws -> [String] {
    let name = String(text.split(separator: "\n")[0].dropFirst("shortcut: ".count))
    var lines = text
    if let tests = lines.firstRange(of: "\ntests:\n") { lines = String(lines[...tests.lowerBound]) }
    lines += "tests:\n  - \(test)\n"
    let catalog = DefinitionCatalog()
    catalog.add(SourceFile(name: "sample.yaml", text: lines), to: .file)
    if let problem = catalog.problems.first { return ["\(problem.message) in\n\(lines)"] }
    guard let test = try catalog.action(name)?.tests.first else { return ["no test in\n\(lines)"] }
    let result = TestRunner(catalog, clock: { 0 }).run(test, of: name)
    let failures = result.failures.map { failure in
      [failure.message, failure.expected, failure.actual].compactMap { $0 }.joined(separator: " | ")
    }
    return failures.isEmpty ? [] : failures + [lines]
  }
}

/// Expects no problems, and shows those that there are.
func expectNone(_ problems: [String], sourceLocation: SourceLocation = #_sourceLocation) {
  #expect(problems == [], sourceLocation: sourceLocation)
}
