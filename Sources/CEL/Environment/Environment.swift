/// What expressions may name: variables, functions, macros and types of objects.
///
/// The standard library and the extensions are always there; they are found by name when an
/// expression uses them, so that an environment costs nothing to make.
package struct Environment: Sendable {
  /// The variables with their types; a name may be qualified, such as `request.url`.
  package var variables: [String: CELType] = [:]
  /// Whether names that are not declared are variables of type `dyn`.
  package var allowsUndeclaredNames: Bool
  /// Names whose fields are variables of their own: with `vars`, `vars.x` is the variable `vars.x`.
  package var namespaces: Set<String> = []
  /// The namespace in which names are looked up first, such as `com.example`.
  package var container = ""
  /// Whether `cel.block`, which is meant for optimisers and not for people, is known.
  package var knowsBlocks = false
  /// Whether calls of macro names are macros.
  package var expandsMacros = true

  private(set) var functions: [String: [Function]] = [:]
  private(set) var deferredFunctions: [DeferredFunctions] = []
  private(set) var iterations: [Iteration] = []
  private(set) var objectTypes: [String: ObjectType] = [:]

  /// Makes an environment of the standard library and the extensions.
  package init(allowsUndeclaredNames: Bool = false) {
    self.allowsUndeclaredNames = allowsUndeclaredNames
  }

  /// Adds an overload of a function; one of the host's own comes before the standard ones.
  package mutating func add(_ function: Function) {
    functions[function.name, default: []].append(function)
  }

  /// Adds overloads of functions.
  package mutating func add(_ functions: [Function]) {
    for function in functions { add(function) }
  }

  /// Adds functions of these names that are made only when an expression names one of them.
  ///
  /// An expression uses few functions, and to make many would cost every start.
  package mutating func add(
    named names: [String], _ make: @escaping @Sendable () -> [Function]
  ) {
    deferredFunctions.append(DeferredFunctions(names: names, make: make))
  }

  /// Adds a macro that goes through values.
  package mutating func add(_ iteration: Iteration) {
    iterations.append(iteration)
  }

  /// Adds a type of objects.
  package mutating func add(_ type: ObjectType) {
    objectTypes[type.name] = type
  }

  /// The type of objects of this name.
  package func objectType(named name: String) -> ObjectType? {
    objectTypes[name]
  }
}

extension Environment {
  /// All overloads of a name, the host's own first.
  func overloads(of name: String) -> [Function] {
    var own = functions[name] ?? []
    for deferred in deferredFunctions where deferred.names.contains(name) {
      own += deferred.make().filter { $0.name == name }
    }
    guard let standard = Library.overloads(of: name) else { return own }
    return own + standard
  }

  /// The functions that a call may mean that is no macro, and what they are given; nil for none.
  ///
  /// - Parameter isLocal: Whether the receiver begins with a macro's variable, and is no namespace.
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

  /// The names that may be meant by `name` in the container, the innermost first.
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

  /// The macro that a call means, if it means one.
  func macro(_ name: String, receiver: Expression?, argumentCount: Int) -> Macro? {
    guard expandsMacros else { return nil }
    if receiver != nil,
      let match = iterations.first(where: {
        $0.name == name && $0.variables.count + 1 == argumentCount
      })
    {
      return .iteration(match)
    }
    var namespace: String?
    if let receiver, case .identifier(let identifier, _) = receiver.kind { namespace = identifier }
    let macro = Macro.standard(
      name, namespace: namespace, hasReceiver: receiver != nil, argumentCount: argumentCount)
    switch macro {
    case .block, .blockIndex, .blockVariable: return knowsBlocks ? macro : nil
    default: break
    }
    if macro == nil, receiver != nil,
      let match = Library.iteration(named: name, argumentCount: argumentCount)
    {
      return .iteration(match)
    }
    return macro
  }

  /// Whether a name means a type, or makes a value of any, wherever it stands alone.
  package static func isType(named name: String) -> Bool {
    name == "dyn" || Library.type(named: name) != nil
  }
}

/// Functions that are made when one of them is needed.
struct DeferredFunctions: Sendable {
  let names: [String]
  let make: @Sendable () -> [Function]
}
