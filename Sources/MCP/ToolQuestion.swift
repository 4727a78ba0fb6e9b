import ErrandKit

/// A question to the person, in the form of an elicitation.
struct ToolQuestion {
  /// The text of the question.
  let message: String
  /// The answer as a JSON Schema.
  let answer: JSONValue

  /// Creates the question of an `ask`, `choose` or `confirm` event.
  init(_ event: RunHandle.Event) {
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
      answer =
        switch type {
        case "int", "int?": ["type": "integer"]
        case "double", "double?": ["type": "number"]
        case "bool", "bool?": ["type": "boolean"]
        default: ["type": "string"]
        }
    }
    message = ([prompt] + notes).joined(separator: "\n")
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
