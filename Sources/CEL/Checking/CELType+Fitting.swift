extension CELType {
  /// Whether a value of the type is assignable to another type.
  package func fits(_ wanted: CELType) -> Bool {
    var types = Substitution()
    return types.assign(self, to: wanted)
  }

  /// The type without null.
  package var present: CELType {
    if case .nullable(let type) = self { type } else { self }
  }
}
