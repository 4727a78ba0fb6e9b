import ErrandKit

/// A question to the person, in the form of an elicitation.
struct ToolQuestion {
  /// The text of the question.
  let message: String
  /// The answer as a JSON Schema.
  private(set) var answer: JSONValue

  /// Creates the question of an `ask`, `choose` or `confirm` event.
  ///
  /// - Parameter parameter: The parameter that it asks for; nil for a question of a step.
  init(_ event: RunHandle.Event, for parameter: Errand.Parameter? = nil) {
    let prompt = event["prompt"]?.string ?? ""
    var notes: [String] = []
    if let problem = event["problem"]?.string { notes.append(problem) }
    switch event.name {
    case "confirm":
      if event["danger"]?.bool == true { notes.append("This cannot be undone.") }
      answer = ["type": "boolean", "title": "Yes"]
    case "choose":
      let choices: [JSONValue] = (event["choices"]?.array ?? []).map { choice in
        let title = [choice["title"]?.string, choice["subtitle"]?.string].compactMap { $0 }
          .filter { !$0.isEmpty }
        return [
          "const": .string("\(choice["number"]?.int ?? 0)"),
          "title": .string(title.joined(separator: " · ")),
        ]
      }
      answer =
        event["many"]?.bool == true
        ? ["type": "array", "items": ["anyOf": .array(choices)]]
        : ["type": "string", "oneOf": .array(choices)]
    default:
      let type = event["type"]?.string ?? "string"
      if type.hasPrefix("list<") { notes.append("Separate several by commas.") }
      if let suggestions = event["suggestions"]?.array?.compactMap(\.string), !suggestions.isEmpty {
        notes.append("Such as: " + suggestions.prefix(10).joined(separator: ", "))
      }
      if let value = event["default"]?.string { notes.append("Default: \(value)") }
      answer = Self.answer(type, event["default"]?.string, parameter)
    }
    message = ([prompt] + notes).joined(separator: "\n")
    if case .object(var members) = answer, members["title"] == nil {
      members["title"] = (parameter?.title ?? event["key"]?.string).map(JSONValue.string)
      answer = .object(members)
    }
  }

  /// The schema of an answer of a type, refined by the schema of the parameter.
  private static func answer(
    _ type: String, _ offered: String?, _ parameter: Errand.Parameter?
  ) -> JSONValue {
    let known = parameter?.schema.withoutUnions
    var members: [String: JSONValue] = ["type": "string"]
    var value = offered.map(JSONValue.string)
    switch type.hasSuffix("?") ? String(type.dropLast()) : type {
    case "int":
      members["type"] = "integer"
      value = offered.flatMap { Int64($0) }.map(JSONValue.int)
    case "double":
      members["type"] = "number"
      value = offered.flatMap { Double($0) }.map(JSONValue.double)
    case "bool":
      members["type"] = "boolean"
      value = offered.map { .bool($0 == "true") }
    case "url": members["format"] = "uri"
    case "date": (members["format"], value) = ("date", nil)
    case "timestamp": (members["format"], value) = ("date-time", nil)
    default: break
    }
    let words = ["description", "enum", "minimum", "maximum", "minLength", "maxLength"]
    if known?["type"] == members["type"] { for word in words { members[word] = known?[word] } }
    members["default"] = value
    return .object(members)
  }

  /// Creates a yes-or-no question that a run does not ask itself.
  init(confirming message: String) {
    self.message = message
    answer = ["type": "boolean", "title": "Yes"]
  }

  /// The parameters of `elicitation/create`.
  var parameters: JSONValue {
    [
      "mode": "form", "message": .string(message),
      "requestedSchema": [
        "type": "object", "properties": ["answer": answer], "required": ["answer"],
      ],
    ]
  }

  /// Returns the answer in a client's result; nil if the person left.
  static func answer(in result: JSONValue?) -> JSONValue? {
    guard result?["action"]?.string == "accept" else { return nil }
    return result?["content"]?["answer"] ?? .null
  }

  /// Returns the answer in the form that a run expects: choices by number.
  static func value(of answer: JSONValue, to event: RunHandle.Event) -> JSONValue {
    guard event.name == "choose" else { return answer }
    func number(_ choice: JSONValue) -> JSONValue {
      choice.string.flatMap { Int64($0) }.map(JSONValue.int) ?? choice
    }
    return answer.array.map { .array($0.map(number)) } ?? number(answer)
  }
}
