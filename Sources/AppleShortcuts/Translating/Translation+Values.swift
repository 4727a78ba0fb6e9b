import CEL
import JSON

extension Translation {
  /// The value of a parameter; nil if it is missing.
  mutating func value(_ value: Value?) -> Code? {
    switch value {
    case .string(let text)?: return .text(text)
    case .int(let number)?: return .int(number)
    case .double(let number)?:
      return number == number.rounded() && number.magnitude < 1e15
        ? .int(Int64(number)) : .number(number)
    case .bool(let flag)?: return .flag(flag)
    case .timestamp(let moment)?: return .cel("timestamp(\(.text(moment.jsonText)))", .date)
    case .list(let values)?: return .list(values.compactMap { self.value($0) })
    case .map(let map)?: return self.value(map)
    default: return nil
    }
  }

  private mutating func value(_ map: MapValue) -> Code? {
    let kind: String = if case .string(let kind)? = map["WFSerializationType"] { kind } else { "" }
    if let inner = map["Value"], !kind.isEmpty || map["Type"] == nil {
      switch (kind, inner) {
      case ("WFTextTokenAttachment", .map(let token)): return attachment(token)
      case ("WFDictionaryFieldValue", .map(let fields)): return dictionary(fields)
      default: return value(inner)
      }
    }
    if case .map(let inner)? = map["Variable"] { return value(inner) }
    if case .string(let text)? = map["string"] { return tokens(text, map["attachmentsByRange"]) }
    if map["WFDictionaryFieldValueItems"] != nil { return dictionary(map) }
    if map["WFItemType"] != nil { return field(map) }
    if map["Type"] != nil { return attachment(map) }
    if map["Magnitude"] != nil { return quantity(map) }
    if case .string(let path)? = map["relativeSubpath"] { return .text(path) }
    if case .map(let location)? = map["fileLocation"], let path = location["relativeSubpath"] {
      return value(path)
    }
    if case .string(let name)? = map["filename"] { return .text(name) }
    if case .string(let name)? = map["DisplayString"] ?? map["displayName"] { return .text(name) }
    return nil
  }

  /// A quantity as a text such as `5 km`.
  private mutating func quantity(_ map: MapValue) -> Code? {
    guard let magnitude = value(map["Magnitude"]) else { return nil }
    guard case .string(let unit)? = map["Unit"], !unit.isEmpty else { return magnitude }
    return .joined([magnitude.asText, .text(" " + unit)])
  }

  /// A text with embedded values; offsets count UTF-16 code units.
  private mutating func tokens(_ text: String, _ ranges: Value?) -> Code {
    var attachments: [(place: Int, code: Code)] = []
    if case .map(let ranges)? = ranges {
      for entry in ranges.entries {
        let digits = entry.key.text.drop { !$0.isNumber }.prefix { $0.isNumber }
        guard let place = Int(digits), case .map(let token) = entry.value else { continue }
        attachments.append((place, value(token) ?? .nothing))
      }
    }
    if attachments.isEmpty { return .text(text) }
    attachments.sort { $0.place < $1.place }
    let units = Array(text.utf16)
    // A value without surrounding text keeps its type.
    if attachments.count == 1, units.count == 1 { return attachments[0].code }
    var parts: [Code] = []
    var start = 0
    for (place, code) in attachments where place >= start && place < units.count {
      if place > start {
        parts.append(.text(String(decoding: units[start..<place], as: UTF16.self)))
      }
      let contents = contents(code)
      parts.append(contents.asText)
      start = place + 1
    }
    if start < units.count {
      parts.append(.text(String(decoding: units[start...], as: UTF16.self)))
    }
    return .joined(parts)
  }

  /// A value known only at run time.
  private mutating func attachment(_ token: MapValue) -> Code? {
    func text(_ key: String) -> String {
      if case .string(let text)? = token[key] { text } else { "" }
    }
    var code: Code
    switch text("Type") {
    case "ActionOutput":
      let name = text("OutputName")
      code = hasOutput(text("OutputUUID"), name: name.isEmpty ? "output" : name)
    case "Variable":
      if case .map(let inner)? = token["Variable"] { return attachment(inner) }
      code = named(text("VariableName"))
    case "ExtensionInput": code = given
    case "CurrentDate": code = .cel("now()", .date)
    case "Clipboard": code = local("paste", [], .text, name: "clipboard")
    case "Ask":
      let prompt = text("Prompt")
      code = local(
        "ask", [(nil, .text(prompt.isEmpty ? "What is the value?" : prompt))], .text, name: "answer"
      )
    case "DeviceDetails": code = device(token)
    default: return nil
    }
    if case .list(let changes)? = token["Aggrandizements"] {
      for case .map(let change) in changes { code = changed(code, change) }
    }
    return code
  }

