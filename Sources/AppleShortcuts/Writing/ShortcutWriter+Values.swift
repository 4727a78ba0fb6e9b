import CEL
import Catalog
import Source
import YAML

extension ShortcutWriter {
  /// A part of a text.
  enum Part {
    case text(String)
    case value(Reference)
  }

  /// A text with embedded values.
  func text(_ parts: [Part]) -> Value {
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

  /// A scalar as a text with embedded values.
  mutating func text(_ node: Node?) -> Value {
    guard let node else { return "" }
    guard let scalar = node.scalar, let template = try? Template(scalar: scalar) else {
      return value(node).map { text([.value($0)]) } ?? ""
    }
    return text(template)
  }

  /// A template as a text with embedded values.
  mutating func text(_ template: Template) -> Value {
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

  /// An expression as part of a text; nil if the app cannot express it.
  mutating func segment(_ expression: Expression) -> Part? {
    if case .literal(.string(let text)) = expression.kind { return .text(text) }
    return reference(expression).map { .value($0) }
  }

  /// A mapping as the fields of a dictionary.
  mutating func dictionary(_ map: Mapping) -> Value {
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

  /// The value of a node, computed by actions.
  mutating func value(_ node: Node) -> Reference? {
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

  /// The value of an expression, computed by actions; nil if the app cannot express it.
  mutating func reference(_ expression: Expression) -> Reference? {
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
    if name == "needed", arguments.count == 2, case .literal(.string(let need)) = arguments[1].kind
    {
      return missing[need]
    }
    if name == "valueFor", arguments.count == 2 {
      guard let dictionary = reference(first), let key = segment(arguments[1]) else { return nil }
      return .output(
        add(
          "getvalueforkey", [("WFInput", dictionary.attachment), ("WFDictionaryKey", text([key]))]))
    }
    guard arguments.count == 1, let value = reference(first) else { return nil }
    switch name {
    case "toText", "string", "toList", "toURL", "dyn", "toBytes": return value
    case "fromBase64":
      return .output(
        add("base64encode", [("WFInput", value.attachment), ("WFEncodeMode", "Decode")]))
    case "htmlToText", "htmlToMarkdown":
      return .output(
        add(
          name == "htmlToText" ? "detect.text" : "getmarkdownfromrichtext",
          [("WFInput", value.attachment)]))
    case "markdownToHtml":
      return .output(add("getrichtextfrommarkdown", [("WFInput", value.attachment)]))
    case "itemType": return .output(add("getitemtype", [("WFInput", value.attachment)]))
    case "contactCards": return .output(add("detect.contacts", [("WFInput", value.attachment)]))
    case "formatSize":
      return .output(add("format.filesize", [("WFFileSize", value.attachment)]))
    case "calculate":
      return .output(add("calculateexpression", [("Input", text([.value(value)]))]))
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
    func join(_ separator: Part) -> Reference {
      .output(
        add(
          "text.combine",
          [
            ("text", subject.attachment), ("WFTextSeparator", "Custom"),
            ("WFTextCustomSeparator", text([separator])),
          ]))
    }
    switch (name, words.count) {
    case ("join", 1): return join(words[0])
    case ("characters", 0):
      return .output(
        add(
          "text.split", [("text", subject.attachment), ("WFTextSeparator", "Every Character")]))
    case ("base64", 0):
      return .output(
        add("base64encode", [("WFInput", subject.attachment), ("WFBase64LineBreakMode", "None")]))
    case ("md5", 0), ("sha1", 0), ("sha256", 0), ("sha512", 0):
      return .output(
        add("hash", [("WFInput", subject.attachment), ("WFHashType", .string(name.uppercased()))]))
    case ("urlDecode", 0):
      return .output(
        add("urlencode", [("WFInput", text([.value(subject)])), ("WFEncodeMode", "Decode")]))
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

  /// A property list dictionary in the given order.
  static func plist(_ entries: KeyValuePairs<String, Value>) -> Value {
    var map = MapValue()
    for (key, value) in entries { map[key] = value }
    return .map(map)
  }
}

extension String {
  /// The text without surrounding spaces.
  var trimmed: String {
    var text = drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
