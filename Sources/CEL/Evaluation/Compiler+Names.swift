extension Compiler {
  /// A name: a variable of a macro, of the host, or a type.
  mutating func name(_ origin: Expression, _ name: String, isRooted: Bool) -> any Node {
    if !isRooted, let slot = local(name) { return LocalNode(slot: slot) }
    return qualified(origin, name, isRooted: isRooted) ?? variable(name, origin)
  }

  /// A field, or a qualified name that looks like one.
  mutating func select(
    _ origin: Expression, _ operand: Expression, _ field: String, isOptional: Bool
  ) throws(ExpressionError) -> any Node {
    if !isOptional, let name = origin.qualifiedName, !beginsWithLocal(origin),
      let node = qualified(origin, name, isRooted: origin.isRootedName)
    {
      return node
    }
    let part = try compile(operand)
    return fold(
      SelectNode(operand: part, field: field, isOptional: isOptional, origin: origin), [part])
  }

  /// The declared variable or the type that a qualified name means.
  private mutating func qualified(
    _ origin: Expression, _ name: String, isRooted: Bool
  ) -> (any Node)? {
    switch environment.meaning(of: name, isRooted: isRooted) {
    case .variable(let name, _): variable(name, origin)
    case .type(let name, _): ConstantNode(value: .type(name))
    case nil: nil
    }
  }

  private mutating func variable(_ name: String, _ origin: Expression) -> any Node {
    if let index = variables.firstIndex(of: name) {
      return VariableNode(index: index, name: name, origin: origin)
    }
    variables.append(name)
    return VariableNode(index: variables.count - 1, name: name, origin: origin)
  }

  /// The slot of a macro's variable.
  func local(_ name: String) -> Int? {
    scope.last { $0.name == name }?.slot
  }

  /// Whether a chain of names begins with a macro's variable, so that it can't be qualified.
  func beginsWithLocal(_ expression: Expression) -> Bool {
    expression.firstName.flatMap(local) != nil
  }

  /// Compiles with variables in scope.
  ///
  /// Their slots are theirs alone, since a part of a block may be evaluated inside any loop.
  mutating func withVariables<T>(
    _ names: [String], _ body: (inout Compiler, [Int]) throws(ExpressionError) -> T
  ) throws(ExpressionError) -> T {
    let depth = scope.count
    var slots: [Int] = []
    for name in names {
      slots.append(localCount)
      scope.append((name, localCount))
      localCount += 1
    }
    defer { scope.removeLast(scope.count - depth) }
    return try body(&self, slots)
  }
}

extension Environment {
  /// What a qualified name can mean.
  enum Meaning {
    case variable(String, CELType)
    case type(TypeName, CELType)
  }

  /// The declared variable or type of a name, looked up in the container first.
  func meaning(of name: String, isRooted: Bool) -> Meaning? {
    if container.isEmpty || isRooted { return exactMeaning(of: name) }
    for candidate in candidates(for: name, isRooted: isRooted) {
      if let meaning = exactMeaning(of: candidate) { return meaning }
    }
    return nil
  }

  private func exactMeaning(of name: String) -> Meaning? {
    if !variables.isEmpty, let type = variables[name] { return .variable(name, type) }
    if !namespaces.isEmpty, let dot = name.firstIndex(of: "."),
      namespaces.contains(String(name[..<dot])),
      name[name.index(after: dot)...].firstIndex(of: ".") == nil
    {
      return .variable(name, .dyn)
    }
    if let type = Library.type(named: name) { return .type(TypeName(name), type) }
    if objectTypes[name] != nil { return .type(TypeName(name), .object(name)) }
    return nil
  }
}
