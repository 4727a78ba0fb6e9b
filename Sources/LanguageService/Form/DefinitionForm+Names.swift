import Catalog
import Items
import Program
import Source
import YAML

/// The names of results, and names in words.
extension DefinitionForm {
  /// The name of a step's result, or the one that it would have; nil if it gives none.
  func name(of node: Node, _ card: FormCard, _ scope: [FormName]) -> FormName? {
    let given = node.mapping?["as"]?.scalar?.text
    let (word, call) = (card.word, node.mapping?[card.word])
    func argument(_ name: String) -> String? { call?.mapping?[name]?.scalar?.text }
    var (proposal, type): (String, DataType?) = (word.camelCased, nil)
    switch word {
    case "ask":
      proposal = Self.name(in: argument("prompt") ?? call?.scalar?.text ?? "") ?? "answer"
      type = DataType.parse(argument("type") ?? "string", values: nil) ?? .string
    case "choose": proposal = "choice"
    case "confirm": (proposal, type) = ("confirmed", .bool)
    case "find":
      let entity = argument("entity") ?? call?.scalar?.text ?? "item"
      proposal = entity.camelCased + "s"
      type = .list(.entity(entity))
      if argument("first") == "true" { (proposal, type) = (entity.camelCased, .entity(entity)) }
    case "get", "update": proposal = "item"
    case "create":
      let entity = argument("entity") ?? "item"
      (proposal, type) = (entity.camelCased, .entity(entity))
    case "http": proposal = "reply"
    case "exec": (proposal, type) = ("output", .string)
    case "paste": (proposal, type) = ("clipboard", .string)
    case "read-file": proposal = "content"
    case "find-files": proposal = "files"
    case "wrap": (proposal, type) = ("signedLink", .string)
    case "value": proposal = "value"
    default:
      guard let action = action(named: word) else {
        guard given != nil else { return nil }
        break
      }
      type = action.returns
    }
    if let given { return FormName(name: given, title: card.title, type: type) }
    if context.verbs.signature(named: word).map({ !$0.setsIt && $0.name != "confirm" }) ?? false {
      return nil
    }
    let name = proposal.numbered { name in
      names.contains(name) || scope.contains { $0.name == name }
        || context.catalog.isReserved(name)
    }
    return FormName(name: name, title: card.title, type: type, step: card.path)
  }

  mutating func addNames(in node: Node) {
    for entry in node.mapping?.entries ?? [] {
      if ["as", "for", "index"].contains(entry.key.text), let text = entry.value.scalar?.text {
        names.insert(text)
      }
      addNames(in: entry.value)
    }
    for item in node.sequence ?? [] { addNames(in: item) }
  }

  /// The last word of a question as a name, such as `tag` for “Which tag?”.
  static func name(in question: String) -> String? {
    let words = question.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    guard let last = words.last?.lowercased(), last.count > 1, last.first?.isLetter == true,
      !["it", "true", "false", "null", "in", "input", "error", "self", "vars"].contains(last)
    else { return nil }
    return last
  }

  /// A name such as `maxSize` in words.
  static func words(_ name: String) -> String {
    if name.contains(" ") { return name }
    var words = ""
    for letter in name.replacing("-", with: " ") {
      words += letter.isUppercase ? " " + letter.lowercased() : String(letter)
    }
    return words.prefix(1).uppercased() + words.dropFirst()
  }
}
