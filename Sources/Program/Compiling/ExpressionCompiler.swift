import CEL
package import Catalog
import Items
import Source
import YAML

/// Compiles expressions and templates against the names in scope.
package struct ExpressionCompiler {
  let context: CompilationContext
  let collector: DiagnosticCollector
  /// Whether an expression that always fails is an error; false if it is evaluated at once anyway.
  package var refusesFailures = true
  /// Triggers of the automation that contains the expressions; nil elsewhere.
  var triggers: [TriggerDefinition]?
  /// Collects the secrets used; nil if none are allowed.
  private let secrets: SecretUses?

  /// Creates a compiler for expressions without secrets, which reports to a collector.
  package init(_ context: CompilationContext, _ collector: DiagnosticCollector) {
    self.init(context, collector, nil)
  }

  /// Creates a compiler for expressions that may use secrets.
  init(
    _ context: CompilationContext, _ collector: DiagnosticCollector, _ secrets: SecretUses?
  ) {
    self.context = context
    self.collector = collector
    self.secrets = secrets
  }

  /// The item that is `self`, and whether its properties may be named without it.
  package struct Subject {
    let slot: Int
    /// Entity of the item; nil for any.
    let entity: EntityDefinition?
    /// Whether properties may be named without `self`.
    var allowsBareNames = true
    /// Whether it is a shared thing.
    var isShare = false

    /// A shared thing in a slot.
    package static func share(slot: Int) -> Subject {
      var subject = Subject(slot: slot, entity: nil)
      subject.isShare = true
      return subject
    }

    /// Creates a subject for the item in a slot.
    package init(slot: Int, entity: EntityDefinition?, allowsBareNames: Bool = true) {
      self.slot = slot
      self.entity = entity
      self.allowsBareNames = allowsBareNames
    }
  }

  /// Compiles a condition; reports errors, also a type that is never Boolean, and returns nil.
  package func compile(
    condition source: ExpressionSource, _ scopes: Scopes, subject: Subject? = nil,
    mayBeConstant: Bool = false
  ) -> CompiledExpression? {
    let need = "a condition must be true or false"
    guard
      let compiled = compile(source, scopes, subject: subject, isCondition: true, need: need)
    else { return nil }
    if let value = compiled.checked?.constant, !(value && mayBeConstant),
      compiled.checked?.problems.isEmpty == true
    {
      report(
        [
          Problem(
            .constantCondition, "this condition is always \(value)",
            at: 0..<source.text.utf8.count, help: "remove it, or compare a value that can change",
            severity: .warning)
        ], in: source)
    }
    return compiled
  }

  /// Compiles an expression; reports errors and returns nil.
  package func compile(
    _ source: ExpressionSource, _ scopes: Scopes, subject: Subject? = nil,
    isCondition: Bool = false, need: String? = nil
  ) -> CompiledExpression? {
    context.trace?.meet(source, scopes, subject)
    let place = Place(
      source: source, scopes: scopes, subject: subject, isCondition: isCondition, need: need)
    do throws(ExpressionError) {
      var expression = try parse(source.text)
      // Part of `secret` and `asSecret`.
      if source.text.hasPart("ecret") || !scopes.secretNames.isEmpty,
        let problems = problems(ofSecretsIn: expression, scopes)
      {
        report(problems, in: source)
        return nil
      }
      let key = try key(source, scopes, subject, isCondition: isCondition, need: need)
      let known = key.flatMap { context.memory?[$0] }
      if let known {
        expression = known.expression
      } else if let entity = subject?.entity, subject?.allowsBareNames == true {
        guard let qualified = qualify(expression, entity, scopes, source: source) else {
          return nil
        }
        expression = qualified
      }
      let checked =
        known == nil
        ? check(expression, scopes, subject, source: source, isCondition: isCondition, need: need)
        : known?.checked
      let problems = checked?.problems.map { explained($0, in: source, scopes) } ?? []
      report(mended(problems, at: place), in: source)
      context.trace?.note(checked)
      var program = known?.program
      if program == nil, checked?.hasErrors != true {
        program = try environment(for: scopes, source)
          .compile(expression, overloads: checked?.overloads ?? [:])
      }
      if let key, known == nil {
        context.memory?[key] = .init(expression: expression, checked: checked, program: program)
      }
      guard let program else { return nil }
      if let problems = failures(of: program, in: source) {
        report(problems, in: source)
        return nil
      }
      var slots: [Int] = []
      for name in program.variables {
        guard let slot = slot(of: name, scopes, subject) else {
          reportUnknown(name, in: expression, source, scopes, subject: subject)
          return nil
        }
        slots.append(slot)
        scopes.uses?.use(slot)
        if slot == scopes.runName?.slot { scopes.runName?.isUsed = true }
      }
      if context.reportsWarnings { doubt(expression, in: source, scopes) }
      return CompiledExpression(program: program, slots: slots, source: source, checked: checked)
    } catch {
      report(mended(error.problems, at: place), in: source)
      return nil
    }
  }

  /// Compiles a template; reports errors and returns nil.
  ///
  /// `need` says why the value of a lone expression must not be null; nil if it may be.
  package func compile(
    _ template: Template, _ scopes: Scopes, subject: Subject? = nil, need: String? = nil
  ) -> CompiledTemplate? {
    var segments: [CompiledTemplate.Segment] = []
    var isWhole = true
    for segment in template.segments {
      switch segment {
      case .text(let text): segments.append(.text(text))
      case .expression(let source):
        let need = template.segments.count == 1 ? need : nil
        if let expression = compile(source, scopes, subject: subject, need: need) {
          segments.append(.expression(expression))
        } else {
          isWhole = false
        }
      }
    }
    guard isWhole else { return nil }
    return CompiledTemplate(
      segments: segments, language: Language.other(of: template.scalar.span))
  }

  /// The parts of an expression that fail for all variable values; nil if there are none.
  private func failures(of program: CEL.Program, in source: ExpressionSource) -> [Problem]? {
    if !refusesFailures || program.failures.isEmpty || source.scalar.span.file.isBuiltIn {
      return nil
    }
    return program.failures.map { failure in
      Problem(.fails, failure.message, at: failure.range ?? program.expression.range)
    }
  }

  /// Records the secrets used by an expression; returns the problems with their use, or nil.
  private func problems(ofSecretsIn expression: Expression, _ scopes: Scopes) -> [Problem]? {
    var problems: [Problem]
    if let secrets {
      problems = secrets.take(expression)
      if problems.isEmpty {
        problems = expression.secretsLookedInto(scopes.isSecret).map { part in
          Problem(
            .wrongType, "a secret cannot be looked into", at: part.range,
            help: "it can only be passed on, to `http` or `exec`")
        }
      }
    } else {
      problems = expression.calls(of: "secret").map { call in
        Problem(
          .unknownFunction, "a secret cannot be used here", at: call.range,
          help: "use it in a step that passes it to a program or server")
      }
    }
    return problems.isEmpty ? nil : problems
  }

  /// The CEL environment, with variables that shadow types: these are reported only at their
  /// declaration.
  private func environment(for scopes: Scopes, _ source: ExpressionSource) -> CEL.Environment {
    let language = Language.other(of: source.scalar.span)
    var environment = language.map(context.environmentIn) ?? context.environment
    for name in scopes.typeNames { environment.variables[name] = .dyn }
    return environment
  }

  /// Type-checks an expression and reports errors; nil if it is not checked.
  func check(
    _ expression: Expression, _ scopes: Scopes, _ subject: Subject?, source: ExpressionSource,
    isCondition: Bool, need: String?
  ) -> CheckedExpression? {
    // Built-in definitions are checked by the tests of a release, not at each start.
    if source.scalar.span.file.isBuiltIn, !context.checksBuiltIns { return nil }
    var environment = environment(for: scopes, source)
    var entities: [String] = []
    let free = Set(environment.freeNames(of: expression).map(\.name))
    // Only names in the expression are declared: a file may have thousands.
    let mentioned = free.contains("vars") ? free.union(source.text.names) : free
    for name in mentioned where name != "self" || subject == nil {
      guard let binding = scopes.binding(name) else { continue }
      if binding.slot == scopes.runName?.slot {
        environment.add(RunName.type)
        environment.variables[name] = .object(RunName.type.name)
      }
      guard let type = binding.type else { continue }
      if free.contains(name) { environment.variables[name] = type.celType }
      environment.variables["vars." + name] = type.celType
      entities += type.entityNames
      if type.holdsShares { environment.add(SharedValue.type) }
    }
    if subject?.isShare == true {
      environment.add(SharedValue.type)
      environment.variables["self"] = .object(SharedValue.typeName)
    }
    if let entity = subject?.entity {
      environment.variables["self"] = .object(entity.name.text)
      entities.append(entity.name.text)
    }
    declare(entities, in: &environment)
    var options = CheckOptions(need: need, known: scopes.flowFacts.facts(on: mentioned))
    // In a query, a condition that yields null does not match.
    options.absorbsNull = isCondition && subject != nil
    options.refusesFailures = refusesFailures
    var checked = environment.check(expression, options: options)
    if !checked.hasErrors, isCondition, !checked.type.mayBeTruth {
      checked.problems = [
        Problem(
          .wrongType, "a condition must be true or false, not \(checked.type)",
          at: expression.range,
          help: checked.type.comparison(of: expression.description, isTrue: true)
            .map { "write `\($0)`" } ?? "compare it with something, such as `== 1`")
      ]
    }
    return checked
  }

  /// The names that a text uses if it is an expression of names in scope and known functions, more
  /// than a name or a constant; nil for other texts.
  func names(ofCodeIn source: ExpressionSource, _ scopes: Scopes) -> Set<String>? {
    guard let expression = try? Expression.parse(source.text) else { return nil }
    switch expression.kind {
    case .call, .binary, .conditional, .index: break
    case .select(let operand, _, _):
      // `input.txt` is a file.
      guard case .call = operand.kind else { return nil }
    default: return nil
    }
    let names = Set(context.environment.freeNames(of: expression).map(\.name))
    guard !names.isEmpty || [" + ", " * ", "("].contains(where: source.text.contains),
      names.allSatisfy({ scopes.binding($0) != nil }),
      let checked = check(
        expression, scopes, nil, source: source, isCondition: false, need: nil),
      !checked.problems.contains(where: { $0.code != .maybeNull && $0.severity == .error })
    else { return nil }
    return names
  }

  /// The problem with an `it` that is never set, which no null check would fix.
  private func explained(
    _ problem: Problem, in source: ExpressionSource, _ scopes: Scopes
  ) -> Problem {
    guard problem.code == .maybeNull, scopes.flowFacts.itIsUnset,
      Array(source.text.utf8)[problem.range.clamped(to: 0..<source.text.utf8.count)]
        .elementsEqual("it".utf8)
    else { return problem }
    var problem = problem
    problem.message = "`it` has no value here"
    problem.help =
      scopes.nameAdvice?.inputHelp ?? "`it` is the result of the step before"
    return problem
  }

  /// Declares the types of entities, and of those they refer to.
  private func declare(_ names: [String], in environment: inout CEL.Environment) {
    var names = names
    while let name = names.popLast() {
      guard environment.objectType(named: name) == nil,
        let definition = (try? context.catalog.entity(name))
          ?? context.catalog.partialEntity(name)
      else { continue }
      environment.add(definition.objectType)
      names += definition.properties.flatMap(\.type.entityNames)
    }
  }

  private func report(_ problems: [Problem], in source: ExpressionSource) {
    for problem in problems {
      if problem.severity == .warning, source.scalar.isGenerated { continue }
      collector.report(
        problem.diagnosticID, problem.message, at: source.span(of: problem.range),
        help: problem.help, severity: problem.severity == .error ? .error : .warning)
    }
  }

  private func slot(of name: String, _ scopes: Scopes, _ subject: Subject?) -> Int? {
    // A widget goes through its items by this name.
    if name == "self", let subject { return subject.slot }
    let variable = name.hasPrefix("vars.") ? String(name.dropFirst(5)) : name
    return scopes.binding(variable)?.slot
  }

  /// Rewrites bare properties as fields of `self`; reports a property that is also a variable, and
  /// returns nil.
  func qualify(
    _ expression: Expression, _ entity: EntityDefinition, _ scopes: Scopes,
    source: ExpressionSource
  ) -> Expression? {
    let fields = Set(entity.properties.map(\.name.text) + SystemField.allCases.map(\.rawValue))
    var ambiguous: Set<String> = []
    let qualified = context.environment.replacingFreeNames(in: expression) { free in
      guard fields.contains(free.name) else { return nil }
      if scopes.binding(free.name) != nil {
        if ambiguous.insert(free.name).inserted {
          collector.report(
            "ambiguous-name",
            "`\(free.name)` is a property of \(entity.name.text) and a variable here",
            at: source.span(of: free.range),
            help: "write `self.\(free.name)` for the property, "
              + "`vars.\(free.name)` for the variable")
        }
        return nil
      }
      return .select(Expression(.identifier("self"), range: free.range), field: free.name)
    }
    return ambiguous.isEmpty ? qualified : nil
  }
}

extension Problem {
  /// Identifier of the diagnostic; stable across releases.
  fileprivate var diagnosticID: String {
    switch code {
    case .constantCondition: "W201"
    case .templateInText: "W202"
    case .droppedRemainder: "W221"
    case .countsFromZero: "W222"
    default: "expression-\(code.rawValue)"
    }
  }
}

extension CELType {
  /// Whether a value of the type may be a Boolean.
  fileprivate var mayBeTruth: Bool {
    switch self {
    case .dyn, .bool, .parameter: true
    case .nullable(let type): type.mayBeTruth
    default: false
    }
  }
}
