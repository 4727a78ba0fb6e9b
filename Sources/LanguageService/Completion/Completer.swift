import CEL
import Catalog
import Items
import Program
import Source
import YAML

/// Finds completions at an offset.
package struct Completer {
  private let bytes: [UInt8]
  private let offset: Int
  private let probe: Probe
  private let explainer: Explainer

  /// Creates a completer for an offset of a text; nil if the text cannot be analysed.
  package init?(_ bytes: [UInt8], at offset: Int, index: ([UInt8]) -> DocumentIndex?) {
    guard let probe = Probe(bytes, at: offset, index: index) else { return nil }
    self.bytes = bytes
    self.offset = offset
    self.probe = probe
    explainer = Explainer(probe.index.context)
  }

  private var context: CompilationContext { probe.index.context }

  /// The range of the word to replace.
  package var range: Range<Int> {
    var start = offset
    let takesDash = probe.expression == nil
    while start > 0, Probe.isWordByte(bytes[start - 1]) || takesDash && bytes[start - 1] == 0x2D,
      // The dash before a step is not part of its word.
      !(bytes[start - 1] == 0x2D
        && (start < 2 || bytes[start - 2] == 0x20 || bytes[start - 2] == 0x0A))
    { start -= 1 }
    let end = bytes[offset...].firstIndex { !Probe.isWordByte($0) } ?? bytes.count
    return start..<end
  }

  /// The completions.
  package var items: [CompletionItem] {
    if let (expression, offset) = probe.expression {
      return ExpressionCompleter(expression, offset, context).items
    }
    return probe.site.map(items) ?? []
  }

  // MARK: YAML

  /// Whether the word is followed by a colon.
  private var hasColon: Bool {
    range.upperBound < bytes.count && bytes[range.upperBound] == UInt8(ascii: ":")
  }

  private func items(at site: Site) -> [CompletionItem] {
    let present = Set(site.mapping?.entries.map(\.key.text) ?? [])
    switch site.role {
    case .key(let keys): return keys.filter { !present.contains($0.name) }.map { item($0) }
    case .stepKey(let others): return stepItems(others)
    case .step: return calls
    case .argument(let verb):
      return verb.arguments.filter { !present.contains($0.name) }.map { argument in
        var item = key(argument.name, .argument)
        item.detail = argument.kind.wording
        item.help = explainer.text(of: argument, of: verb)
        item.group = argument.isRequired ? 0 : 1
        return item
      }
    case .parameter(let action):
      return action.allParameters.filter { !present.contains($0.name.text) && !$0.isTrigger }
        .map { parameter in
          var item = key(parameter.name.text, .parameter)
          item.detail = parameter.type.description
          item.help = explainer.text(of: parameter)
          item.group = parameter.isRequired ? 0 : 1
          return item
        }
    case .property(let entity):
      return (entity?.properties ?? []).filter { !present.contains($0.name.text) }.map { property in
        var item = key(property.name.text, .property)
        item.detail = property.type.description
        item.help = explainer.text(of: property)
        return item
      }
    case .choice(let words): return words.map { CompletionItem($0, .value) }
    case .type: return types
    case .entity: return context.catalog.entityNames.map { definition($0, .entity) }
    case .action: return context.catalog.actionNames.map { definition($0, .action) }
    case .sortKey(let entity):
      return (entity?.sortableNames ?? []).map { CompletionItem($0, .property) }
    case .definitionName, .newName, .assigned, .expression, .value, .text: return []
    }
  }

  private func item(_ declaration: KeyDeclaration) -> CompletionItem {
    var item = key(declaration.name, .key, isOpen: declaration.form.isCollection)
    item.detail = declaration.summary
    item.help = explainer.text(of: declaration)
    item.group = declaration.isRequired ? 0 : 1
    return item
  }

  /// A key with its colon; `isOpen` if its value begins on the next line.
  private func key(_ name: String, _ kind: CompletionItem.Kind, isOpen: Bool = false)
    -> CompletionItem
  {
    var item = CompletionItem(name, kind)
    if !hasColon { item.insert = isOpen ? name + ":" : name + ": " }
    return item
  }

  /// Keys of a step besides others.
  private func stepItems(_ others: [String]) -> [CompletionItem] {
    let modifiers = Step.modifiers.filter { !others.contains($0.name) }.map { item($0) }
    let heads = others.filter { other in !Step.modifiers.contains { $0.name == other } }
    if heads.isEmpty { return calls + modifiers }
    let block = Step.blocks.first { heads.contains($0[0].name) } ?? []
    return block.filter { !others.contains($0.name) }.map { item($0) } + modifiers
  }

  /// Verbs, blocks and actions, which begin a step.
  private var calls: [CompletionItem] {
    let verbs = context.verbs.names().map { name in
      let takesNothing = context.verbs.signature(named: name)?.arguments.isEmpty == true
      var item = takesNothing ? CompletionItem(name, .verb) : key(name, .verb)
      item.subject = .verb(name)
      return item
    }
    let blocks = Step.blocks.map { block in
      var item = key(block[0].name, .block, isOpen: block[0].form.isCollection)
      item.detail = block[0].summary
      item.help = explainer.text(ofBlock: block)
      return item
    }
    let actions = context.catalog.actionNames.map { name in
      var item = definition(name, .action)
      item.group = 2
      if !hasColon, (try? context.catalog.action(name))??.primaryParameter != nil {
        item.insert = name + ": "
      }
      return item
    }
    return verbs + blocks + actions
  }

  private func definition(_ name: String, _ kind: CompletionItem.Kind) -> CompletionItem {
    var item = CompletionItem(name, kind)
    item.subject = .definition(name)
    return item
  }

  private var types: [CompletionItem] {
    var items = DataType.simple.map { type in
      var item = CompletionItem(type.description, .type)
      item.detail = type.facts?.noun
      return item
    }
    items.append(CompletionItem("enum", .type))
    for word in ["list", "map"] {
      var item = CompletionItem(word + "<>", .type)
      item.insert = word + "<"
      item.snippet = word + "<$0>"
      items.append(item)
    }
    return items + context.catalog.entityNames.map { definition($0, .entity) }
  }
}

extension ValueForm {
  /// Whether the value is usually a block below its key.
  var isCollection: Bool {
    switch self {
    case .steps, .names, .mapping: true
    case .either(let forms): forms.contains { $0.isCollection }
    case .list(let form): form.isCollection
    default: false
    }
  }
}
