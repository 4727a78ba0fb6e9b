import CEL
import Catalog
import Items
import Program
package import Source
import YAML

extension DocumentIndex {
  /// The place where a thing is named at a byte offset; nil where none is.
  package func occurrence(at offset: Int) -> Occurrence? {
    occurrences.filter { $0.span.range.touches(offset) }
      .min { $0.span.range.count < $1.span.range.count }
  }

  /// The declaration of a symbol, also in another file; nil if there is none.
  package func declaration(of symbol: Symbol) -> Span? {
    let catalog = context.catalog
    func action(_ name: String) -> ActionDefinition? {
      (try? catalog.action(name)) ?? catalog.partialAction(name)
    }
    func entity(_ name: String) -> EntityDefinition? {
      (try? catalog.entity(name)) ?? catalog.partialEntity(name)
    }
    switch symbol {
    case .definition(let name): return action(name)?.name.span ?? entity(name)?.name.span
    case .parameter(let owner, let name):
      return action(owner)?.allParameters.first { $0.name.text == name }?.name.span
    case .property(let owner, let name): return entity(owner)?.property(name)?.name.span
    case .local: return occurrences.first { $0.symbol == symbol && $0.isDeclaration }?.span
    }
  }

  /// All places in the file where things are named.
  ///
  /// - Complexity: O(bytes) and a compilation of the file's definitions.
  func findOccurrences() -> [Occurrence] {
    var finder = OccurrenceFinder(self)
    for site in sites { finder.add(site) }
    for assignment in trace.assignments where assignment.name.span.file === file {
      finder.add(assignment)
    }
    for expression in expressions { finder.add(expression) }
    return finder.found
  }
}

/// Gathers the places in a file where things are named, each once.
private struct OccurrenceFinder {
  private let index: DocumentIndex
  private(set) var found: [Occurrence] = []
  private var seen: Set<Range<Int>> = []
  /// The parameters by the offsets at which they are declared.
  private var parameters: [Int: Symbol] = [:]
  /// The results by their names, for the keys of answers.
  private var results: [String: [Symbol]] = [:]

  init(_ index: DocumentIndex) { self.index = index }

  private mutating func add(_ symbol: Symbol, at span: Span, isDeclaration: Bool = false) {
    guard span.file === index.file, span.text.hasSuffix(symbol.name),
      seen.insert(span.range).inserted
    else { return }
    found.append(Occurrence(symbol: symbol, span: span, isDeclaration: isDeclaration))
  }

  // MARK: Scalars

  mutating func add(_ site: Site) {
    let scalar = site.scalar
    let word = scalar.text
    switch site.role {
    case .definitionName: add(.definition(word), at: scalar.name, isDeclaration: true)
    case .step, .stepKey: add(call: scalar)
    case .entity, .action:
      if index.defines(word) { add(.definition(word), at: scalar.name) }
    case .type: add(type: scalar)
    case .parameter(let action):
      add(.parameter(of: action.name.text, word), at: scalar.name)
    case .newName(.parameter):
      let symbol = Symbol.parameter(of: site.definition, word)
      parameters[scalar.span.range.lowerBound] = symbol
      add(symbol, at: scalar.name, isDeclaration: true)
    case .newName(.property):
      add(.property(of: site.definition, word), at: scalar.name, isDeclaration: true)
    case .property(let entity?): add(.property(of: entity.name.text, word), at: scalar.name)
    case .sortKey(let entity?):
      let name = SortKey(parsing: word).property
      guard entity.property(name) != nil else { return }
      add(
        .property(of: entity.name.text, name), at: scalar.part(word.hasPrefix("-") ? 1 : 0, name))
    case .newName(.result), .newName(.loop), .newName(.variable):
      let symbol = local(scalar)
      add(symbol, at: scalar.name, isDeclaration: true)
      results[word, default: []].append(symbol)
    case .assigned:
      // One that another `set` declared is found by the compilation.
      guard !index.trace.assignments.contains(where: { $0.name.isSame(as: scalar) }) else { return }
      add(local(scalar), at: scalar.name, isDeclaration: true)
    case .newName(.other): addAnswer(scalar)
    case .key(let keys) where word == "input" && keys.contains { $0.name == "steps" }:
      let symbol = Symbol.parameter(of: site.definition, word)
      parameters[scalar.span.range.lowerBound] = symbol
      add(symbol, at: scalar.name, isDeclaration: true)
    case .key, .argument, .property, .sortKey, .choice, .expression, .value, .text: break
    }
  }