  /// A detail of this device.
  private func device(_ token: MapValue) -> Code {
    var detail = "Device Name"
    if case .list(let changes)? = token["Aggrandizements"] {
      for case .map(let change) in changes {
        if case .string(let name)? = change["PropertyName"] { detail = name }
      }
    }
    return DeviceActions.detail(detail) ?? .text("")
  }

  /// A value after one of Apple's conversions: a coercion, a property, a dictionary key, a date
  /// format.
  private mutating func changed(_ code: Code, _ change: MapValue) -> Code {
    func text(_ key: String) -> String {
      if case .string(let text)? = change[key] { text } else { "" }
    }
    switch text("Type") {
    case "WFCoercionVariableAggrandizement":
      return coerced(code, text("CoercionItemClass"))
    case "WFDictionaryValueVariableAggrandizement":
      let key = value(change["DictionaryKey"]) ?? .text("")
      return .cel("valueFor(\(contents(code)), \(key.asText))", .any)
    case "WFPropertyVariableAggrandizement":
      return ItemProperties.value(text("PropertyName"), of: code, &self) ?? code
    case "WFDateFormatVariableAggrandizement":
      return DateActions.formatted(code, style: change) ?? code.asText
    case "WFUnitVariableAggrandizement", "WFNumberFormatVariableAggrandizement": return code
    default: return code
    }
  }

  private mutating func coerced(_ code: Code, _ kind: String) -> Code {
    switch kind {
    case "WFDictionaryContentItem": return contents(code).asDictionary
    case "WFNumberContentItem": return contents(code).asNumber
    case "WFBooleanContentItem": return .cel("\(contents(code).asNumber) != 0.0", .flag)
    case "WFStringContentItem", "WFRichTextContentItem", "WFURLContentItem":
      return contents(code).asText
    case "WFDateContentItem": return contents(code).asDate
    case "WFContactContentItem":
      if traits(code)?.form == .contact { return code }
      let cards = local(.cel("contactCards(\(contents(code)))", .list), name: "contacts")
      if case .slot(let slot) = cards { table.slots[slot].form = .contact }
      return cards
    default: return code
    }
  }

  // MARK: Dictionaries

  /// The entries of a dictionary, in order.
  mutating func entries(_ value: Value?) -> [(key: Code, value: Code)] {
    var fields: [Value] = []
    var value = value
    while case .map(let map)? = value {
      if case .list(let list)? = map["WFDictionaryFieldValueItems"] { fields = list }
      value = map["Value"]
    }
    var entries: [(key: Code, value: Code)] = []
    var places: [String: Int] = [:]
    for case .map(let item) in fields {
      let key = self.value(item["WFKey"])?.asText ?? .text("")
      let value = field(item) ?? .text("")
      // The last of several equal keys wins.
      let text = key.literal
      if let text, let place = places[text] {
        entries[place].value = value
      } else {
        if let text { places[text] = entries.count }
        entries.append((key, value))
      }
    }
    return entries
  }

  private mutating func dictionary(_ map: MapValue) -> Code { .dictionary(entries(.map(map))) }

  /// The value of a field: a text, a dictionary, a list, a number or a Boolean.
  mutating func field(_ item: MapValue) -> Code? {
    let kind: Int64 = if case .int(let kind)? = item["WFItemType"] { kind } else { 0 }
    let given = item["WFValue"]
    switch kind {
    case 1: return .dictionary(entries(given))
    case 2:
      var values = given
      while case .map(let map)? = values { values = map["Value"] }
      guard case .list(let list)? = values else { return .list([]) }
      return .list(list.compactMap { value($0) })
    case 3:
      guard let code = value(given) else { return .int(0) }
      if let text = code.literal, let number = Int64(text) { return .int(number) }
      return code.asNumber
    case 4:
      guard let code = value(given) else { return .flag(false) }
      switch code {
      case .flag: return code
      case .int(let number): return .flag(number != 0)
      default: return .cel("\(code.asNumber) != 0.0", .flag)
      }
    default:
      guard let code = value(given) else { return .text("") }
      if case .map(let map)? = given,
        case .string("WFTextTokenString")? = map["WFSerializationType"]
      {
        return contents(code).asText
      }
      return code
    }
  }
}
