import CEL

/// The questions that Apple's app asks when a shortcut is added; they become parameters.
struct ImportQuestions {
  /// A question.
  struct Question {
    /// The name of the parameter.
    let name: String
    /// The name of the variable that holds the answer in the actions.
    let variable: String
    let prompt: String
    let standard: String
  }

  private(set) var questions: [Question] = []
  /// The actions, whose parameters refer to the answers.
  private(set) var actions: [ActionTree.Action]

  init(_ file: ShortcutFile) {
    let beginning = "is.workflow.actions."
    actions = file.actions.enumerated().map { index, action in
      let name =
        action.identifier.hasPrefix(beginning)
        ? String(action.identifier.dropFirst(beginning.count)) : action.identifier
      return ActionTree.Action(
        index: index, name: name, parameters: action.parameters, identifier: action.identifier)
    }
    var seen: Set<String> = ["input"]
    for question in file.importQuestions.prefix(100) {
      guard question.action >= 0, question.action < actions.count,
        actions[question.action].name != "comment", !question.parameter.isEmpty
      else { continue }
      // Only a text can be asked for; a list or a dictionary is kept.
      let current = actions[question.action].parameters[question.parameter]
      if case .map(let map)? = current, actions[question.action].word(question.parameter) == nil {
        guard case .string(let kind)? = map["WFSerializationType"], kind.hasPrefix("WFTextToken")
        else { continue }
      }
      if case .list? = current { continue }
      var standard = question.standard
      if standard.isEmpty { standard = actions[question.action].word(question.parameter) ?? "" }
      let base = SlotNames.identifier(Self.word(of: question.text))
      var name = base
      var count = 2
      while !seen.insert(name.lowercased()).inserted {
        name = "\(base)\(count)"
        count += 1
      }
      let variable = "\u{0}\(name)"
      questions.append(
        Question(name: name, variable: variable, prompt: question.text, standard: standard))
      var token = MapValue()
      token["Type"] = .string("Variable")
      token["VariableName"] = .string(variable)
      var value = MapValue()
      value["Value"] = .map(token)
      value["WFSerializationType"] = .string("WFTextTokenAttachment")
      actions[question.action].parameters[question.parameter] = .map(value)
    }
  }

  /// The words of a question that name the requested value.
  private static func word(of text: String) -> String {
    let small: Set = [
      "what", "is", "are", "the", "your", "please", "enter", "a", "an", "of", "do", "you", "want",
      "to", "which", "type",
      "in", "here", "set", "add", "choose", "select", "for", "this", "that", "should", "be", "name",
    ]
    let words = text.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.map { $0.lowercased() }
    let kept = words.filter { !small.contains($0) && $0.count > 1 }
    return (kept.isEmpty ? ["answer"] : Array(kept.prefix(3))).joined(separator: " ")
  }
}
