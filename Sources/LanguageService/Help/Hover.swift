import CEL
import Catalog
import Items
import Program
import Source
import YAML

/// Help for a word of a document.
package struct Hover {
  /// The help as Markdown.
  package let text: String
  /// The word.
  package let range: Range<Int>

  /// Finds help for the word at a byte offset; nil if there is none.
  package init?(_ index: DocumentIndex, at offset: Int) {
    if let (expression, place) = index.expression(at: offset),
      let word = ExpressionWord(expression, at: place, index.context), let text = word.help
    {
      self.text = text
      range = expression.source.span(of: word.token.range).range
      return
    }
    guard let site = index.site(at: offset), let text = Self.text(of: site, index) else {
      return nil
    }
    self.text = text
    range = site.scalar.span.range
  }

  private static func text(of site: Site, _ index: DocumentIndex) -> String? {
    let explainer = Explainer(index.context)
    let word = site.scalar.text
    switch site.role {
    case .key(let keys): return keys.first { $0.name == word }.map { explainer.text(of: $0) }
    case .stepKey(let others):
      let heads = others + [word]
      let block = Step.blocks.first { heads.contains($0[0].name) }
      if block?[0].name == word { return block.map { explainer.text(ofBlock: $0) } }
      let keys = (block ?? []) + Step.modifiers
      return keys.first { $0.name == word }.map { explainer.text(of: $0) } ?? call(word, explainer)
    case .step: return call(word, explainer)
    case .argument(let verb):
      return verb.arguments.first { $0.name == word }.map { explainer.text(of: $0, of: verb) }
    case .parameter(let action):
      return action.allParameters.first { $0.name.text == word }.map { explainer.text(of: $0) }
    case .property(let entity): return entity?.property(word).map { explainer.text(of: $0) }
    case .definitionName, .entity, .action: return explainer.text(ofDefinition: word)
    case .type:
      let name = DataType.parse(word)?.entityName
      return name.flatMap { explainer.text(ofDefinition: $0) }
        ?? DataType.parse(word).flatMap { type in type.facts.map { "`\(word)`: \($0.noun)" } }
    case .newName(.parameter):
      let action = (try? index.context.catalog.action(site.definition)) ?? nil
      return action?.allParameters.first { $0.name.text == word }.map { explainer.text(of: $0) }
    case .newName(.property):
      let entity = (try? index.context.catalog.entity(site.definition)) ?? nil
      return entity?.property(word).map { explainer.text(of: $0) }
    case .newName(.result), .newName(.loop), .newName(.variable), .assigned:
      return index.type(ofNameAt: site.scalar.span.range.lowerBound, word).map {
        "`\(word)`: `\($0.description)`"
      }
    case .sortKey(let entity):
      let name = SortKey(parsing: word).property
      return entity?.property(name).map { explainer.text(of: $0) }
    case .newName(.other), .choice, .expression, .value, .text: return nil
    }
  }

  private static func call(_ name: String, _ explainer: Explainer) -> String? {
    explainer.context.verbs.signature(named: name).map { explainer.text(of: $0) }
      ?? explainer.text(ofDefinition: name)
  }
}

extension DocumentIndex {
  /// The type of a name declared at an offset, as a later expression sees it.
  func type(ofNameAt offset: Int, _ name: String) -> DataType? {
    for expression in expressions {
      if let found = expression.name(name), found.declaration?.span.range.lowerBound == offset {
        return found.type
      }
    }
    return nil
  }
}

/// A token of an expression with its meaning.
struct ExpressionWord {
  let met: CompilationTrace.Expression
  let token: ExpressionToken
  /// The word.
  let text: String
  private let tokens: [ExpressionToken]
  private let position: Int
  private let context: CompilationContext

  /// Finds the token at an offset; nil if there is none.
  init?(_ met: CompilationTrace.Expression, at offset: Int, _ context: CompilationContext) {
    self.met = met
    self.context = context
    let source = met.source.text
    tokens = ExpressionToken.all(in: source)
    let found = tokens.lastIndex { $0.kind != .mark && $0.range.touches(offset) }
    guard let found else { return nil }
    position = found
    token = tokens[found]
    text = source.utf8Text(token.range)
  }

  /// The type of the part that ends with the word.
  var type: CELType? {
    met.checked?.parts.first { $0.range.upperBound == token.range.upperBound }?.type
  }

  /// The type of the operand of a field or method.
  var receiverType: CELType? {
    guard token.kind == .field || token.kind == .function, position > 0 else { return nil }
    var dot = tokens[position - 1].range
    guard met.source.text.utf8Text(dot).last == "." || met.source.text.utf8Text(dot) == "?" else {
      return nil
    }
    if position > 1, met.source.text.utf8Text(dot) == "?" { dot = tokens[position - 2].range }
    return met.checked?.parts.first { $0.range.upperBound == dot.lowerBound }?.type
  }

  /// The name of a function with its namespace, such as `math.abs`.
  private var functionName: String {
    var name = text
    var index = position
    while index >= 2, met.source.text.utf8Text(tokens[index - 1].range) == "." {
      name = met.source.text.utf8Text(tokens[index - 2].range) + "." + name
      index -= 2
    }
    return context.environment.functions(named: name).isEmpty ? text : name
  }

  /// The help on the word as Markdown.
  var help: String? {
    let explainer = Explainer(context)
    switch token.kind {
    case .function: return explainer.text(ofFunction: functionName)
    case .field:
      guard let type else { return nil }
      let head = "`\(text)`: `\(type)`"
      guard case .object(let name)? = receiverType?.present,
        let property = ((try? context.catalog.entity(name)) ?? nil)?.property(text)
      else { return head }
      return explainer.text(of: property)
    case .name:
      if text == "self", let entity = met.entity { return explainer.text(of: entity) }
      if let name = met.name(text) {
        let type = self.type.map { "\($0)" } ?? name.type?.description ?? "any"
        return "`\(text)`: `\(type)`" + kind(of: name)
      }
      if met.namesPropertiesBare, let property = met.entity?.property(text) {
        return explainer.text(of: property)
      }
      return type.map { "`\(text)`: `\($0)`" }
    case .keyword, .number, .string: return type.map { "`\($0)`" }
    case .mark: return nil
    }
  }

  private func kind(of name: VisibleName) -> String {
    let line = name.declaration.map { ", line \($0.span.position.line)" }.orEmpty
    switch name.kind {
    case .parameter where name.declaration == nil: return ""
    case .parameter: return " (parameter\(line))"
    case .result: return " (result of a step\(line))"
    case .loop: return " (variable of a loop\(line))"
    case .variable: return " (variable\(line))"
    }
  }
}
