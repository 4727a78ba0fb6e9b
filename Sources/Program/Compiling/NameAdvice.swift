import CEL
import Catalog
import Source
import YAML

/// Explains why a name in the document is not in scope at a place.
///
/// The document is searched only when a name is unknown.
final class NameAdvice {
  private let definition: ActionDefinition
  private let verbs: VerbTable
  private lazy var declared = Declarations(definition, verbs)

  /// Creates advice on the names of a document.
  init(_ definition: ActionDefinition, _ verbs: VerbTable) {
    self.definition = definition
    self.verbs = verbs
  }

  /// Advice on declaring an input, or on its replacement.
  var inputHelp: String {
    switch definition.kind {
    case .shortcut: "this shortcut has no input; declare it at the top: `input: {type: string}`"
    case .intent: "an intent has no input; declare `parameters:` and name one"
    case .widget: "a widget has no input"
    case .automation: "an automation has no input; its event is `trigger`"
    }
  }

  /// Advice on a field of the event of an automation; nil for other names.
  func help(ofTrigger name: String) -> String? {
    guard definition.kind == .automation,
      ["item", "before", "path", "time", "kind", "event"].contains(name)
    else { return nil }
    return "write `trigger\(name == "event" ? "" : "." + name)`"
  }

  /// Advice on a name at a place in the document; nil if it is declared nowhere.
  func help(for name: String, at place: Int) -> String? {
    let found = declared.names.filter { $0.name.text == name }
    let isWithin = found.first { $0.block?.range.contains(place) ?? true }
    guard let declaration = isWithin ?? found.first else { return nil }
    let line = declaration.name.span.position.line
    if let set = declaration.set {
      return "a variable is the key: write `\(set): {\(name): \(declaration.value)}`"
    }
    if declaration.isLabel {
      return "`name` is only a label: to use the result write `as: \(name)` (line \(line))"
    }
    if isWithin != nil {
      return "`\(name)` is named on line \(line): it can be used after that step, not before"
    }
    guard let block = declaration.block else { return nil }
    let head = block.head
    let way =
      declaration.isVariable
      ? "`set` it before the `\(head)` to use it after"
      : "to use the result after the `\(head)`, give the `\(head)` itself an `as`"
    return "`\(name)` is known only within the `\(block.word)` of the `\(head)` "
      + "(line \(line)); \(way)"
  }

  /// The names of a document, each with the blocks in which it is in scope.
  private struct Declarations {
    /// A block: its first word, the word above its steps, and its byte range.
    struct Block {
      let head: String
      let word: String
      let range: Range<Int>
    }

    /// A declared name.
    struct Declaration {
      let name: Scalar
      let block: Block?
      var isVariable = false
      var isLabel = false
      /// The verb in `set: {name: x, value: 1}`, where the name is not a key, and the value.
      var set: String?
      var value = "…"
    }

    private(set) var names: [Declaration] = []
    private let verbs: VerbTable

    init(_ definition: ActionDefinition, _ verbs: VerbTable) {
      self.verbs = verbs
      add(definition.steps, nil)
    }

    private mutating func add(_ steps: [Step], _ head: String, _ word: String) {
      guard let first = steps.first, let last = steps.last else { return }
      let range = first.span.range.lowerBound..<last.span.range.upperBound
      add(steps, Block(head: head, word: word, range: range))
    }

    private mutating func add(_ steps: [Step], _ block: Block?) {
      for step in steps {
        if let name = step.binding { names.append(Declaration(name: name, block: block)) }
        if step.binding == nil, let label = step.label {
          let scalar = Scalar(text: label, style: .plain, span: step.span)
          names.append(Declaration(name: scalar, block: block, isLabel: true))
        }
        for (word, steps) in step.namedBlocks { add(steps, step.head, word) }
        if case .forEach(let loop) = step.kind, let first = loop.body.first,
          let last = loop.body.last
        {
          let range = first.span.range.lowerBound..<last.span.range.upperBound
          for name in [loop.variable, loop.index].compactMap(\.self) {
            names.append(
              Declaration(name: name, block: Block(head: step.head, word: "do", range: range)))
          }
        }
        guard case .call(let call) = step.kind,
          verbs.signature(named: call.name.text)?.form == .assignment
        else { continue }
        let mapping = call.value?.mapping
        for entry in mapping?.entries ?? [] {
          names.append(Declaration(name: entry.key, block: block, isVariable: true))
        }
        if let name = (mapping?["name"] ?? mapping?["variable"])?.scalar,
          let value = mapping?["value"]
        {
          names.append(
            Declaration(
              name: name, block: block, set: call.name.text, value: value.span.text.shortened))
        }
      }
    }
  }
}

