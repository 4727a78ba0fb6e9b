import CEL
import JSON

/// Translates a shortcut of Apple's app to YAML.
///
/// Outputs that are used and variables become declared variables; control flow becomes blocks. What
/// has no meaning on this machine is `value: null` with a comment.
package struct ShortcutTranslator {
  /// The outcome of an action.
  package enum Outcome: String, Sendable {
    case translated, approximated
    case notHere = "not here"
  }

  /// The outcome of an action, with a note.
  package struct Line: Sendable {
    package let identifier: String
    package let outcome: Outcome
    /// The approximation, or the need that is not met here.
    package let note: String
  }

  /// The name of the shortcut.
  package let name: String
  /// Whether the file is signed.
  package let isSigned: Bool
  /// The YAML of the shortcut.
  package private(set) var text = ""
  /// The outcome of each action, in order.
  package private(set) var report: [Line] = []

  private let actions: [ShortcutFile.Action]
  private var steps = Lines()
  /// The variables by the name or the identifier of what they hold.
  private var variables: [String: String] = [:]
  private var taken: Set<String> = [
    "it", "input", "self", "vars", "error", "run", "string", "int", "uint", "double", "bool",
    "list",
    "map", "type", "bytes", "timestamp", "duration", "null", "dyn", "now", "last", "item", "index",
    "true", "false", "in", "as", "break", "const", "continue", "else", "for", "function", "if",
    "import", "let", "loop", "package", "namespace", "return", "var", "void", "while", "optional",
  ]
  private var declared: [String] = []
  /// The identifiers of outputs that an action refers to.
  private var used: Set<String> = []
  /// The names of variables that an action refers to.
  private var mentioned: Set<String> = []
  private var blocks: [Block] = []
  /// The expression of what the action before gave.
  private var last = "null"
  private var usesInput = false
  /// The position of the action being translated, and of the one whose result is `last`.
  private var current = 0
  private var owner = -1
  /// The actions whose result the next one takes without naming it; nil in the first pass.
  private let needed: Set<Int>?
  private var taking: Set<Int> = []

  /// An open block of control flow.
  private struct Block {
    enum Kind { case choice, loop, menu, nothing }

    let kind: Kind
    let group: String
    /// The variable that holds its result.
    let result: String?
    /// The expression of what it was given.
    let given: String
    var hasOther = false
    var isBranchOpen = true
    /// The number of lines at the start of its branch.
    var start = 0
  }

  /// Reads and translates a file, which gives the shortcut its title.
  ///
  /// - Parameter isReserved: Whether a word cannot name a shortcut.
  /// - Throws: `ShortcutFile.Problem`.
  package init(
    _ bytes: [UInt8], at path: String, isReserved: (String) -> Bool
  ) throws(ShortcutFile.Problem) {
    let file = try ShortcutFile(bytes)
    var title = path.split(separator: "/").last.map(String.init) ?? ""
    for end in [".xml", ".shortcut", ".plist", ".wflow"] where title.hasSuffix(end) {
      title.removeLast(end.count)
    }
    if title.isEmpty { title = "Shortcut" }
    let words = title.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    var name = String(words.joined(separator: "-").drop { !$0.isLetter }.prefix(50))
    while name.hasSuffix("-") { name.removeLast() }
    if name.isEmpty || isReserved(name) { name += name.isEmpty ? "shortcut" : "-shortcut" }
    self.init(file, named: name, title: title)
  }

  /// Translates a file.
  ///
  /// - Parameter name: The name of the shortcut, in lower case with dashes.
  package init(_ file: ShortcutFile, named name: String, title: String) {
    // The first pass finds which results the next action takes without naming them.
    let first = ShortcutTranslator(file, named: name, title: title, needed: nil)
    self.init(file, named: name, title: title, needed: first.taking)
  }

  private init(_ file: ShortcutFile, named name: String, title: String, needed: Set<Int>?) {
    self.name = name
    isSigned = file.isSigned
    actions = file.actions
    self.needed = needed
    for action in actions { collect(.map(action.parameters)) }
    for (index, action) in actions.enumerated() {
      current = index
      translate(action)
    }
    while !blocks.isEmpty { close(result: nil) }
    var head = "shortcut: \(name)\ntitle: \(Self.scalar(title))\n"
    head += "description: \(Self.scalar("Converted from a shortcut of Apple's app."))\n"
    if usesInput { head += "input: {type: any, default: null, from: [argument, clipboard]}\n" }
    if !declared.isEmpty {
      head += "variables:\n"
      for variable in declared { head += "  \(variable): {type: any, value: null}\n" }
    }
    text = head + "steps:\n" + (steps.text.isEmpty ? "  - value: '{{ null }}'\n" : steps.text)
  }

  /// Lines of steps at an indentation.
  private struct Lines {
    var text = ""
    var depth = 1
    /// The number of lines that are no comments.
    var count = 0

    mutating func add(_ line: String) {
      if !line.hasPrefix("#") { count += 1 }
      text += String(repeating: "  ", count: depth) + line + "\n"
    }
  }

  // MARK: Names

  private mutating func collect(_ value: Value) {
    switch value {
    case .map(let map):
      if case .string(let id)? = map["OutputUUID"] { used.insert(id) }
      if case .string(let name)? = map["VariableName"] { mentioned.insert(name) }
      for entry in map.entries { collect(entry.value) }
    case .list(let values): for value in values { collect(value) }
    default: break
    }
  }

  /// The variable for a key, made from a name on first use.
  private mutating func variable(_ key: String, _ name: String) -> String {
    if let known = variables[key] { return known }
    var words = name.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.map(String.init)
    if words.first?.first?.isNumber ?? true { words.insert("value", at: 0) }
    var base = words[0].prefix(1).lowercased() + words[0].dropFirst()
    for word in words.dropFirst().prefix(4) {
      base += word.prefix(1).uppercased() + word.dropFirst()
    }
    base = String(base.prefix(40))
    var found = base
    var count = 2
    while !taken.insert(found).inserted {
      found = "\(base)\(count)"
      count += 1
    }
    variables[key] = found
    declared.append(found)
    return found
  }

  private mutating func named(_ name: String) -> String { variable("name " + name, name) }

  // MARK: Values

  /// The expression of a parameter; nil if it is missing.
  private mutating func expression(_ value: Value?) -> String? {
    switch value {
    case nil, .null?: return nil
    case .string(let text)?: return Self.literal(text)
    case .int(let number)?: return String(number)
    case .double(let number)?: return String(number)
    case .bool(let flag)?: return flag ? "true" : "false"
    case .timestamp(let moment)?: return "timestamp(\(Self.literal(moment.jsonText)))"
    case .list(let values)?:
      return "[" + values.compactMap { expression($0) }.joined(separator: ", ") + "]"
    case .bytes?: return nil
    case .map(let map)?: return expression(map)
    default: return nil
    }
  }

  private mutating func expression(_ map: MapValue) -> String? {
    if case .string(let kind)? = map["WFSerializationType"], let value = map["Value"] {
      switch kind {
      case "WFTextTokenString": return tokens(value)
      case "WFTextTokenAttachment":
        guard case .map(let token) = value else { return nil }
        return attachment(token)
      case "WFDictionaryFieldValue": return dictionary(value)
      case "WFNumberSubstitutableState": return expression(value)
      default: return expression(value)
      }
    }
    if map["Variable"] != nil, case .map(let inner)? = map["Variable"] { return expression(inner) }
    if map["Type"] != nil { return attachment(map) }
    if map["Value"] != nil { return expression(map["Value"]) }
    if map["string"] != nil { return tokens(.map(map)) }
    return nil
  }

  /// A text with values in it: offsets count units of UTF-16.
  private mutating func tokens(_ value: Value) -> String? {
    guard case .map(let map) = value, case .string(let text)? = map["string"] else {
      return expression(value)
    }
    var attachments: [(place: Int, expression: String)] = []
    if case .map(let ranges)? = map["attachmentsByRange"] {
      for entry in ranges.entries {
        let digits = entry.key.text.drop { !$0.isNumber }.prefix { $0.isNumber }
        guard let place = Int(digits), case .map(let token) = entry.value else { continue }
        attachments.append((place, attachment(token) ?? "null"))
      }
    }
    attachments.sort { $0.place < $1.place }
    if attachments.count == 1, text.utf16.count == 1 { return attachments[0].expression }
    let units = Array(text.utf16)
    var parts: [String] = []
    var start = 0
    for (place, expression) in attachments where place >= start && place < units.count {
      if place > start {
        parts.append(Self.literal(String(decoding: units[start..<place], as: UTF16.self)))
      }
      parts.append(Self.asText(expression))
      start = place + 1
    }
    if start < units.count {
      parts.append(Self.literal(String(decoding: units[start...], as: UTF16.self)))
    }
    return parts.isEmpty ? "\"\"" : parts.joined(separator: " + ")
  }

  private mutating func attachment(_ token: MapValue) -> String? {
    var found: String
    func text(_ key: String) -> String {
      if case .string(let text)? = token[key] { text } else { "" }
    }
    switch text("Type") {
    case "ActionOutput":
      let id = text("OutputUUID")
      found = variable("output " + id, text("OutputName").isEmpty ? "output" : text("OutputName"))
    case "Variable":
      let name = text("VariableName")
      let depth = blocks.count { $0.kind == .loop }
      if name.hasPrefix("Repeat Item") || name.hasPrefix("Repeat Index") {
        let number = Int(name.split(separator: " ").last ?? "") ?? 1
        let word = name.hasPrefix("Repeat Item") ? "repeatItem" : "repeatIndex"
        found = number <= depth ? "\(word)\(number == 1 ? "" : String(number))" : "null"
      } else {
        found = named(name)
      }
    case "ExtensionInput":
      usesInput = true
      found = "input"
    case "CurrentDate": found = "now()"
    case "Clipboard":
      steps.add("- paste")
      let clipboard = variable("clipboard", "clipboard")
      steps.add("- set: {\(clipboard): '{{ it }}'}")
      found = clipboard
    case "Ask":
      let prompt = text("Prompt").isEmpty ? "What is the value?" : text("Prompt")
      steps.add("- ask: {prompt: \(Self.scalar(prompt)), default: ''}")
      let answer = variable("asked \(steps.text.utf8.count)", "asked")
      steps.add("- set: {\(answer): '{{ it }}'}")
      found = answer
    default: return nil
    }
    guard case .list(let changes)? = token["Aggrandizements"] else { return found }
    for case .map(let change) in changes { found = changed(found, change) }
    return found
  }

  /// A value after one of Apple's changes: a coercion, a key of a dictionary, a date format.
  private func changed(_ value: String, _ change: MapValue) -> String {
    func text(_ key: String) -> String {
      if case .string(let text)? = change[key] { text } else { "" }
    }
    switch text("Type") {
    case "WFCoercionVariableAggrandizement":
      switch text("CoercionItemClass") {
      case "WFDictionaryContentItem": return "toDictionary(\(value))"
      case "WFNumberContentItem", "WFBooleanContentItem": return "toNumber(\(value))"
      case "WFStringContentItem", "WFURLContentItem", "WFRichTextContentItem":
        return "toText(\(value))"
      default: return value
      }
    case "WFDictionaryValueVariableAggrandizement":
      return "valueFor(\(value), \(Self.literal(text("DictionaryKey"))))"
    case "WFPropertyVariableAggrandizement":
      switch text("PropertyName") {
      case "Keys": return "dyn(toDictionary(\(value))).map(k, k)"
      default: return "toText(\(value))"
      }
    case "WFDateFormatVariableAggrandizement":
      let pattern = text("WFDateFormat")
      return pattern.isEmpty
        ? "toText(\(value))" : "timestamp(\(value)).format(\(Self.literal(pattern)))"
    default: return value
    }
  }

  /// A dictionary or the items of a list, in their order.
  private mutating func dictionary(_ value: Value?) -> String {
    var items: [Value] = []
    if case .map(let map)? = value {
      if case .list(let list)? = map["WFDictionaryFieldValueItems"] { items = list }
      if case .map(let inner)? = map["Value"] { return dictionary(.map(inner)) }
    }
    var parts: [String] = []
    for case .map(let item) in items {
      let key = expression(item["WFKey"]) ?? "\"\""
      let isPlain = key.first == "\"" && !key.contains("toText(")
      parts.append("\(isPlain ? key : "toText(\(key))"): dyn(\(field(item)))")
    }
    return "{" + parts.joined(separator: ", ") + "}"
  }

  /// The value of a field: a text, a dictionary, a list, a number or a Boolean.
  private mutating func field(_ item: MapValue) -> String {
    let kind: Int64 = if case .int(let kind)? = item["WFItemType"] { kind } else { 0 }
    let value = item["WFValue"]
    switch kind {
    case 1: return dictionary(value)
    case 2:
      var values = value
      while case .map(let map)? = values { values = map["Value"] }
      guard case .list(let list)? = values else { return "[]" }
      return "["
        + list.map { element in
          if case .map(let map) = element, map["WFItemType"] != nil { return "dyn(\(field(map)))" }
          return "dyn(\(expression(element) ?? "null"))"
        }.joined(separator: ", ") + "]"
    case 3: return "toNumber(\(expression(value) ?? "0"))"
    default: return expression(value) ?? "\"\""
    }
  }

  // MARK: Texts

  /// A text as a literal of an expression.
  static func literal(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": literal += "\\\""
      case "\\": literal += "\\\\"
      case "\n", "\u{2028}", "\u{2029}": literal += "\\n"
      case "\r": literal += "\\r"
      case "\t": literal += "\\t"
      case "{": literal += "\\u007b"
      case "}": literal += "\\u007d"
      default:
        if scalar.value < 0x20 || scalar.value == 0x7F || 0xFDD0...0xFDEF ~= scalar.value {
          continue
        }
        literal.unicodeScalars.append(scalar)
      }
    }
    return literal + "\""
  }

  /// A text as a scalar of YAML.
  static func scalar(_ text: String) -> String {
    let isPlain = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    if isPlain { return "'" + text.replacing("'", with: "''") + "'" }
    return literal(text)
  }

  /// A literal pattern whose groups capture nothing: only whole matches are taken.
  private static func withoutGroups(_ pattern: String) -> String {
    var result = ""
    var rest = pattern[...]
    while let letter = rest.popFirst() {
      result.append(letter)
      if letter == "\\", let next = rest.popFirst() {
        result.append(next)
        // Literals double each backslash.
        if next == "\\", let escaped = rest.popFirst() { result.append(escaped) }
      } else if letter == "(", rest.first != "?" {
        result += "?:"
      }
    }
    return pattern.first == "\"" && !pattern.contains("toText(") ? result : pattern
  }

  /// The text of an expression, which may be one already.
  private static func asText(_ expression: String) -> String {
    let isText = expression.hasPrefix("\"") || expression.hasPrefix("toText(")
    return isText ? expression : "toText(\(expression))"
  }

  /// An expression as a template.
  private static func template(_ expression: String) -> String {
    // A literal stands for itself.
    if expression.first == "\"", expression.last == "\"", expression.count > 2,
      case let inner = expression.dropFirst().dropLast(), !inner.contains("\""),
      !inner.contains("\\")
    {
      return scalar(String(inner))
    }
    return "'{{ " + expression.replacing("'", with: "''") + " }}'"
  }

  // MARK: Actions

  private mutating func translate(_ action: ShortcutFile.Action) {
    let beginning = "is.workflow.actions."
    let name =
      action.identifier.hasPrefix(beginning)
      ? String(action.identifier.dropFirst(beginning.count)) : action.identifier
    if let mode = mode(of: action),
      ["conditional", "repeat.each", "repeat.count", "choosefrommenu"]
        .contains(name)
    {
      flow(name, mode, action)
      report.append(Line(identifier: action.identifier, outcome: .translated, note: ""))
      return
    }
    let outcome = step(name, action.parameters)
    report.append(
      Line(identifier: action.identifier, outcome: outcome.0, note: outcome.1))
    if outcome.0 == .notHere {
      steps.add("# not here: \(outcome.1)")
      result("null", of: action)
    }
  }

  private func mode(of action: ShortcutFile.Action) -> Int64? {
    if case .int(let mode)? = action.parameters["WFControlFlowMode"] { mode } else { nil }
  }

  private func text(_ parameters: MapValue, _ key: String) -> String? {
    if case .string(let text)? = parameters[key] { text } else { nil }
  }

  /// Keeps a result in the variable of its output, and as what the next action gets.
  private mutating func result(_ expression: String, of action: ShortcutFile.Action) {
    result(expression, action.parameters)
  }

  private mutating func result(_ expression: String, _ parameters: MapValue) {
    if let id = text(parameters, "UUID"), used.contains(id) {
      let name = text(parameters, "CustomOutputName") ?? "output"
      let variable = variable("output " + id, name)
      steps.add("- set: {\(variable): \(Self.template(expression))}")
      last = variable
    } else if needed?.contains(current) ?? true {
      let variable = variable("last", "lastResult")
      steps.add("- set: {\(variable): \(Self.template(expression))}")
      last = variable
    }
    owner = current
  }

  /// The expression of what the action before gave.
  private mutating func takeLast() -> String {
    taking.insert(owner)
    return last
  }

  /// The input of an action: what it names, else what the action before gave.
  private mutating func given(_ parameters: MapValue, _ keys: String...) -> String {
    for key in keys {
      if let value = parameters[key], let found = expression(value) { return found }
    }
    return takeLast()
  }

  // MARK: Control flow

  private mutating func flow(_ name: String, _ mode: Int64, _ action: ShortcutFile.Action) {
    let parameters = action.parameters
    switch (name, mode) {
    case ("conditional", 0):
      let input = given(parameters, "WFInput")
      let condition = condition(input, parameters)
      steps.add("- if: \(Self.template(condition))")
      steps.add("  then:")
      open(.choice, parameters, given: input)
    case ("conditional", 1):
      guard let block = blocks.last, block.kind == .choice else { return }
      endBranch()
      steps.depth -= 2
      steps.add("  else:")
      steps.depth += 2
      blocks[blocks.count - 1].hasOther = true
      blocks[blocks.count - 1].start = steps.count
      last = block.given
    case ("repeat.each", 0):
      let list = given(parameters, "WFInput")
      let number = blocks.count { $0.kind == .loop } + 1
      let suffix = number == 1 ? "" : "\(number)"
      prepareResult(parameters)
      steps.add("- for: repeatItem\(suffix)")
      steps.add("  in: \(Self.template("toList(\(list))"))")
      steps.add("  index: place\(suffix)")
      steps.add("  do:")
      open(.loop, parameters, given: "repeatItem\(suffix)")
      nameCount(number, withItem: false)
    case ("repeat.count", 0):
      let count = given(parameters, "WFRepeatCount")
      let number = blocks.count { $0.kind == .loop } + 1
      let suffix = number == 1 ? "" : "\(number)"
      prepareResult(parameters)
      steps.add("- repeat: \(Self.template("math.greatest(0, int(toNumber(\(count))))"))")
      steps.add("  index: place\(suffix)")
      steps.add("  do:")
      open(.loop, parameters, given: "place\(suffix) + 1")
      nameCount(number, withItem: true)
    case ("choosefrommenu", 0):
      let prompt = expression(parameters["WFMenuPrompt"]) ?? "\"\""
      steps.add("- menu: \(prompt == "\"\"" ? "Choose one." : Self.template(Self.asText(prompt)))")
      steps.add("  options:")
      open(.menu, parameters, given: "null")
      blocks[blocks.count - 1].isBranchOpen = false
      steps.depth -= 0
    case ("choosefrommenu", 1):
      guard let block = blocks.last, block.kind == .menu else { return }
      if block.isBranchOpen {
        endBranch()
        steps.depth -= 1
      }
      let title = text(parameters, "WFMenuItemTitle") ?? "…"
      steps.add("\(Self.scalar(title.isEmpty ? "…" : title)):")
      steps.depth += 1
      blocks[blocks.count - 1].isBranchOpen = true
      blocks[blocks.count - 1].start = steps.count
      last = "null"
    default: close(result: parameters)
    }
  }

  /// Names the number of a pass, from 1, if an action refers to it.
  private mutating func nameCount(_ number: Int, withItem: Bool) {
    let suffix = number == 1 ? "" : "\(number)"
    let end = number == 1 ? "" : " \(number)"
    for (name, word) in [("Repeat Index", "repeatIndex"), ("Repeat Item", "repeatItem")]
    where mentioned.contains(name + end) && (word == "repeatIndex" || withItem) {
      steps.add("- value: \(Self.template("place\(suffix) + 1"))")
      steps.add("  as: \(word)\(suffix)")
    }
  }

  /// Empties the list of a loop's results.
  private mutating func prepareResult(_ parameters: MapValue) {
    guard let id = endIdentifier(parameters), used.contains(id) else { return }
    steps.add("- set: {\(variable("output " + id, "repeatResults")): '{{ [] }}'}")
  }

  /// The identifier of the result of a block, which its last action has.
  private func endIdentifier(_ parameters: MapValue) -> String? {
    let group = text(parameters, "GroupingIdentifier")
    let end = actions.last { action in
      mode(of: action) == 2 && text(action.parameters, "GroupingIdentifier") == group
    }
    return end.flatMap { text($0.parameters, "UUID") }
  }

  private mutating func open(_ kind: Block.Kind, _ parameters: MapValue, given: String) {
    var result: String?
    if let id = endIdentifier(parameters), used.contains(id) {
      result = variable("output " + id, kind == .loop ? "repeatResults" : "result")
    }
    blocks.append(
      Block(
        kind: kind, group: text(parameters, "GroupingIdentifier") ?? "", result: result,
        given: given))
    steps.depth += 2
    last = given
    blocks[blocks.count - 1].start = steps.count
  }

  /// Keeps the last value of a branch, if the block's result is used.
  private mutating func endBranch() {
    guard let block = blocks.last else { return }
    if let result = block.result {
      let value =
        block.kind == .loop
        ? "toList(\(result)) + toList(\(takeLast()))" : "\(takeLast())"
      steps.add("- set: {\(result): \(Self.template(value))}")
    } else if steps.count == block.start {
      // A branch has at least a step.
      steps.add("- value: '{{ null }}'")
    }
  }

  private mutating func close(result parameters: MapValue?) {
    guard let block = blocks.last else { return }
    if block.isBranchOpen {
      endBranch()
      if block.kind == .menu { steps.depth -= 1 }
    }
    blocks.removeLast()
    steps.depth -= 2
    if block.kind == .choice, !block.hasOther, let result = block.result {
      steps.add("  else: [{set: {\(result): \(Self.template(block.given))}}]")
    }
    last = block.result ?? "null"
  }

  /// The condition of an If.
  private mutating func condition(_ input: String, _ parameters: MapValue) -> String {
    let number = expression(parameters["WFNumberValue"])
    let words = expression(parameters["WFConditionalActionString"])
    var code: Int64 = 99
    switch parameters["WFCondition"] {
    case .int(let given)?: code = given
    case .string("Equals")?: code = 4
    case .string("Is Greater Than")?: code = 2
    case .string("Is Less Than")?: code = 0
    default: break
    }
    let text = Self.asText(words ?? "\"\"")
    let value = "toNumber(\(number ?? words ?? "0"))"
    switch code {
    case 0: return "toNumber(\(input)) < \(value)"
    case 1: return "toNumber(\(input)) <= \(value)"
    case 2: return "toNumber(\(input)) > \(value)"
    case 3: return "toNumber(\(input)) >= \(value)"
    case 4, 5:
      let sign = code == 4 ? "==" : "!="
      return words == nil && number != nil
        ? "toNumber(\(input)) \(sign) \(value)" : "toText(\(input)) \(sign) \(text)"
    case 8: return "toText(\(input)).startsWith(\(text))"
    case 9: return "toText(\(input)).endsWith(\(text))"
    case 99: return "toText(\(input)).contains(\(text))"
    case 999: return "!toText(\(input)).contains(\(text))"
    case 100: return "hasValue(\(input))"
    case 101: return "!hasValue(\(input))"
    case 1003:
      let high = expression(parameters["WFAnotherNumber"]) ?? "0"
      return
        "toNumber(\(input)) >= \(value) && toNumber(\(input)) <= toNumber(\(high))"
    default: return "hasValue(\(input))"
    }
  }

  /// The end of an expression that adjusts a date: days and longer by the calendar, shorter ones by their length.
  private mutating func adjustment(_ parameters: MapValue) -> String? {
    let operation = text(parameters, "WFAdjustOperation") ?? "Add"
    let starts = [
      "Minute": "minute", "Hour": "hour", "Day": "day", "Week": "week", "Month": "month",
      "Year": "year",
    ]
    for (word, unit) in starts where operation == "Get Start of \(word)" {
      return ".startOf(\"\(unit)\")"
    }
    guard ["Add", "Subtract"].contains(operation), case .map(var length)? = parameters["WFDuration"]
    else { return nil }
    if case .map(let inner)? = length["Value"] { length = inner }
    guard case .string(let unit)? = length["Unit"], let magnitude = expression(length["Magnitude"])
    else { return nil }
    let count = "int(toNumber(\(magnitude)))"
    let signed = operation == "Add" ? count : "-\(count)"
    switch unit {
    case "days": return ".addDays(\(signed))"
    case "weeks": return ".addWeeks(\(signed))"
    case "months": return ".addMonths(\(signed))"
    case "yr", "years": return ".addYears(\(signed))"
    case "sec": return " + seconds(\(signed))"
    case "min": return " + minutes(\(signed))"
    case "hr": return " + hours(\(signed))"
    default: return nil
    }
  }

  // MARK: Single actions

  /// Adds the steps of an action; returns what became of it, and how.
  private mutating func step(_ name: String, _ parameters: MapValue) -> (Outcome, String) {
    func words(_ key: String) -> String {
      if case .string(let text)? = parameters[key] { text } else { "" }
    }
    func flag(_ key: String, _ usual: Bool) -> Bool {
      if case .bool(let flag)? = parameters[key] { flag } else { usual }
    }
    /// A parameter as a text.
    func shown(_ key: String, _ usual: String = "\"\"") -> String {
      let found = expression(parameters[key]) ?? usual
      return Self.asText(found)
    }
    switch name {
    case "comment":
      for line in words("WFCommentActionText").split(whereSeparator: \.isNewline) {
        steps.add("# \(line)")
      }
    case "gettext": result(shown("WFTextActionText"), parameters)
    case "number":
      result("toNumber(\(expression(parameters["WFNumberActionNumber"]) ?? "0"))", parameters)
    case "url": result(expression(parameters["WFURLActionURL"]) ?? "\"\"", parameters)
    case "nothing": last = "null"
    case "getvariable": result(given(parameters, "WFVariable"), parameters)
    case "setvariable":
      let value = given(parameters, "WFInput")
      let variable = named(words("WFVariableName"))
      steps.add("- set: {\(variable): \(Self.template(value))}")
      last = variable
    case "appendvariable":
      let value = given(parameters, "WFInput")
      let variable = named(words("WFVariableName"))
      steps.add(
        "- set: {\(variable): \(Self.template("toList(\(variable)) + toList(\(value))"))}")
      last = value
    case "list":
      guard case .list(let items)? = parameters["WFItems"] else {
        result("[]", parameters)
        break
      }
      var parts: [String] = []
      for item in items {
        if case .map(let map) = item, map["WFItemType"] != nil {
          parts.append("toList(\(field(map)))")
        } else {
          parts.append("toList(\(expression(item) ?? "\"\""))")
        }
      }
      result(parts.isEmpty ? "[]" : parts.joined(separator: " + "), parameters)
    case "dictionary": result(dictionary(parameters["WFItems"]), parameters)
    case "detect.dictionary": result("toDictionary(\(given(parameters, "WFInput")))", parameters)
    case "detect.text": result("toText(\(given(parameters, "WFInput")))", parameters)
    case "detect.number": result("toNumber(\(given(parameters, "WFInput")))", parameters)
    case "detect.link":
      result(
        "regex.extractAll(toText(\(given(parameters, "WFInput"))), \"https?://[^ \\\\n\\\"<>]+\")",
        parameters)
    case "getvalueforkey":
      let input = given(parameters, "WFInput")
      switch words("WFGetDictionaryValueType") {
      case "All Keys": result("toDictionary(\(input)).map(k, k)", parameters)
      case "All Values":
        result("toDictionary(\(input)).map(k, toDictionary(\(input))[k])", parameters)
      default: result("valueFor(\(input), \(shown("WFDictionaryKey")))", parameters)
      }
    case "setvalueforkey":
      let input = given(parameters, "WFDictionary")
      let value = expression(parameters["WFDictionaryValue"]) ?? "\"\""
      result(
        "(toDictionary(\(input)) == null ? {} : toDictionary(\(input)))"
          + ".merge({\(shown("WFDictionaryKey")): dyn(\(value))})", parameters)
    case "getitemfromlist":
      let list = "toList(\(given(parameters, "WFInput")))"
      switch words("WFItemSpecifier") {
      case "Last Item": result("\(list).last()", parameters)
      case "Random Item": result("random(\(list))", parameters)
      case "Item At Index":
        let index = expression(parameters["WFItemIndex"]) ?? "1"
        result("\(list)[int(toNumber(\(index))) - 1]", parameters)
      case "Items in Range":
        let first = expression(parameters["WFItemRangeStart"]) ?? "1"
        let end = expression(parameters["WFItemRangeEnd"])
        let to = end.map { "math.least(int(toNumber(\($0))), size(\(list)))" } ?? "size(\(list))"
        result("\(list).slice(int(toNumber(\(first))) - 1, \(to))", parameters)
      default: result("\(list).first()", parameters)
      }
    case "count":
      let input = given(parameters, "Input", "WFInput")
      switch words("WFCountType") {
      case "Characters": result("size(toText(\(input)))", parameters)
      case "Words": result("size(toText(\(input)).words())", parameters)
      case "Lines": result("size(toText(\(input)).lines())", parameters)
      default: result("size(toList(\(input)))", parameters)
      }
    case "text.split":
      let input = given(parameters, "text", "WFInput")
      let separator =
        ["Spaces": "\" \"", "Every Character": "\"\"", "Custom": shown("WFTextCustomSeparator")][
          words("WFTextSeparator")] ?? "\"\\n\""
      result("toText(\(input)).split(\(separator))", parameters)
    case "text.combine":
      let input = given(parameters, "text", "WFInput")
      let separator =
        ["Spaces": "\" \"", "Custom": shown("WFTextCustomSeparator")][words("WFTextSeparator")]
        ?? "\"\\n\""
      result("toList(\(input)).map(t, toText(t)).join(\(separator))", parameters)
    case "text.replace":
      let input = "toText(\(given(parameters, "WFInput")))"
      let (find, other) = (shown("WFReplaceTextFind"), shown("WFReplaceTextReplace"))
      let ignores = !flag("WFReplaceTextCaseSensitive", true)
      guard flag("WFReplaceTextRegularExpression", false) || ignores else {
        result("\(input).replace(\(find), \(other))", parameters)
        break
      }
      let pattern = ignores ? "\"(?i)\" + \(find)" : find
      result("regex.replace(\(input), \(pattern), \(other))", parameters)
      return (.approximated, "patterns are RE2's")
    case "text.match":
      let pattern = Self.withoutGroups(shown("WFMatchTextPattern"))
      let isExact = flag("WFMatchTextCaseSensitive", true)
      result(
        "regex.extractAll(toText(\(given(parameters, "text", "WFInput"))), "
          + "\(isExact ? pattern : "\"(?i)\" + \(pattern)"))", parameters)
      return (.approximated, "patterns are RE2's")
    case "text.changecase":
      let input = "toText(\(given(parameters, "text", "WFInput")))"
      let kind = words("WFCaseType").lowercased()
      result(kind == "lowercase" ? "\(input).lowerAscii()" : "\(input).upperAscii()", parameters)
      if kind != "lowercase", kind != "uppercase", !kind.isEmpty {
        return (.approximated, "every letter is changed")
      }
    case "math":
      let input = "toNumber(\(given(parameters, "WFInput")))"
      let operand = "toNumber(\(expression(parameters["WFMathOperand"]) ?? "0"))"
      switch words("WFMathOperation") {
      case "", "+": result("\(input) + \(operand)", parameters)
      case "-", "−": result("\(input) - \(operand)", parameters)
      case "×", "*": result("\(input) * \(operand)", parameters)
      case "÷", "/": result("\(input) / \(operand)", parameters)
      default:
        guard words("WFScientificMathOperation") == "Modulus" else {
          return (.notHere, "the operation \(words("WFScientificMathOperation"))")
        }
        let by = "toNumber(\(expression(parameters["WFScientificMathOperand"]) ?? "1"))"
        result("double(int(\(input)) % int(\(by)))", parameters)
      }
    case "round":
      let input = "toNumber(\(given(parameters, "WFInput")))"
      let call = ["Always Round Up": "ceil", "Always Round Down": "floor"][words("WFRoundMode")]
      result("math.\(call ?? "round")(\(input))", parameters)
    case "random", "number.random":
      let low = "toNumber(\(expression(parameters["WFRandomNumberMinimum"]) ?? "0"))"
      let high = "toNumber(\(expression(parameters["WFRandomNumberMaximum"]) ?? "100"))"
      result("math.floor(\(low) + random() * (\(high) - \(low) + 1.0))", parameters)
    case "urlencode":
      guard words("WFEncodeMode") != "Decode" else { return (.notHere, "decoding an address") }
      result("toText(\(given(parameters, "WFInput"))).urlEncode()", parameters)
    case "base64encode":
      let input = "toText(\(given(parameters, "WFInput")))"
      result(
        words("WFEncodeMode") == "Decode"
          ? "string(base64.decode(\(input)))" : "\(input).base64()", parameters)
    case "hash":
      guard words("WFHashType") == "SHA256" else {
        return (.notHere, "\(words("WFHashType")) sums")
      }
      result("toText(\(given(parameters, "WFInput"))).sha256()", parameters)
    case "date":
      guard words("WFDateActionMode") == "Specified Date" else {
        result("now()", parameters)
        break
      }
      result("date(\(shown("WFDateActionDate")))", parameters)
    case "format.date":
      let pattern = words("WFDateFormat")
      let usual = pattern.isEmpty ? "\"d MMM yyyy HH:mm\"" : shown("WFDateFormat")
      result("timestamp(\(given(parameters, "WFDate"))).format(\(usual))", parameters)
      if pattern.isEmpty { return (.approximated, "written as 5 Mar 2022 14:05") }
    case "detect.date": result("date(\(Self.asText(given(parameters, "WFInput"))))", parameters)
    case "adjustdate":
      guard let call = adjustment(parameters) else {
        return (.notHere, "this way to adjust a date")
      }
      result("timestamp(\(given(parameters, "WFDate")))\(call)", parameters)
    case "gettimebetweendates":
      let other =
        ["WFTimeUntilFromDate", "WFTimeUntilCustomDate"].lazy.compactMap { parameters[$0] }.first
      let from = expression(other) ?? "now()"
      let span = "(timestamp(\(given(parameters, "WFInput"))) - timestamp(\(from)))"
      let units = ["Seconds": "getSeconds()", "Hours": "getHours()", "Days": "getHours() / 24"]
      result("\(span).\(units[words("WFTimeUntilUnit")] ?? "getMinutes()")", parameters)
    case "statistics":
      let numbers = "toList(\(given(parameters, "Input", "WFInput"))).map(n, toNumber(n))"
      let calls = ["Minimum": "min()", "Maximum": "max()", "Sum": "sum()", "Average": "avg()"]
      let kind = words("WFStatisticsOperation").isEmpty ? "Average" : words("WFStatisticsOperation")
      guard let call = calls[kind] else { return (.notHere, "the statistic \(kind)") }
      result("\(numbers).\(call)", parameters)
    case "geturlcomponent":
      let url = Self.asText(given(parameters, "WFURL"))
      let calls = ["Host": "host()", "Path": "path()", "Fragment": "fragment()"]
      let part = words("WFURLComponent").isEmpty ? "Scheme" : words("WFURLComponent")
      if part == "Scheme" {
        result("\(url).split(\":\").first()", parameters)
      } else if let call = calls[part] {
        result("\(url).\(call)", parameters)
      } else {
        return (.notHere, "the \(part.lowercased()) of an address")
      }
    case "documentpicker.open":
      guard parameters["WFGetFilePath"] != nil, !flag("WFShowFilePicker", true) else {
        return (.notHere, "a dialog that chooses a file")
      }
      steps.add("- read-file: \(Self.template(shown("WFGetFilePath")))")
      result("it", parameters)
      return (.approximated, "the path is taken as it stands")
    case "documentpicker.save":
      guard parameters["WFFileDestinationPath"] != nil, !flag("WFAskWhereToSave", true) else {
        return (.notHere, "a dialog that chooses where to save")
      }
      let text = Self.asText(given(parameters, "WFInput"))
      steps.add(
        "- write-file: {path: \(Self.template(shown("WFFileDestinationPath"))), text: \(Self.template(text))}"
      )
      return (.approximated, "its text is written, to the path as it stands")
    case "share":
      steps.add(
        "- show: {value: \(Self.template(Self.asText(given(parameters, "WFInput")))), as: text}")
      return (.approximated, "its text is shown")
    case "vibrate", "dismisssiri", "returntohomescreen", "lockscreen":
      return (.approximated, "nothing to do on this machine")
    case "getclipboard":
      steps.add("- paste")
      result("it", parameters)
    case "setclipboard":
      steps.add("- copy: \(Self.template("toText(\(given(parameters, "WFInput")))"))")
    case "showresult":
      steps.add("- show: {value: \(Self.template(shown("Text", takeLast()))), as: text}")
    case "previewdocument", "showwebpage":
      steps.add(
        "- show: {value: \(Self.template("toText(\(given(parameters, "WFInput", "WFURL")))")), as: text}"
      )
      return (.approximated, "its text is shown")
    case "alert":
      let title = shown("WFAlertActionTitle", "\"\"")
      let message = shown("WFAlertActionMessage", "\"\"")
      let text =
        title == "\"\"" ? message : message == "\"\"" ? title : "\(title) + \": \" + \(message)"
      if flag("WFAlertActionCancelButtonShown", true) {
        steps.add(
          "- confirm: {prompt: \(Self.template(text == "\"\"" ? "\"Do you want to continue?\"" : text))}"
        )
      } else {
        steps.add("- say: \(Self.template(text))")
      }
    case "notification":
      let body = shown("WFNotificationActionBody", "\"Hello World\"")
      let title = shown("WFNotificationActionTitle")
      steps.add(
        "- notify: {text: \(Self.template(body))"
          + (title == "\"\"" ? "}" : ", title: \(Self.template(title))}"))
    case "ask":
      let prompt = shown("WFAskActionPrompt", "\"What is the answer?\"")
      let usual = shown("WFAskActionDefaultAnswer")
      let type = ["Number": "double", "Date": "date", "URL": "url"][words("WFInputType")]
      steps.add(
        "- ask: {prompt: \(Self.template(prompt))" + (type.map { ", type: \($0)" } ?? "")
          + (usual == "\"\"" || type != nil ? "}" : ", default: \(Self.template(usual))}"))
      result("it", parameters)
    case "choosefromlist":
      let list = given(parameters, "WFInput")
      let prompt = shown("WFChooseFromListActionPrompt", "\"Choose one.\"")
      let many = flag("WFChooseFromListActionSelectMultiple", false)
      steps.add(
        "- choose: {from: \(Self.template("toList(\(list)).map(t, toText(t))")), "
          + "prompt: \(Self.template(prompt))\(many ? ", many: true" : "")}")
      result("it", parameters)
      return (.approximated, "items are chosen by their text")
    case "downloadurl":
      let url = given(parameters, "WFURL")
      var step = "- http: {url: \(Self.template("toText(\(url))"))"
      let method = words("WFHTTPMethod")
      if !method.isEmpty, method != "GET" { step += ", method: \(method)" }
      if parameters["WFHTTPHeaders"] != nil {
        step += ", headers: \(Self.template(dictionary(parameters["WFHTTPHeaders"])))"
      }
      if method != "", method != "GET" {
        switch words("WFHTTPBodyType") {
        case "Form": step += ", form: \(Self.template(dictionary(parameters["WFFormValues"])))"
        case "File":
          step +=
            ", body: \(Self.template("toText(\(expression(parameters["WFRequestVariable"]) ?? "null"))"))"
        default: step += ", json: \(Self.template(dictionary(parameters["WFJSONValues"])))"
        }
      }
      steps.add(step + ", check: false}")
      result("it.body", parameters)
    case "openurl":
      steps.add("- open-url: \(Self.template("toText(\(given(parameters, "WFInput")))"))")
    case "delay":
      let time = expression(parameters["WFDelayTime"]) ?? "1"
      steps.add("- wait: {for: \(Self.template("seconds(int(toNumber(\(time))))"))}")
    case "exit": steps.add("- return: \(Self.template("dyn(\(given(parameters, "WFResult")))"))")
    case "output": steps.add("- return: \(Self.template("dyn(\(given(parameters, "WFOutput")))"))")
    case "speaktext":
      steps.add(
        "- exec: {command: [spd-say, --wait, \(Self.template("toText(\(given(parameters, "WFText")))"))]}"
      )
      return (.approximated, "spoken by spd-say")
    case "gethtmlfromrichtext", "getrichtextfromhtml", "getmarkdownfromrichtext",
      "getrichtextfrommarkdown":
      result("toText(\(given(parameters, "WFInput", "WFHTML")))", parameters)
      return (.approximated, "text stays as it is")
    case "getwebpagecontents":
      steps.add(
        "- http: {url: \(Self.template("toText(\(given(parameters, "WFInput")))")), parse: text}")
      result("readable(it)", parameters)
    case "setitemname":
      result(given(parameters, "WFInput"), parameters)
      return (.approximated, "things have no names of their own")
    case "getitemname":
      result("toText(\(given(parameters, "WFInput")))", parameters)
      return (.approximated, "the name is its text")
    case "runworkflow":
      let called = words("WFWorkflowName")
      guard !called.isEmpty else { return (.notHere, "a shortcut that is not named") }
      steps.add("# It calls the shortcut “\(called)”, which is to be converted, too.")
      return (.notHere, "the shortcut “\(called)”")
    default: return (.notHere, "\(name) of Apple's app")
    }
    return (.translated, "")
  }
}
