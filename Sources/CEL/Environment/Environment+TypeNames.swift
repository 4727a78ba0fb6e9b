extension Environment {
  /// Whether a name means a type, or makes a value of any, wherever it stands alone.
  package static func isType(named name: String) -> Bool {
    name == "dyn" || Library.type(named: name) != nil
  }
}
