package import CEL
package import Program

/// What may be touched outside the store: all, or what a person allowed.
package struct Permissions: Sendable {
  private let isAll: Bool
  private let granted: Set<Touch>
  /// A path in full and without links, by which paths are compared.
  private let canonical: @Sendable (String) -> String

  /// Everything.
  package static let all = Permissions(isAll: true, [], { $0 })

  private init(
    isAll: Bool, _ granted: Set<Touch>, _ canonical: @escaping @Sendable (String) -> String
  ) {
    self.isAll = isAll
    self.granted = granted
    self.canonical = canonical
  }

  /// Only these; a path allows what lies below it, too.
  ///
  /// - Parameter canonical: gives a path in full and without links.
  package init(
    _ granted: some Sequence<Touch>, canonical: @escaping @Sendable (String) -> String
  ) {
    self.init(
      isAll: false,
      Set(
        granted.map { touch in
          guard let target = touch.target else { return Touch(any: touch.kind) }
          return Touch(touch.kind, Self.key(touch.kind, target, canonical))
        }), canonical)
  }

  /// These, and those that others allow.
  func joined(by others: Permissions) -> Permissions {
    if isAll || others.isAll { return .all }
    return Permissions(isAll: false, granted.union(others.granted), others.canonical)
  }

  /// Whether something certain may be touched; nil as its target is any.
  package func allows(_ kind: Touch.Kind, _ target: String?) -> Bool {
    if isAll || granted.contains(Touch(any: kind)) { return true }
    guard let target else { return false }
    let key = Self.key(kind, target, canonical)
    if granted.contains(Touch(kind, key)) { return true }
    switch kind {
    case .read, .write:
      return granted.contains { touch in
        touch.kind == kind
          && touch.target.map { key.hasPrefix($0.hasSuffix("/") ? $0 : $0 + "/") } == true
      }
    case .http:
      return granted.contains { touch in
        guard touch.kind == .http, let pattern = touch.target else { return false }
        return pattern.hasPrefix("*.") && key.hasSuffix(pattern.dropFirst())
      }
    default: return false
    }
  }

  /// Whether a program may begin that touches this: what is any must be allowed in part, and each
  /// one is looked at when it is known.
  package func covers(_ touch: Touch) -> Bool {
    if touch.target == nil {
      isAll || granted.contains { $0.kind == touch.kind }
    } else {
      allows(touch.kind, touch.target)
    }
  }

  // MARK: Kept permissions

  /// The permissions as the store keeps them: pairs of a kind and a target; null for everything.
  package var value: Value {
    if isAll { return .null }
    let pairs = granted.map { ($0.kind.rawValue, $0.target) }
    return .list(
      pairs.sorted { ($0.0, $0.1 ?? "") < ($1.0, $1.1 ?? "") }.map { kind, target in
        .list([.string(kind), target.map(Value.string) ?? .null])
      })
  }

  /// The permissions that the store keeps; what can't be read allows nothing.
  ///
  /// - Parameter canonical: gives a path in full and without links.
  package init(value: Value, canonical: @escaping @Sendable (String) -> String) {
    guard !value.isNull else {
      self = .all
      return
    }
    var touches: [Touch] = []
    if case .list(let pairs) = value {
      for case .list(let pair) in pairs where pair.count == 2 {
        guard case .string(let name) = pair[0], let kind = Touch.Kind(rawValue: name) else {
          continue
        }
        switch pair[1] {
        case .string(let target): touches.append(Touch(kind, target))
        case .null: touches.append(Touch(any: kind))
        default: break
        }
      }
    }
    self.init(touches, canonical: canonical)
  }

  private static func key(
    _ kind: Touch.Kind, _ target: String, _ canonical: (String) -> String
  ) -> String {
    switch kind {
    case .read, .write: canonical(target)
    // A program by its path; one by its name is looked up in PATH.
    case .exec: target.contains("/") ? canonical(target) : target
    case .http: target.lowercased()
    default: target
    }
  }
}
