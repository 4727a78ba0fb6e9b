extension Compiler {
  /// Compiles a name: a macro's variable, a host variable, or a type.
  mutating func name(_ origin: Expression, _ name: String, isRooted: Bool) -> Node {
    if !isRooted, let slot = local(name) { return Node(local: slot) }
    return qualified(origin, name, isRooted: isRooted) ?? variable(name, origin)
  }

  /// Compiles the declared variable or the type that a qualified name refers to.
  mutating func qualified(_ origin: Expression, _ name: String, isRooted: Bool) -> Node? {
    switch environment.meaning(of: name, isRooted: isRooted) {
    case .variable(let name, _): variable(name, origin)
    case .type(let name, _): Node(.type(name))
    case nil: nil
    }
  }

  private mutating func variable(_ name: String, _ origin: Expression) -> Node {
    let index = variables.firstIndex(of: name) ?? variables.count
    if index == variables.count { variables.append(name) }
    return Node { frame throws(EvaluationError) in
      if let value = frame.variables[index] { return value }
      throw EvaluationError(.stated(.unknownVariable, "unknown name `\(name)`"), at: origin)
    }
  }

  /// Returns the slot of a macro's variable.
  func local(_ name: String) -> Int? { scope.last { $0.name == name }?.slot }

  /// Whether a chain of names begins with a macro's variable and so is not a qualified name.
  func beginsWithLocal(_ expression: Expression) -> Bool {
    expression.firstName.flatMap(local) != nil
  }

  /// Compiles with variables in scope.
  ///
  /// Slots are never shared, since a part of a block may be evaluated inside any loop.
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
  /// The meaning of a qualified name.
  enum Meaning {
    case variable(String, CELType)
    case type(TypeName, CELType)
  }

  /// Returns the declared variable or type of a name, searched in the container first.
  func meaning(of name: String, isRooted: Bool) -> Meaning? {
    candidates(for: name, isRooted: isRooted).lazy.compactMap(exactMeaning).first
  }

  private func exactMeaning(of name: String) -> Meaning? {
    if !variables.isEmpty, let type = variables[name] { return .variable(name, type) }
    if !namespaces.isEmpty, let dot = name.firstIndex(of: "."),
      namespaces.contains(String(name[..<dot])),
      name[name.index(after: dot)...].firstIndex(of: ".") == nil
    {
      return .variable(name, .dyn)
    }
    if let type = FunctionLibrary.type(named: name) { return .type(TypeName(name), type) }
    if objectTypes[name] != nil { return .type(TypeName(name), .object(name)) }
    return nil
  }
}
