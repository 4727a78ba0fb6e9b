import CEL
import Catalog
import Items
import Program
import Source
import YAML

/// Warnings about an intent or a shortcut that depend on its callees.
extension Workspace {
  /// Warnings about the calls, questions and handlers of an intent or a shortcut.
  func doubts(in action: CompiledAction) -> [Diagnostic] {
    codeWarnings(in: action)
      + (action.definition.automation == nil
        ? silentCalls(in: action) : questions(in: action.steps))
  }

  // MARK: Questions in automations

  /// Warnings for steps of an automation that ask, since automations run without a person.
  private func questions(in steps: [CompiledStep]) -> [Diagnostic] {
    steps.flatMap { step -> [Diagnostic] in
      if let question = question(in: step) { return [question] }
      if case .attempt(let attempt) = step.kind {
        // A handler covers the missing answer.
        let isHandled = attempt.handlers.contains { handler in
          handler.codes?.contains(RunError.Code.needsValue.name) ?? true
        }
        let others = attempt.handlers.flatMap { questions(in: $0.body) }
        return (isHandled ? [] : questions(in: attempt.body)) + others
          + questions(in: attempt.finally)
      }
      return step.kind.blocks.flatMap(questions)
    }
  }

  private func question(in step: CompiledStep) -> Diagnostic? {
    let notify = VerbSignature.askLater
    switch step.kind {
    case .menu: return Self.unanswerable("choose from a menu", step.span, help: notify)
    case .verb(let call):
      guard let help = call.verb.unanswered?(call) else { fallthrough }
      return Self.unanswerable("answer a question", step.span, help: help)
    default:
      guard let call = KnownCall(step), let callee = try? self.action(call.name) else { return nil }
      if let name = call.missingParameter(of: callee)?.name.text {
        return Self.unanswerable(
          "answer", step.span, ", and `\(call.name)` asks for `\(name)`",
          help: "give it: `\(name): …`")
      }
      guard asksCertainly(call.name) else { return nil }
      return Self.unanswerable(
        "answer what `\(call.name)` asks", step.span,
        help: "call something that asks nothing, or \(notify)")
    }
  }

  private static func unanswerable(
    _ what: String, _ span: Span, _ reason: String = "", help: String
  ) -> Diagnostic {
    Diagnostic(
      "W210", "nobody can \(what) in an automation\(reason)", at: span.firstLine,
      help: help, severity: .warning)
  }

  /// Whether every run of an intent or a shortcut reaches a question without a fallback.
  private func asksCertainly(_ name: String) -> Bool {
    comes(name, to: .question) {
      $0?.asksCertainly ?? false
    } callees: {
      $0.certainCalls.map(\.name)
    }
  }

  // MARK: Codes of errors

  /// Warnings for codes of handlers and retries that nothing raises.
  private func codeWarnings(in action: CompiledAction) -> [Diagnostic] {
    let codes = Step.namedCodes(in: action.definition.steps)
    if codes.isEmpty { return [] }
    let missed = Self.handlersOfMissing(in: action.definition.steps).map { code in
      Diagnostic(
        "W212", "a request does not raise the code `\(code.text)`", at: code.span,
        help: Self.help(onStatus: 404, isRetried: false), severity: .warning)
    }
    return missed
      + codes.filter { code, _ in
        !RunError.Code.known.contains(code.text)
          && !raises(action.definition.name.text, code: code.text)
      }.map { code, isRetried in
        // `TimeoutError` of other languages.
        var plain = code.text
        for end in ["Error", "-error", "_error"] where plain.hasSuffix(end) {
          plain = String(plain.dropLast(end.count))
        }
        let isAny = ["all", "any", "*", "error", "exception", "Exception"].contains(code.text)
        let near =
          isAny ? nil : Suggestion.nearest(to: plain.lowercased(), in: RunError.Code.known)
        return Diagnostic(
          "W212", "nothing raises the code `\(code.text)`", at: code.span,
          help: Int64(code.text).map { Self.help(onStatus: $0, isRetried: isRetried) }
            ?? (isAny
              ? isRetried
                ? "remove `on:`; without it, every failure that may pass is tried again"
                : "remove `on:`; without it, every failure is caught" : nil)
              ?? near.map { "did you mean `\($0)`?" }
              ?? "`fail: {message: …, code: \(code.text)}` raises it",
          severity: .warning)
      }
  }

  /// The codes for something missing of handlers around requests alone, which raise `http` for it.
  private static func handlersOfMissing(in steps: [Step]) -> [Scalar] {
    steps.flatMap { step -> [Scalar] in
      let inner = step.blocks.flatMap(handlersOfMissing)
      guard case .attempt(let attempt) = step.kind, !attempt.body.isEmpty,
        attempt.body.allSatisfy({ step in
          if case .call(let call) = step.kind { call.name.text == HTTPVerb.word } else { false }
        })
      else { return inner }
      let codes = attempt.handlers.flatMap { $0.codes ?? [] }
      return inner + codes.filter { $0.text == RunError.Code.notFound.name }
    }
  }

