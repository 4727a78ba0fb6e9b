import CEL
import Items

/// The conditions of a job: of the machine's state, and for a job of the hub the machine itself.
struct JobNeeds {
  private(set) var requirements: [Requirement] = []
  /// The name of the only machine that may run it; nil for any.
  private(set) var machine: String?

  /// Reads a name, a map such as `{machine: nas}`, or a list of them.
  ///
  /// - Throws: `invalid-value`.
  init(_ value: Value) throws {
    switch value {
    case .null: break
    case .list(let values): for value in values { try add(value) }
    default: try add(value)
    }
  }

  private mutating func add(_ value: Value) throws {
    if let known = value.asText.flatMap(Requirement.init) {
      requirements.append(known)
    } else if case .map(let map) = value, map.entries.count == 1,
      let name = map["machine"]?.asText, !name.isEmpty
    {
      machine = name
    } else {
      let names = Requirement.allCases.map(\.rawValue).joined(separator: ", ")
      throw RunError(
        .invalidValue,
        "a job may require \(names), or on the hub `{machine: NAME}`, but not \(value.text)")
    }
  }
}