/// A name with fields, as in `steps.found.output`, which other tools use for values that have a
/// different name here.
struct ForeignPath {
  private let root: String
  private let fields: [String]
  /// The expression before the name.
  private let before: String

  /// Parses the name at a range of an expression, with the fields after it.
  init(_ text: String, at range: Range<Int>) {
    let bytes = Array(text.utf8)
    before = String(decoding: bytes[..<min(range.lowerBound, bytes.count)], as: UTF8.self)
    root = String(decoding: bytes[range.clamped(to: 0..<bytes.count)], as: UTF8.self)
    let rest = String(decoding: bytes[min(range.upperBound, bytes.count)...], as: UTF8.self)
    let path = rest.prefix { $0.isLetter || $0.isNumber || $0 == "." || $0 == "_" || $0 == "-" }
    let quoted = rest.hasPrefix("[") ? rest.split(separator: rest.dropFirst().first ?? "]") : []
    fields =
      quoted.count > 1 && rest.dropFirst().first.map { "'\"".contains($0) } == true
      ? [String(quoted[1])] : path.hasPrefix(".") ? path.split(separator: ".").map(String.init) : []
  }

  /// Whether the expression is one of GitHub Actions, as in `${{ inputs.name }}`.
  var isAfterDollar = false

  /// The field after the name; nil for a name alone.
  var first: String? { fields.first }

  /// Advice on a key with a dash, as in `row.E-mail`; nil for other names.
  private var dashed: String? {
    guard before.hasSuffix("-") else { return nil }
    let path = before.dropLast().reversed().prefix {
      $0.isLetter || $0.isNumber || "._".contains($0)
    }
    let map = String(path.reversed())
    guard let dot = map.lastIndex(of: "."), dot > map.startIndex else { return nil }
    let key = "\(map[map.index(after: dot)...])-\(root)"
    return "a key with a dash stands in brackets: write `\(map[..<dot])[\"\(key)\"]`"
  }

  /// The expression to write instead; nil if unknown.
  ///
  /// - Parameter holds: whether a name is in scope.
  func help(_ holds: (String) -> Bool) -> String? {
    if let dashed { return dashed }
    let first = fields.first
    switch root {
    case "steps", "jobs", "tasks", "nodes":
      guard let first else { return "the result of a step is named by `as:` beside it" }
      return holds(first)
        ? "the result is `\(first)` itself: write `\(first)`"
        : "to name the result of a step write `as: \(first)` beside it, and use `\(first)`"
    case "parameters", "params", "args", "arguments", "inputs", "argv", "options", "variables":
      guard let first else { return nil }
      guard holds(first) else { return nil }
      return isAfterDollar
        ? "write `{{ \(first) }}`, without the `$`: parameters and variables are named directly"
        : "parameters and variables are named directly: write `\(first)`"
    case "env", "ENV", "environ":
      return "write `env(\"\(first ?? "NAME")\")`"
    case "matrix":
      return
        "the value of a loop is named by it: write `- for: \(first ?? "value")`, with `in: […]` "
        + "and `do:`"
    case "github", "runner", "job", "needs", "strategy":
      return first == "actor"
        ? "write `env(\"USER\")` for who runs it"
        : "nothing has this name: values of GitHub Actions are not here; a program gives one by "
          + "`- exec: […]` with `as: \(first ?? "value")`"
    case "ansible_facts", "hostvars", "inventory_hostname":
      return "write `env(\"HOSTNAME\")`, or start a program by `- exec: […]` with `as:`"
    case "secrets": return "write `secret(\"\(first ?? "NAME")\")`"
    case "result", "output", "previous", "prev", "last", "response", "_":
      if holds("self"), root == "output" { return "the value is `self`" }
      return "the result of the step before is `it`; to keep it write "
        + "`as: \(root == "_" ? "result" : root)` beside the step"
    case "item", "each", "element":
      return "the item of a loop is named by it: write `- for: \(root)`, with `in: …` and `do:`"
    case "ShortcutInput", "shortcutInput", "stdin":
      return "declare `input: string`, and write `input`"
    case "this": return holds("self") ? "write `self`" : nil
    case "trigger" where first == "item" && holds("self"):
      let path = fields.dropFirst().joined(separator: ".")
      return "the item is `self` here: write `\(path.isEmpty ? "self" : path)`"
    case "loop", "index", "i":
      return root == "loop" && first != "index"
        ? nil
        : "write `index: \(root == "loop" ? "i" : root)` beside the `for` or `repeat`"
          + (root == "loop" ? ", and use `i`" : "")
    default: return nil
    }
  }
}
