/// The declarations available to expressions: variables, functions, macros and object types.
///
/// The target CEL owns the Common Expression Language: values, parser, type checker, compiler, evaluator and function
/// library. A host parses an `Expression`, checks and compiles it in an `Environment`, and evaluates the `Program`.
///
/// The standard library and the extensions are always included; they are looked up by name on use, so creating an
/// environment is cheap.
package struct Environment: Sendable {
  /// The types of variables by name, which may be qualified: `request.url`.
  package var variables: [String: CELType] = [:]
  /// Whether undeclared names are variables of type `dyn`.
  package var allowsUndeclaredNames: Bool
  /// Names whose fields are separate variables: with `vars`, `vars.x` is the variable `vars.x`.
  package var namespaces: Set<String> = []
  /// The namespace searched first, such as `com.example`.
  package var container = ""
  /// Whether `cel.block`, which optimisers generate, is available.
  package var knowsBlocks = false
  /// Whether calls of macro names are expanded as macros.
  package var expandsMacros = true

  private(set) var functions: [String: [Function]] = [:]
  /// Returns the names of host functions that are created on use.
  private(set) var deferredNames: @Sendable () -> [String] = { [] }
  private var deferredOverloads: @Sendable (String) -> [Function] = { _ in [] }
  private(set) var iterations: [Iteration] = []
  private(set) var objectTypes: [String: ObjectType] = [:]

  /// Creates an environment with the standard library and the extensions.
  package init(allowsUndeclaredNames: Bool = false) {
    self.allowsUndeclaredNames = allowsUndeclaredNames
  }

  /// Adds an overload of a function; host functions take precedence over standard ones.
  package mutating func add(_ function: Function) {
    functions[function.name, default: []].append(function)
  }

  /// Sets host functions that are created only when an expression names them; replaces earlier ones.
  ///
  /// An expression uses few functions; creating all of them would slow every start.
  package mutating func deferFunctions(
    named names: @escaping @Sendable () -> [String],
    overloads: @escaping @Sendable (String) -> [Function]
  ) {
    deferredNames = names
    deferredOverloads = overloads
  }

  /// Adds a macro that evaluates an expression for several values.
  package mutating func add(_ iteration: Iteration) { iterations.append(iteration) }

  /// Adds an object type.
  package mutating func add(_ type: ObjectType) { objectTypes[type.name] = type }

  /// Returns the object type of this name.
  package func objectType(named name: String) -> ObjectType? { objectTypes[name] }
}

extension Environment {
  /// Returns all overloads of a name, host functions first.
  func overloads(of name: String) -> [Function] {
    let own = (functions[name] ?? []) + deferredOverloads(name)
    guard let standard = FunctionLibrary.overloads(of: name) else { return own }
    return own + standard
  }

  /// Resolves a call that is not a macro to candidate functions and their arguments; nil if there are none.
  ///
  /// - Parameter isLocal: Whether the receiver begins with a macro's variable and so is not a namespace.
  func callee(
    _ name: String, _ receiver: Expression?, _ arguments: [Expression], isRooted: Bool,
    isLocal: Bool
  ) -> (name: String, overloads: [Function], arguments: [Expression])? {
    func overloads(of name: String, _ style: Function.Style) -> [Function] {
      self.overloads(of: name).filter { $0.style == style }
    }
    let qualifier = receiver?.qualifiedName
    if receiver == nil || qualifier != nil && !isLocal {
      let qualified = qualifier.map { "\($0).\(name)" } ?? name
      for candidate in candidates(for: qualified, isRooted: receiver?.isRootedName ?? isRooted) {
        let functions = overloads(of: candidate, .global)
        if !functions.isEmpty { return (qualified, functions, arguments) }
      }
    }
    guard let receiver else { return nil }
    let methods = overloads(of: name, .method)
    return methods.isEmpty ? nil : (name, methods, [receiver] + arguments)
  }

  /// Returns the names that `name` may refer to in the container, innermost first.
  func candidates(for name: String, isRooted: Bool) -> [String] {
    if container.isEmpty || isRooted { return [name] }
    var names: [String] = []
    var parts = container.split(separator: ".")
    while !parts.isEmpty {
      names.append(parts.joined(separator: ".") + "." + name)
      parts.removeLast()
    }
    return names + [name]
  }

  /// Returns the object type that a name refers to.
  func objectType(_ name: String, isRooted: Bool) -> ObjectType? {
    candidates(for: name, isRooted: isRooted).lazy.compactMap { objectTypes[$0] }.first
  }

  /// Returns the macro that a call refers to, if any.
  func macro(_ name: String, receiver: Expression?, argumentCount: Int) -> Macro? {
    guard expandsMacros else { return nil }
    guard let receiver else { return name == "has" && argumentCount == 1 ? .has : nil }
    let own = iterations.first { $0.name == name && $0.variables.count + 1 == argumentCount }
    if let own { return .iteration(own) }
    if case .identifier("cel", _) = receiver.kind,
      let macro = Macro.qualified(name, argumentCount: argumentCount, knowsBlocks: knowsBlocks)
    {
      return macro
    }
    return Macro.method(name, argumentCount: argumentCount)
  }

  /// Returns whether a name, standing alone, is a type or a conversion function such as `dyn`.
  package static func isType(named name: String) -> Bool {
    name == "dyn" || FunctionLibrary.type(named: name) != nil
  }
}