  private func local(_ declaration: Scalar) -> Symbol {
    let offset = declaration.span.range.lowerBound
    return parameters[offset]
      ?? .local(file: declaration.span.file.name, offset: offset, declaration.text)
  }

  private mutating func add(call: Scalar) {
    let name = call.text
    guard index.context.verbs.row(name) == nil, !ReservedWord.heads.contains(name),
      !ReservedWord.modifiers.contains(name), index.defines(name)
    else { return }
    add(.definition(name), at: call.name)
  }

  private mutating func add(type scalar: Scalar) {
    guard let name = DataType.parse(scalar.text)?.entityName, index.defines(name),
      let offset = scalar.text.utf8Offset(of: name)
    else { return }
    add(.definition(name), at: scalar.part(offset, name))
  }

  /// A key of `answers` that is the name of a result.
  private mutating func addAnswer(_ scalar: Scalar) {
    guard let symbols = results[scalar.text], symbols.count == 1 else { return }
    add(symbols[0], at: scalar.name)
  }

  mutating func add(_ assignment: CompilationTrace.Assignment) {
    add(local(assignment.declaration), at: assignment.name.name)
  }

  // MARK: Expressions

  mutating func add(_ met: CompilationTrace.Expression) {
    guard let parsed = try? Expression.parse(met.source.text) else { return }
    for free in index.context.environment.freeNames(of: parsed) {
      if let declaration = met.name(free.name)?.declaration {
        add(symbol(of: declaration), at: met.source.span(of: free.range))
      } else if met.namesPropertiesBare, let entity = met.entity, entity.property(free.name) != nil
      {
        add(.property(of: entity.name.text, free.name), at: met.source.span(of: free.range))
      }
    }
    add(fieldsIn: parsed, met)
  }

  /// The parameter or variable of a declaration, which may be elsewhere in the file.
  private func symbol(of declaration: Scalar) -> Symbol { local(declaration) }

  private mutating func add(fieldsIn expression: Expression, _ met: CompilationTrace.Expression) {
    if case .select(let operand, let field, _) = expression.kind {
      let end = expression.range.upperBound
      let span = met.source.span(of: end - field.utf8.count..<end)
      if case .identifier("vars", _) = operand.kind, met.name("vars") == nil {
        if let declaration = met.name(field)?.declaration { add(local(declaration), at: span) }
      } else if case .object(let name)? = met.checked?.parts
        .first(where: { $0.range == operand.range })?.type.present,
        ((try? index.context.catalog.entity(name)) ?? nil)?.property(field) != nil
      {
        add(.property(of: name, field), at: span)
      }
    }
    expression.kind.forEachPart { add(fieldsIn: $0, met) }
  }
}

extension DocumentIndex {
  /// Whether a name is that of a definition in reach.
  fileprivate func defines(_ name: String) -> Bool {
    context.catalog.place(ofAction: name) != nil || context.catalog.layer(ofEntity: name) != nil
  }
}

extension Scalar {
  /// The place of the name, without quotes.
  fileprivate var name: Span { part(0, text) }

  /// The place of a part of the text.
  fileprivate func part(_ offset: Int, _ text: String) -> Span {
    span(of: offset..<offset + text.utf8.count)
  }

  fileprivate func isSame(as other: Scalar) -> Bool { span.range == other.span.range }
}
