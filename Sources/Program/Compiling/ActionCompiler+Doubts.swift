import Catalog
import Source
import YAML

/// Finds what is no mistake by the rules, and hardly meant; only where it is looked for.
extension ActionCompiler {
  /// Reports a bare word that stands where text may, and is the name of something in reach.
  func doubt(bareWord scalar: Scalar) {
    guard context.findsDoubts, !isPlainText, scalar.style == .plain,
      let binding = scopes.binding(scalar.text)
    else { return }
    // A name that is meant as a value is not one that nothing uses.
    scopes.uses?.use(binding.slot)
    let name = scalar.text
    let value = scalar.span.line(with: "'{{ \(name) }}'") ?? "'{{ \(name) }}'"
    let word = scalar.span.line(with: "'\(name)'") ?? "'\(name)'"
    collector.report(
      Diagnostic(
        "W203",
        "this is the word “\(name)”, and `\(name)` is also \(Self.words(for: binding.kind))",
        at: scalar.span, help: "for its value: \(value)\nfor the word: \(word)",
        severity: .warning,
        related: binding.declaration.map { [.init("declared here", at: $0.span)] } ?? []))
  }

  /// Reports the first step that comes after one that ends the block.
  func doubt(_ step: Step, after last: CompiledStep) {
    let span = step.headSpan
    var help = "take it out, or give the `\(last.displayName)` before it a `when:`"
    if case .whileLoop = last.kind { help = "take it out, or end the loop before it by `break`" }
    collector.report(
      Diagnostic(
        "W204", "this step is never reached", at: span, help: help, severity: .warning,
        related: [.init("nothing after this step runs", at: last.span.firstLine)]))
  }

  /// Reports handlers of errors that others before them take.
  func doubtHandlers(_ handlers: [Step.Handler]) {
    guard context.findsDoubts else { return }
    // The only errors that a handler without `on` leaves to others.
    let untaken: Set<String> = ["declined", "internal"]
    var taken: Set<String> = []
    var earlier: Step.Handler?
    var takesAll = false
    for handler in handlers {
      let codes = handler.codes.map { Set($0.map(\.text)) }
      let isTaken = codes.map { codes in
        codes.isSubset(of: taken) || takesAll && codes.subtracting(taken).isDisjoint(with: untaken)
      }
      if let earlier, isTaken ?? takesAll {
        collector.report(
          Diagnostic(
            "W204", "this handler is never reached", at: handler.span.firstLine,
            help: "take it out, or put it before the one that takes its errors",
            severity: .warning,
            related: [.init("its errors are taken here", at: earlier.span.firstLine)]))
      }
      guard handler.condition == nil else { continue }
      if let codes { taken.formUnion(codes) } else { takesAll = true }
      earlier = handler
    }
  }

  private static func words(for kind: Binding.Kind) -> String {
    switch kind {
    case .parameter: "the name of a value here"
    case .result: "the name of a step's result"
    case .loop: "the variable of a loop"
    case .variable: "a variable"
    }
  }
}

extension Step {
  /// Where the step begins: the name of what it calls, or its first line.
  fileprivate var headSpan: Span {
    if case .call(let call) = kind { return call.name.span }
    return span.firstLine
  }
}
