import CEL
package import Catalog
import Source
import YAML

/// Writes an Errand shortcut as one of Apple's app: what its actions can say.
package struct ShortcutWriter {
  /// A place that Apple's actions cannot say.
  package struct Problem: Sendable {
    package let line: Int
    package let message: String
  }

  /// A part that Apple's actions cannot say.
  package private(set) var problems: [Problem] = []
  private var actions: [Value] = []
  private var names: [String: Reference] = [:]
  private var it: Reference? = .input
  private var count = 0
  private var depth = 0
  private var line = 1

  /// A value that an action can refer to.
  private enum Reference {
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
      // A parameter is asked for when the shortcut starts.
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

  @discardableResult
  private mutating func add(_ name: String, _ parameters: [(String, Value)]) -> String {
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

  @discardableResult
  private mutating func add(_ name: String, _ parameters: KeyValuePairs<String, Value> = [:])
    -> String
  {
    add(name, parameters.map { ($0.key, $0.value) })
  }

  private mutating func refuse(_ message: String) {
    problems.append(Problem(line: line, message: message))
  }

  private mutating func assign(_ name: String, _ value: Reference) {
    add("setvariable", ["WFVariableName": .string(name), "WFInput": value.attachment])
    names[name] = .variable(name)
  }

  // MARK: Steps

  private mutating func write(_ steps: [Catalog.Step]) { for step in steps { write(step) } }

  private mutating func write(_ step: Catalog.Step) {
    line = step.span.position.line
    if step.guardCondition != nil { refuse("`when`") }
    if step.retry != nil || step.timeout != nil { refuse("`retry` and `timeout`") }
    var result: Reference?
    switch step.kind {
    case .call(let call): result = self.call(call)
    case .conditional(let branches, let otherwise): result = choice(branches[...], otherwise)
    case .forEach(let loop):
      guard let list = value(loop.list) else { return }
      depth += 1
      let suffix = depth == 1 ? "" : " \(depth)"
      let group = open("repeat.each", [("WFInput", list.attachment)])
      let known = names
      names[loop.variable.text] = .variable("Repeat Item" + suffix)
      if let index = loop.index { names[index.text + " + 1"] = .variable("Repeat Index" + suffix) }
      it = .variable("Repeat Item" + suffix)
      write(loop.body)
      names = known
      depth -= 1
      result = close("repeat.each", group)
    case .repeatCount(let count, let index, let body):
      depth += 1
      let suffix = depth == 1 ? "" : " \(depth)"
      let amount: Value
      if let number = Int64(count.scalar?.text ?? "") {
        amount = .int(number)
      } else if let value = value(count) {
        amount = value.attachment
      } else {
        return
      }
      let group = open("repeat.count", [("WFRepeatCount", amount)])
      let known = names
      if let index { names[index.text + " + 1"] = .variable("Repeat Index" + suffix) }
      write(body)
      names = known
      depth -= 1
      result = close("repeat.count", group)
    case .menu(let prompt, let options):
      result = menu(prompt, options)
    case .whileLoop: refuse("a loop with `while`")
    case .attempt: refuse("`try`")
    case .parallel: refuse("`parallel`")
    case .atomic(let body): write(body)
    }
    if let name = step.binding?.text, let result { names[name] = result }
  }

  private mutating func open(_ name: String, _ parameters: [(String, Value)]) -> String {
    count += 1
    let group = "group-\(count)"
    add(
      name, [("GroupingIdentifier", .string(group)), ("WFControlFlowMode", .int(0))] + parameters)
    return group
  }

  private mutating func close(_ name: String, _ group: String) -> Reference {
    let end = add(name, [("GroupingIdentifier", .string(group)), ("WFControlFlowMode", .int(2))])
    it = .output(end)
    return .output(end)
  }

  private mutating func choice(
    _ branches: ArraySlice<Catalog.Step.Branch>, _ otherwise: [Catalog.Step]
  ) -> Reference? {
    guard let branch = branches.first else { return nil }
    guard let condition = condition(branch.condition.text) else {
      refuse("the condition `\(branch.condition.text.trimmed)`")
      return nil
    }
    let before = it
    let group = open("conditional", condition)
    write(branch.body)
    if branches.count > 1 || !otherwise.isEmpty {
      it = before
      add("conditional", [("GroupingIdentifier", .string(group)), ("WFControlFlowMode", .int(1))])
      if branches.count > 1 {
        _ = choice(branches.dropFirst(), otherwise)
      } else {
        write(otherwise)
      }
      return close("conditional", group)
    }
    _ = close("conditional", group)
    // Errand leaves `it` as it was if the branch is not taken; Apple's app gives the If's input.
    it = nil
    return nil
  }

  private mutating func menu(_ prompt: Template?, _ options: [Catalog.Step.Option]) -> Reference? {
    let titles = options.map { text($0.label) }
    var parameters: [(String, Value)] = [("WFMenuItems", .list(titles))]
    if let prompt { parameters.append(("WFMenuPrompt", text(prompt))) }
    let before = it
    let group = open("choosefrommenu", parameters)
    for (index, option) in options.enumerated() {
      it = before
      var parameters: [(String, Value)] = [
        ("GroupingIdentifier", .string(group)), ("WFControlFlowMode", .int(1)),
      ]
      if case .string = titles[index] {
        parameters.append(("WFMenuItemTitle", titles[index]))
      } else if case .map(let map) = titles[index], let inner = map["Value"] {
        parameters.append(("WFMenuItemAttributedTitle", inner))
      }
      add("choosefrommenu", parameters)
      write(option.body)
    }
    return close("choosefrommenu", group)
  }

  /// The parameters of an If; nil if its condition cannot be said.
  private mutating func condition(_ source: String) -> [(String, Value)]? {
    guard let expression = try? Expression.parse(source) else { return nil }
    func input(_ reference: Reference) -> (String, Value) {
      ("WFInput", Self.plist(["Type": "Variable", "Variable": reference.attachment]))
    }
    switch expression.kind {
    case .unary(.not, let inner):
      guard case .call("hasValue", nil, let arguments, _) = inner.kind, arguments.count == 1,
        let subject = reference(arguments[0])
      else { return nil }
      return [input(subject), ("WFCondition", .int(101))]
    case .call("hasValue", nil, let arguments, _) where arguments.count == 1:
      return reference(arguments[0]).map { [input($0), ("WFCondition", .int(100))] }
    case .call(let name, let receiver?, let arguments, _) where arguments.count == 1:
      guard let code = ["contains": 99, "startsWith": 8, "endsWith": 9][name],
        let subject = reference(receiver), let other = segment(arguments[0])
      else { return nil }
      return [
        input(subject), ("WFCondition", .int(Int64(code))),
        ("WFConditionalActionString", text([other])),
      ]
    case .binary(let sign, let left, let right):
      guard let code = ["<": 0, "<=": 1, ">": 2, ">=": 3, "==": 4, "!=": 5][sign.rawValue],
        let subject = reference(left)
      else { return nil }
      var result = [input(subject), ("WFCondition", Value.int(Int64(code)))]
      switch right.kind {
      case .literal(.int(let number)): result.append(("WFNumberValue", .string(String(number))))
      case .literal(.double(let number)): result.append(("WFNumberValue", .string("\(number)")))
      case .literal(.string(let words)) where code > 3:
        result.append(("WFConditionalActionString", .string(words)))
      default:
        guard code <= 3, let other = reference(right) else { return nil }
        result.append(("WFNumberValue", other.attachment))
      }
      return result
    default: return nil
    }
  }

  // MARK: Calls

  private mutating func call(_ call: Catalog.Step.Call) -> Reference? {
    let node = call.value
    let map = node?.mapping
    func argument(_ key: String) -> Node? { map?[key] ?? (map == nil ? node : nil) }
    func give(_ id: String) -> Reference {
      it = .output(id)
      return .output(id)
    }
    switch call.name.text {
    case "value":
      guard let node else { return nil }
      let before = actions.count
      it = value(map?["value"] ?? node)
      // A value that exists already is given on by an action of its own.
      if actions.count == before, let known = it {
        it = .output(add("getvariable", [("WFVariable", known.attachment)]))
      }
      return it
    case "set":
      for entry in map?.entries ?? [] {
        if let value = value(entry.value) { assign(entry.key.text, value) }
      }
      return nil
    case "say":
      add(
        "alert",
        [
          "WFAlertActionTitle": "", "WFAlertActionMessage": text(argument("text")),
          "WFAlertActionCancelButtonShown": .bool(false),
        ])
    case "confirm":
      add(
        "alert",
        [
          "WFAlertActionTitle": "", "WFAlertActionMessage": text(argument("prompt")),
          "WFAlertActionCancelButtonShown": .bool(true),
        ])
    case "show": add("showresult", ["Text": text(argument("value"))])
    case "notify":
      add(
        "notification",
        [
          "WFNotificationActionBody": text(argument("text")),
          "WFNotificationActionTitle": text(map?["title"]),
        ])
    case "copy":
      guard let node, let value = value(map?["value"] ?? node) else { return nil }
      add("setclipboard", ["WFInput": value.attachment])
    case "paste": return give(add("getclipboard"))
    case "ask":
      let type = map?["type"]?.scalar?.text ?? "string"
      guard
        let kind = [
          "string": "Text", "int": "Number", "double": "Number", "url": "URL", "date": "Date",
          "timestamp": "Date and Time",
        ][type]
      else {
        refuse("`ask` for a value of type \(type)")
        return nil
      }
      var parameters: [(String, Value)] = [
        ("WFAskActionPrompt", text(argument("prompt"))), ("WFInputType", .string(kind)),
      ]
      if type == "int" { parameters.append(("WFAskActionAllowsDecimalNumbers", .bool(false))) }
      if let standard = map?["default"] {
        parameters.append(
          (
            "WFAskActionDefaultAnswer" + (["Number": "Number", "URL": "URL"][kind] ?? ""),
            text(standard)
          ))
      }
      return give(add("ask", parameters))
    case "choose":
      guard let from = argument("from"), let list = value(from) else { return nil }
      var parameters: [(String, Value)] = [("WFInput", list.attachment)]
      if let prompt = map?["prompt"] {
        parameters.append(("WFChooseFromListActionPrompt", text(prompt)))
      }
      if map?["many"]?.scalar?.text == "true" {
        parameters.append(("WFChooseFromListActionSelectMultiple", .bool(true)))
      }
      return give(add("choosefromlist", parameters))
    case "open-url":
      guard let url = argument("url") else { return nil }
      add("openurl", ["WFInput": text(url)])
    case "wait":
      let length = (argument("for")?.scalar?.text ?? "")
      guard length.hasSuffix("s"), let seconds = Double(length.dropLast()) else {
        refuse("`wait` for anything but seconds")
        return nil
      }
      add("delay", ["WFDelayTime": .double(seconds)])
    case "return":
      let value = node.map { text(map?["value"] ?? $0) } ?? text(it.map { [Part.value($0)] } ?? [])
      add("output", ["WFOutput": value])
    case "stop": add("exit")
    case "run":
      guard let name = argument("name")?.scalar?.text, !name.contains("{{") else {
        refuse("`run` with a name that is known only when it runs")
        return nil
      }
      var parameters: [(String, Value)] = [("WFWorkflowName", .string(name))]
      if let given = map?["input"], let value = value(given) {
        parameters.append(("WFInput", value.attachment))
      }
      return give(add("runworkflow", parameters))
    case "http":
      for key in (map?.entries ?? []).map(\.key.text)
      where !["url", "method", "headers", "json", "form", "check"].contains(key) {
        refuse("`\(key)` of `http`")
      }
      var parameters: [(String, Value)] = [("WFURL", text(argument("url")))]
      if let method = map?["method"]?.scalar?.text {
        parameters.append(("WFHTTPMethod", .string(method)))
      }
      for (key, name) in [
        ("headers", "WFHTTPHeaders"), ("json", "WFJSONValues"), ("form", "WFFormValues"),
      ] {
        guard let fields = map?[key]?.mapping else { continue }
        parameters.append((name, dictionary(fields)))
        if key == "form" { parameters.append(("WFHTTPBodyType", "Form")) }
      }
      return give(add("downloadurl", parameters))
    case "read-file":
      return give(
        add(
          "documentpicker.open",
          ["WFGetFilePath": text(argument("path")), "WFShowFilePicker": .bool(false)]))
    default: refuse("`\(call.name.text)`")
    }
    return nil
  }

  // MARK: Values

  /// A part of a text.
  private enum Part {
    case text(String)
    case value(Reference)
  }

  /// A text with values in it.
  private func text(_ parts: [Part]) -> Value {
    var plain = ""
    var ranges = MapValue()
    for part in parts {
      switch part {
      case .text(let text): plain += text
      case .value(let reference):
        ranges["{\(plain.utf16.count), 1}"] = reference.token
        plain += "\u{FFFC}"
      }
    }
    if ranges.isEmpty { return .string(plain) }
    return Self.plist([
      "Value": Self.plist(["string": .string(plain), "attachmentsByRange": .map(ranges)]),
      "WFSerializationType": "WFTextTokenString",
    ])
  }

  private mutating func text(_ node: Node?) -> Value {
    guard let node else { return "" }
    guard let scalar = node.scalar, let template = try? Template(scalar: scalar) else {
      return value(node).map { text([.value($0)]) } ?? ""
    }
    return text(template)
  }

  private mutating func text(_ template: Template) -> Value {
    var parts: [Part] = []
    for segment in template.segments {
      switch segment {
      case .text(let text): parts.append(.text(text))
      case .expression(let source):
        guard let expression = try? Expression.parse(source.text),
          let part = self.segment(expression)
        else {
          refuse("the expression `\(source.text.trimmed)`")
          continue
        }
        parts.append(part)
      }
    }
    return text(parts)
  }

  private mutating func segment(_ expression: Expression) -> Part? {
    if case .literal(.string(let text)) = expression.kind { return .text(text) }
    return reference(expression).map { .value($0) }
  }

  private mutating func dictionary(_ map: Mapping) -> Value {
    var items: [Value] = []
    for entry in map.entries {
      items.append(
        Self.plist([
          "WFItemType": .int(0), "WFKey": .string(entry.key.text), "WFValue": text(entry.value),
        ]))
    }
    return Self.plist([
      "Value": Self.plist(["WFDictionaryFieldValueItems": .list(items)]),
      "WFSerializationType": "WFDictionaryFieldValue",
    ])
  }

  /// The value of a node, by actions that make it.
  private mutating func value(_ node: Node) -> Reference? {
    if let nodes = node.sequence {
      return .output(add("list", [("WFItems", .list(nodes.map { text($0) }))]))
    }
    if let map = node.mapping { return .output(add("dictionary", [("WFItems", dictionary(map))])) }
    guard let scalar = node.scalar else { return nil }
    if scalar.isNull { return .output(add("nothing")) }
    if scalar.style == .plain, Double(scalar.text) != nil {
      return .output(add("number", [("WFNumberActionNumber", .string(scalar.text))]))
    }
    guard let template = try? Template(scalar: scalar) else { return nil }
    if template.segments.count == 1, case .expression(let source) = template.segments[0] {
      if let expression = try? Expression.parse(source.text), let found = reference(expression) {
        return found
      }
      refuse("the expression `\(source.text.trimmed)`")
      return nil
    }
    return .output(add("gettext", [("WFTextActionText", text(template))]))
  }

  /// The value of an expression, by actions that compute it; nil if it cannot be said.
  private mutating func reference(_ expression: Expression) -> Reference? {
    switch expression.kind {
    case .identifier("it", _): return it
    case .identifier(let name, _): return names[name]
    case .literal(.string(let text)):
      return .output(add("gettext", [("WFTextActionText", .string(text))]))
    case .literal(.int(let number)):
      return .output(add("number", [("WFNumberActionNumber", .int(number))]))
    case .literal(.double(let number)):
      return .output(add("number", [("WFNumberActionNumber", .double(number))]))
    case .literal(.null): return .output(add("nothing"))
    case .list(let elements):
      var items: [Value] = []
      for element in elements {
        guard let part = segment(element.value) else { return nil }
        items.append(text([part]))
      }
      return .output(add("list", [("WFItems", .list(items))]))
    case .binary(let sign, let left, let right):
      if case .identifier(let name, _) = left.kind, case .literal(.int(1)) = right.kind,
        sign.rawValue == "+",
        let place = names[name + " + 1"]
      {
        return place
      }
      guard let operation = ["+": "+", "-": "-", "*": "×", "/": "÷"][sign.rawValue] else {
        return nil
      }
      if sign.rawValue == "+", isText(left) || isText(right) {
        guard let first = segment(left), let second = segment(right) else { return nil }
        return .output(add("gettext", [("WFTextActionText", text([first, second]))]))
      }
      guard let first = reference(left), let second = reference(right) else { return nil }
      return .output(
        add(
          "math",
          [
            ("WFInput", first.attachment), ("WFMathOperation", .string(operation)),
            ("WFMathOperand", second.attachment),
          ]))
    case .call("now", nil, _, _): return .now
    case .call(let name, nil, let arguments, _): return global(name, arguments)
    case .call(let name, let receiver?, let arguments, _): return method(name, receiver, arguments)
    case .select(let operand, let field, _):
      guard let dictionary = reference(operand) else { return nil }
      if field == "body" { return dictionary }
      return .output(
        add(
          "getvalueforkey",
          [("WFInput", dictionary.attachment), ("WFDictionaryKey", .string(field))]))
    default: return nil
    }
  }

  private func isText(_ expression: Expression) -> Bool {
    switch expression.kind {
    case .literal(.string), .call("toText", nil, _, _), .call("string", nil, _, _): true
    case .binary(_, let left, let right): isText(left) || isText(right)
    default: false
    }
  }

  private mutating func global(_ name: String, _ arguments: [Expression]) -> Reference? {
    guard let first = arguments.first else { return nil }
    if name == "valueFor", arguments.count == 2 {
      guard let dictionary = reference(first), let key = segment(arguments[1]) else { return nil }
      return .output(
        add(
          "getvalueforkey", [("WFInput", dictionary.attachment), ("WFDictionaryKey", text([key]))]))
    }
    guard arguments.count == 1, let value = reference(first) else { return nil }
    switch name {
    case "toText", "string", "toList", "toURL", "dyn": return value
    case "toNumber", "double", "int":
      return .output(add("detect.number", [("WFInput", value.attachment)]))
    case "toDictionary": return .output(add("detect.dictionary", [("WFInput", value.attachment)]))
    case "toDate": return .output(add("detect.date", [("WFInput", value.attachment)]))
    case "toLines": return .output(add("text.split", [("text", value.attachment)]))
    case "size": return .output(add("count", [("Input", value.attachment)]))
    case "findLinks": return .output(add("detect.link", [("WFInput", text([.value(value)]))]))
    case "keysOf":
      return .output(
        add(
          "getvalueforkey",
          [("WFInput", value.attachment), ("WFGetDictionaryValueType", "All Keys")]))
    case "valuesOf":
      return .output(
        add(
          "getvalueforkey",
          [("WFInput", value.attachment), ("WFGetDictionaryValueType", "All Values")]))
    default: return nil
    }
  }

  private mutating func method(_ name: String, _ receiver: Expression, _ arguments: [Expression])
    -> Reference?
  {
    guard let subject = reference(receiver) else { return nil }
    let words = arguments.compactMap { expression -> Part? in segment(expression) }
    guard words.count == arguments.count else { return nil }
    switch (name, words.count) {
    case ("split", 1):
      return .output(
        add(
          "text.split",
          [
            ("text", subject.attachment), ("WFTextSeparator", "Custom"),
            ("WFTextCustomSeparator", text([words[0]])),
          ]))
    case ("replace", 2):
      return .output(
        add(
          "text.replace",
          [
            ("WFInput", text([.value(subject)])), ("WFReplaceTextFind", text([words[0]])),
            ("WFReplaceTextReplace", text([words[1]])),
          ]))
    case ("format", 1):
      return .output(
        add(
          "format.date",
          [
            ("WFDate", text([.value(subject)])), ("WFDateFormatStyle", "Custom"),
            ("WFDateFormat", text([words[0]])),
          ]))
    case ("first", 0): return .output(add("getitemfromlist", [("WFInput", subject.attachment)]))
    case ("last", 0):
      return .output(
        add("getitemfromlist", [("WFInput", subject.attachment), ("WFItemSpecifier", "Last Item")]))
    case ("urlEncode", 0): return .output(add("urlencode", [("WFInput", text([.value(subject)]))]))
    case ("words", 0), ("lines", 0):
      return .output(
        add(
          "text.split",
          [
            ("text", subject.attachment),
            ("WFTextSeparator", name == "words" ? "Spaces" : "New Lines"),
          ]))
    default: return nil
    }
  }

  /// A dictionary of a property list, in this order.
  fileprivate static func plist(_ entries: KeyValuePairs<String, Value>) -> Value {
    var map = MapValue()
    for (key, value) in entries { map[key] = value }
    return .map(map)
  }
}

extension String {
  /// The text without spaces around it.
  fileprivate var trimmed: String {
    var text = drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
