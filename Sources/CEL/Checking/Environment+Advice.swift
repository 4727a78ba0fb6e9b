extension Environment {
  /// What was meant by a name that is no value: a function, or a value of another language.
  package func advice(onName name: String) -> String? {
    if let advice = ForeignName.value(name) { return advice }
    let overloads = overloads(of: name).filter { $0.style == .global }
    if overloads.contains(where: { $0.takes(0) }) { return "it is a function: write `\(name)()`" }
    return overloads.first.map { "it is a function: `\($0.signature)`" }
  }
}
