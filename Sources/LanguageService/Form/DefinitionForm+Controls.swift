import Catalog
import Items
import Program
import Source
import YAML

/// The controls of fields, and the texts in them.
extension DefinitionForm {
  func action(named name: String) -> ActionDefinition? {
    (try? context.catalog.action(name)) ?? context.catalog.partialAction(name)
  }

  func entity(named name: String) -> EntityDefinition? {
    (try? context.catalog.entity(name)) ?? context.catalog.partialEntity(name)
  }

  func properties(of entity: EntityDefinition?) -> [FormName] {
    (entity?.properties ?? []).map { property in
      FormName(
        name: "self." + property.name.text,
        title: (property.title ?? Self.words(property.name.text)), type: property.type)
    }
  }

  func control(
    of argument: ArgumentDeclaration, _ entity: EntityDefinition?, _ scope: [FormName]
  ) -> FormField.Control {
    switch argument.kind {
    case .value(let type): control(of: type, argument.name)
    case .literal, .itemTemplate: .text
    case .filter: entity == nil ? .expression : .condition(properties(of: entity))
    case .entityName: .choice(entities)
    case .typeName: .choice(types)
    case .actionName:
      .choice(context.catalog.actionNames.map { ($0, action(named: $0)?.displayTitle ?? $0) })
    case .choice(let words): .choice(words.map { ($0, Self.words($0)) })
    case .fields: .map
    case .sortKeys: .list
    }
  }

  func control(of type: DataType?, _ name: String) -> FormField.Control {
    switch type?.unwrapped.base {
    case .int, .double: .number
    case .bool: .bool
    case .enumeration(let values): .choice(values.map { ($0, Self.words($0)) })
    case .list(.enumeration(let values)): .choices(values)
    case .list: .list
    case .map, .record: .map
    case .entity(let entity): .item(entity)
    case .date, .when, .timestamp, .duration: .words(type?.unwrapped.description ?? "")
    case .string, .any: ["text", "message", "body", "notes"].contains(name) ? .longText : .text
    default: .text
    }
  }

  /// The text of a value in a field; nil if the field cannot show it.
  static func text(_ node: Node, _ control: FormField.Control) -> String? {
    switch node.content {
    case .scalar(let scalar): return scalar.isNull ? "" : scalar.text
    case .sequence(let items):
      guard !items.contains(where: { $0.scalar == nil }) else { return flow(node) }
      switch control {
      case .list, .choices, .text:
        let texts = items.compactMap(\.scalar?.text)
        return texts.contains { $0.contains(",") || $0.isEmpty } || texts.isEmpty
          ? flow(node) : texts.joined(separator: ", ")
      default: return nil
      }
    case .mapping(let mapping):
      guard case .map = control else { return nil }
      let isPlain = mapping.entries.allSatisfy { entry in
        entry.value.scalar.map { !$0.text.contains("\n") } ?? false
      }
      guard isPlain else { return flow(node) }
      return mapping.entries.map { "\($0.key.text): \($0.value.scalar?.text ?? "")" }
        .joined(separator: "\n")
    }
  }

  /// The source of a value on one line; nil if it has several.
  static func flow(_ node: Node) -> String? {
    let text = node.span.text
    return text.contains("\n") || text.first.map { !"[{".contains($0) } ?? true ? nil : text
  }
}

/// The choices of what can be added.
extension DefinitionForm {
  /// The triggers, or the verbs, blocks, intents and shortcuts that can be added to a list, the most
  /// used first.
  package func choices(for list: String) -> [(word: String, title: String, help: String)] {
    func known(_ names: [String]) -> [(word: String, title: String, help: String)] {
      names.compactMap { name in StepWords.words(name).map { (name, $0.title, $0.help) } }
    }
    if list == "on" { return known(StepWords.triggers) }
    let verbs = context.verbs.names() + Step.blocks.map { $0[0].name }
    let actions = context.catalog.actionNames.filter { $0 != name }
    let own = actions.filter { !context.catalog.isBuiltIn($0) }
    let built = actions.filter(context.catalog.isBuiltIn)
    return known(StepWords.usual)
      + (own + built).compactMap { name in
        action(named: name).flatMap { action in
          action.kind.kind == .automation
            ? nil : (name, action.displayTitle, action.description ?? "")
        }
      } + known(verbs.filter { !StepWords.usual.contains($0) })
  }
}
