package import Items
package import Source
package import YAML

/// An intent, a shortcut or an automation: parameters, steps and what it says (language §4 and §5).
package struct ActionDefinition: Sendable {
  package enum Kind: String, Sendable {
    case intent, shortcut, automation

    /// The kind of its document.
    package var kind: Definition.Kind {
      switch self {
      case .intent: .intent
      case .shortcut: .shortcut
      case .automation: .automation
      }
    }
  }

  /// What is said when it is done.
  package struct Dialog: Sendable {
    /// Makes sense alone.
    package fileprivate(set) var full: Template?
    /// Stands beside a card.
    package fileprivate(set) var short: Template?
    /// The card.
    package fileprivate(set) var snippet: Node?
  }

  /// A variable declared with a type.
  package struct Variable: Sendable {
    package let name: Scalar
    package let type: DataType
    package let valueNode: Node?
  }

  package let kind: Kind
  package let name: Scalar
  package let title: String?
  package let description: String?
  package let icon: String?
  package let phrases: [Scalar]
  package let parameters: [ParameterDefinition]
  /// What a shortcut, or an intent that takes shares, is given to work on.
  package let input: ParameterDefinition?
  /// The shares that it takes; nil where it takes none.
  package let accepts: ShareAcceptance?
  package let variables: [Variable]
  package let steps: [Step]
  /// Whether a run goes on where it stood when its process ended.
  package let isDurable: Bool
  /// What happens when it is to be run while it is running; nil for no limit.
  package let runMode: RunMode?
  /// How many may run, or wait, at once.
  package let maxRuns: Int?
  /// How long a run may take.
  package let timeout: Node?
  package let returns: DataType?
  package let returnsSpan: Span?
  package let output: Node?
  package let dialog: Dialog
  package let tests: [TestDefinition]
  /// When it runs by itself; nil for what is not an automation.
  package let automation: AutomationDefinition?

  /// How people call it.
  package var displayTitle: String {
    if let title { return title }
    // Letter by letter: to put lists of texts together costs a process dear at its first use.
    var title = ""
    var isFirst = true
    for letter in name.text {
      if letter == "-" {
        title.append(" ")
      } else if isFirst {
        title.append(letter.uppercased())
      } else {
        title.append(letter)
      }
      isFirst = letter == "-"
    }
    return title
  }

  /// The input first, then the parameters.
  package var allParameters: [ParameterDefinition] { (input.map { [$0] } ?? []) + parameters }

  /// The one that a step's scalar value, or the first word of a command line, stands for.
  package var primaryParameter: ParameterDefinition? {
    input ?? parameters.first { $0.isPrimary } ?? parameters.first
  }

  init(kind: Kind, _ name: Scalar, _ reader: inout DefinitionReader) {
    let collector = reader.collector
    self.kind = kind
    self.name = name
    let what = kind.kind.phrase
    collector.check(name, form: .kebab, of: what)
    if ReservedWord.contains(name.text) {
      collector.report(
        "reserved-name", "`\(name.text)` is a word of the language", at: name.span,
        help: "choose another name for \(what)")
    }
    title = reader.text("title")
    description = reader.text("description")
    icon = reader.text("icon")
    phrases = kind == .intent ? reader.scalars("phrases") ?? [] : []
    automation = kind == .automation ? AutomationDefinition(name, &reader) : nil
    parameters =
      kind == .automation
      ? [ParameterDefinition(trigger: name)]
      : reader.entries("parameters").compactMap { ParameterDefinition($0, collector) }
    accepts =
      kind == .automation
      ? nil : reader.node("accepts").flatMap { ShareAcceptance($0, collector) }
    if let accepts, let span = reader.mapping["accepts"]?.span {
      reader.refuse(
        "input", because: "its input is what was shared, since it has `accepts`"
      ) { _ in "take `input` out" }
      input = ParameterDefinition(shared: accepts, at: span)
    } else if kind == .shortcut, let entry = reader.mapping.entry("input") {
      _ = reader.node("input")
      input = ParameterDefinition(entry, collector, isInput: true)
    } else {
      input = nil
    }
    variables = reader.entries("variables").compactMap { Variable($0, collector) }
    collector.checkDistinct(
      parameters.map(\.name) + variables.map(\.name), of: "the parameters and variables")
    steps = reader.node("steps").map { StepReader(collector: collector).steps($0) } ?? []
    if reader.lacks("steps") {
      collector.report(
        "no-steps", "\(what) needs `steps`", at: name.span,
        help: "add `steps:` and a list of calls")
    }
    isDurable = reader.bool("durable") ?? false
    let mode: RunMode? = reader.choice("mode")
    // Two runs that go on with one another's work would be of use to nobody.
    runMode = mode ?? (isDurable || kind == .automation ? .single : nil)
    maxRuns = reader.int("max")
    if let maxRuns, let span = reader.mapping["max"]?.span {
      if maxRuns < 1 {
        collector.report("invalid-value", "`max` must be at least 1", at: span)
      } else if mode != .parallel, mode != .queued {
        collector.report(
          "missing-argument", "`max` is for the modes `parallel` and `queued`", at: span,
          help: "add `mode: parallel`")
      }
    }
    timeout = reader.node("timeout")
    if kind == .automation {
      // Nobody waits for what it comes to, and nobody hears it.
      (returnsSpan, returns, output) = (nil, nil, nil)
      dialog = Dialog()
      tests = reader.node("tests").map { TestReader(collector: collector).tests($0) } ?? []
      return
    }
    returnsSpan = reader.mapping["returns"]?.span
    returns = reader.type("returns", values: nil)
    output = reader.node("output")
    if let node = reader.node("dialog"), let text = node.scalar, !text.isNull {
      let quoted = text.text.replacing("'", with: "''")
      let line = text.span.line(with: "{full: '\(quoted)'}")
      collector.report(
        "wrong-type", "`dialog` must be a mapping of `full`, `short` and `snippet`, not text",
        at: node.span, help: "write `\(line ?? "dialog: {full: …}")`")
      dialog = Dialog()
    } else if let node = reader.node("dialog"),
      var dialog = DefinitionReader(node, what: "`dialog`", collector)
    {
      self.dialog = Dialog(
        full: dialog.template("full"), short: dialog.template("short"),
        snippet: dialog.node("snippet"))
      dialog.finish()
    } else {
      dialog = Dialog()
    }
    tests = reader.node("tests").map { TestReader(collector: collector).tests($0) } ?? []
    for parameter in parameters.dropLast() where parameter.isRest {
      guard parameter.name.text != parameters.filter({ !$0.isPrimary }).first?.name.text else {
        continue
      }
      collector.report(
        "rest-not-first", "`rest: true` belongs to the first or the last parameter",
        at: parameter.name.span,
        help: "move `\(parameter.name.text)` to the front, or to the end")
    }
  }
}

extension ActionDefinition.Variable {
  fileprivate init?(_ entry: Mapping.Entry, _ collector: DiagnosticCollector) {
    name = entry.key
    collector.checkVariable(name, of: "a variable")
    guard
      var reader = DefinitionReader(
        entry.value, what: "a variable", collector,
        help: ListAdvice.type(entry.value, of: entry.key))
    else { return nil }
    let type = reader.type(of: name, "the variable")
    valueNode = reader.node("value")
    reader.finish()
    guard let type else { return nil }
    self.type = type
    if !type.isOptional, valueNode == nil, let span = reader.mapping["type"]?.span {
      collector.report(
        "unset-variable", "`\(name.text)` has no value at the beginning", at: span,
        help: "give it a `value`, or write `\(type.description)?`")
    }
  }
}