  /// Advice on a status of HTTP where a code of the language stands.
  private static func help(onStatus status: Int64, isRetried: Bool) -> String {
    if !isRetried {
      "write `on: http`, with `where: error.data.status == \(status)` beside it"
    } else if HTTPRequest.mayPass(status) {
      "remove `on:`; without it, `retry` tries again after a status such as \(status)"
    } else {
      "write `on: http`, for every status"
    }
  }

  /// Whether a `fail` of an intent or a shortcut, or of its callees, may raise a code.
  private func raises(_ name: String, code: String) -> Bool {
    comes(name, to: .code(code)) {
      $0?.steps.contains { $0.mayRaise(code) } ?? true
    } callees: {
      $0.callees.sorted()
    }
  }

  // MARK: Calls with suppressed dialog

  /// Warnings for calls whose only effect is dialog, which a call suppresses.
  private func silentCalls(in action: CompiledAction) -> [Diagnostic] {
    action.unusedCalls.sorted { $0.index < $1.index }.compactMap { step in
      guard !step.speaks, let call = KnownCall(step), let callee = try? self.action(call.name),
        callee.full != nil, callee.definition.returns == nil, callee.declaresNoValue,
        isQuiet(call.name)
      else { return nil }
      return Diagnostic(
        "W216", "`\(call.name)` only says something, and a call does not show its dialog",
        at: step.span.firstLine, help: "add `speak: true` beside it", severity: .warning)
    }
  }

  /// Whether an intent or a shortcut and its callees neither show nor change anything.
  private func isQuiet(_ name: String) -> Bool {
    !comes(name, to: .noise) {
      !($0?.steps.allSatisfy(\.isQuiet) ?? false)
    } callees: {
      $0.callees.sorted()
    }
  }
}

extension CompiledAction {
  /// Whether every run reaches a question in its own steps.
  fileprivate var asksCertainly: Bool {
    for step in steps {
      if step.guardCondition == nil {
        switch step.kind {
        case .menu: return true
        case .verb(let call) where call.verb.unanswered?(call) != nil: return true
        default: break
        }
      }
      if step.mayEnd { return false }
    }
    return false
  }

  /// Whether it has no `output`, or one that is always null.
  fileprivate var declaresNoValue: Bool { output.map { $0.known?.isNull == true } ?? true }
}

extension CompiledStep {
  fileprivate var speaks: Bool {
    if case .action(let call) = kind { call.speaks } else { false }
  }

  /// Whether the step, with those nested in it, neither shows nor changes anything.
  fileprivate var isQuiet: Bool {
    if case .verb(let call) = kind {
      switch call.verb.effect {
      case .pure, .read, .ask: return true
      case .tell, .write: return false
      case .outside:
        if call.verb.calls { return KnownCall(self) != nil }
        // A call that can be retried without asking only reads.
        return !call.verb.traits.contains(.waits) && call.verb.onResume(call) == .retry
      }
    }
    return kind.blocks.allSatisfy { $0.allSatisfy(\.isQuiet) }
  }

  /// Whether a `fail` in it may raise a code; true when the code is known only at run time.
  fileprivate func mayRaise(_ code: String) -> Bool {
    if case .verb(let call) = kind {
      if call.verb.calls { return KnownCall(self) == nil }
      return call.mayRaise(code)
    }
    return kind.blocks.contains { $0.contains { $0.mayRaise(code) } }
  }
}

/// A call of an intent or a shortcut whose name is known at compile time.
struct KnownCall {
  let name: String
  let span: Span
  /// The positions and the names of the parameters it passes.
  var positions: Set<Int> = []
  var names: Set<String> = []
  /// Whether it passes `input` by name.
  var givesInput = false
  /// Whether the passed parameters are known only at run time.
  var givesAny = false

  init?(_ step: CompiledStep) {
    span = step.span
    switch step.kind {
    case .action(let call):
      name = call.name
      positions = Set(call.arguments.map(\.parameter))
    case .verb(let call) where call.verb.calls:
      guard case .name(let known)? = call.arguments.first ?? nil else { return nil }
      name = known
      for (declaration, argument) in zip(call.verb.arguments, call.arguments).dropFirst() {
        switch argument {
        case nil: break
        case .fields(let fields)?: names = Set(fields.map(\.name))
        case .fieldMap?: givesAny = true
        default: givesInput = givesInput || declaration.name == "input"
        }
      }
    default: return nil
    }
  }

  /// The first required parameter that the call omits, which the person would be asked for.
  func missingParameter(of callee: CompiledAction) -> ParameterDefinition? {
    let primary = callee.definition.primaryParameter?.name.text
    for (index, parameter) in callee.parameters.enumerated() {
      let definition = parameter.definition
      let isGiven =
        givesAny || positions.contains(index) || givesInput && primary == definition.name.text
        || names.contains(definition.name.text)
      if isGiven || parameter.defaultValue != nil || definition.type.isOptional { continue }
      return definition
    }
    return nil
  }
}
