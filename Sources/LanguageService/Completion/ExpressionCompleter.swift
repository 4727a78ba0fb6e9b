import CEL
import Catalog
import Items
import Program
import Source
import YAML

/// Finds completions in an expression.
struct ExpressionCompleter {
  private let met: CompilationTrace.Expression
  /// The offset of the word in the text.
  private let offset: Int
  private let context: CompilationContext
  private let text: String

  init(_ met: CompilationTrace.Expression, _ offset: Int, _ context: CompilationContext) {
    self.met = met
    self.offset = offset
    self.context = context
    text = met.source.text
  }

  var items: [CompletionItem] {
    let parsed = try? Expression.parse(text)
    if let values = parsed.flatMap(enumeration) { return values }
    let before = Array(text.utf8.prefix(offset))
    if isInString(before) { return [] }
    let start = before.lastIndex { !Probe.isWordByte($0) }.map { $0 + 1 } ?? 0
    guard start > 0,
      before[start - 1] == UInt8(ascii: ".") || before[..<start].suffix(2) == [0x2E, 0x3F]
    else { return names }
    let dot = before[start - 1] == UInt8(ascii: ".") ? start - 1 : start - 2
    let receiver = self.receiver(endingAt: dot, in: before)
    if receiver == "vars" { return met.names.map(item) }
    let qualified = receiver.map { $0 + "." } ?? ""
    let functions = context.environment.functionNames.filter { $0.hasPrefix(qualified) }
    if !qualified.isEmpty, !functions.isEmpty {
      return functions.map { name in
        function(name, label: String(name.dropFirst(qualified.count)), isMethod: false)
      }
    }
    let type =
      parsed.flatMap { selected(in: $0) } ?? receiver.flatMap { met.check($0, context)?.type }
    return type.map(members) ?? []
  }

  // MARK: Places

  private func isInString(_ text: [UInt8]) -> Bool {
    var quote: UInt8?
    for byte in text where byte == 0x27 || byte == 0x22 {
      if quote == nil { quote = byte } else if quote == byte { quote = nil }
    }
    return quote != nil
  }

  /// The type of the operand before the dot.
  private func selected(in expression: Expression) -> CELType? {
    var found: CELType?
    func visit(_ part: Expression) {
      let operand: Expression?
      switch part.kind {
      case .select(let whole, let field, _) where field.contains(Probe.word): operand = whole
      case .call(let name, let whole?, _, _) where name.contains(Probe.word): operand = whole
      default: operand = nil
      }
      if let operand { found = type(at: operand.range) }
      part.kind.forEachPart(visit)
    }
    visit(expression)
    return found
  }

  private func type(at range: Range<Int>) -> CELType? {
    met.checked?.parts.first { $0.range == range }?.type
  }

  /// Values of the enumeration that is compared with the word.
  private func enumeration(in expression: Expression) -> [CompletionItem]? {
    var found: [String]?
    func visit(_ part: Expression) {
      if case .binary(_, let left, let right) = part.kind {
        for (one, other) in [(left, right), (right, left)] {
          guard case .literal(.string(let text)) = one.kind, text.contains(Probe.word),
            case .enumeration(let values)? = type(at: other.range)?.present
          else { continue }
          found = values
        }
      }
      part.kind.forEachPart(visit)
    }
    visit(expression)
    return found?.map { CompletionItem($0, .value) }
  }

  /// The operand that ends at a dot, such as `link` or `links.filter(l, l.isRead)`.
  private func receiver(endingAt dot: Int, in text: [UInt8]) -> String? {
    var start = dot
    var depth = 0
    while start > 0 {
      let byte = text[start - 1]
      if [UInt8(ascii: ")"), UInt8(ascii: "]")].contains(byte) {
        depth += 1
      } else if [UInt8(ascii: "("), UInt8(ascii: "[")].contains(byte) {
        if depth == 0 { break }
        depth -= 1
      } else if depth == 0, !Probe.isWordByte(byte), byte != UInt8(ascii: ".") {
        break
      }
      start -= 1
    }
    return start < dot ? String(decoding: text[start..<dot], as: UTF8.self) : nil
  }

  // MARK: Items

  private func item(_ name: VisibleName) -> CompletionItem {
    var item = CompletionItem(name.name, .variable)
    item.detail = name.type?.description
    item.group = 0
    return item
  }

  /// Names, global functions and literals.
  private var names: [CompletionItem] {
    var items = met.names.map(item)
    if met.hasSelf {
      var own = CompletionItem("self", .variable)
      own.detail = met.entity?.name.text
      own.group = 0
      items.append(own)
    }
    if met.namesPropertiesBare, let entity = met.entity {
      items += members(.object(entity.name.text)).filter { $0.kind == .property }
    }
    items += ["true", "false", "null"].map { CompletionItem($0, .value) }
    let environment = context.environment
    for name in environment.functionNames
    where environment.functions(named: name).contains(where: { $0.style == .global }) {
      items.append(function(name, label: name, isMethod: false))
    }
    return items + environment.macroForms.filter { $0.receiver == nil }.map(macro)
  }

  /// The fields and the methods of a value.
  private func members(_ type: CELType) -> [CompletionItem] {
    var items: [CompletionItem] = []
    switch type.present {
    case .object(let name):
      let entity = (try? context.catalog.entity(name)) ?? context.catalog.partialEntity(name)
      for field in context.fields(ofObject: name) {
        var item = field.item
        item.help = entity?.property(field.name).map { Explainer(context).text(of: $0) }
        items.append(item)
      }
    case .record(let record): items += record.fields.map(\.item)
    default: break
    }
    let environment = context.environment
    for name in environment.functionNames {
      let overloads = environment.functions(named: name)
      let fits = overloads.contains { overload in
        overload.style == .method
          && overload.parameters.first.map { type.present.fits($0) } == true
      }
      if fits { items.append(function(name, label: name, isMethod: true)) }
    }
    let collections = [CELType.list(.dyn), .map(.dyn, .dyn), .optional(.dyn)]
    for form in environment.macroForms {
      guard let receiver = form.receiver else { continue }
      let receivers = receiver == collections[0] ? Array(collections.prefix(2)) : [receiver]
      if receivers.contains(where: { type.present.fits($0) }) { items.append(macro(form)) }
    }
    return items
  }

  private func function(_ name: String, label: String, isMethod: Bool) -> CompletionItem {
    var item = CompletionItem(label, .function)
    let overloads = context.environment.functions(named: name)
    let own = overloads.first { ($0.style == .method) == isMethod } ?? overloads.first
    item.detail = own.map { "\($0.signature) → \($0.result)" }
    item.subject = .function(name)
    item.group = 2
    let takesNothing = own.map { $0.parameters.count <= (isMethod ? 1 : 0) } ?? false
    item.insert = takesNothing ? label + "()" : label
    item.snippet = takesNothing ? nil : label + "($0)"
    return item
  }

  private func macro(_ form: CEL.Environment.MacroForm) -> CompletionItem {
    var item = CompletionItem(form.name, .macro)
    item.detail = form.form
    item.subject = .function(form.name)
    item.group = 2
    item.snippet = form.name + "($0)"
    return item
  }
}

extension RecordType.Field {
  /// The field as an item.
  fileprivate var item: CompletionItem {
    var item = CompletionItem(name, .property)
    item.detail = type.description
    item.group = 0
    return item
  }
}
