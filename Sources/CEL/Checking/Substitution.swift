/// The types bound to type parameters during a check.
struct Substitution {
  private var found: [String: CELType] = [:]
  private var count = 0

  /// Returns a new open type.
  mutating func fresh() -> CELType {
    count += 1
    return .parameter("T#\(count)")
  }

  /// Returns a function's type with fresh type parameters; `names` maps each name to its instance.
  mutating func instantiate(_ type: CELType, _ names: inout [String: CELType]) -> CELType {
    if case .parameter(let name) = type {
      if let known = names[name] { return known }
      let made = fresh()
      names[name] = made
      return made
    }
    return type.mappingParts { instantiate($0, &names) }
  }

  /// Returns the type with bound parameters replaced; `openToDyn` replaces unbound ones by `dyn`.
  func resolve(_ type: CELType, openToDyn: Bool = false) -> CELType {
    if case .parameter(let name) = type {
      if let known = found[name] { return resolve(known, openToDyn: openToDyn) }
      return openToDyn ? .dyn : type
    }
    return type.mappingParts { resolve($0, openToDyn: openToDyn) }
  }

  /// Returns whether `from` is assignable to `to`, and binds type parameters if it is.
  mutating func assign(_ from: CELType, to: CELType) -> Bool { unified(to, from) != nil }

  /// Returns whether all of `from` are assignable to `to`, and binds type parameters if they are.
  mutating func assign(_ from: [CELType], to: [CELType]) -> Bool {
    var trial = self
    for (one, other) in zip(to, from) where trial.unify(one, other) == nil { return false }
    self = trial
    return true
  }

  /// Returns the common type of both and binds type parameters; nil, with nothing bound, if there is none.
  mutating func unified(_ a: CELType, _ b: CELType) -> CELType? {
    var trial = self
    guard let type = trial.unify(a, b) else { return nil }
    self = trial
    return type
  }

  // MARK: - Unification

  private mutating func unify(_ a: CELType, _ b: CELType) -> CELType? {
    if case .parameter(let name) = b {
      let known = found[name]
      if let type = bind(name, to: a) { return type }
      if known != nil { return nil }
    }
    if case .parameter(let name) = a { return bind(name, to: b) }
    switch (a, b) {
    case (.dyn, _), (_, .dyn): return .dyn
    case (.null, let other), (let other, .null): return other.takesNull ? other : nil
    case (.nullable(let x), .nullable(let y)), (.nullable(let x), let y), (let x, .nullable(let y)):
      return unify(x, y).map(CELType.nullable)
    case (.list(let x), .list(let y)): return unify(x, y).map(CELType.list)
    case (.optional(let x), .optional(let y)): return unify(x, y).map(CELType.optional)
    case (.map(let key, let value), .map(let otherKey, let otherValue)):
      guard let key = unify(key, otherKey), let value = unify(value, otherValue) else { return nil }
      return .map(key, value)
    case (.record, .record): return a == b ? a : .map(.string, .dyn)
    case (.record, .map(let key, let value)), (.map(let key, let value), .record):
      guard unify(key, .string) != nil, unify(value, .dyn) != nil else { return nil }
      return .map(key, .dyn)
    case (.enumeration, .enumeration), (.enumeration, .string), (.string, .enumeration):
      return a == b ? a : .string
    // Any two types used as values are comparable.
    case (.type(let x), .type(let y)): return .type(x == y ? x : nil)
    case (.opaque(let name, let parts), .opaque(let otherName, let others))
    where name == otherName && parts.count == others.count:
      var joined: [CELType] = []
      for (part, other) in zip(parts, others) {
        guard let type = unify(part, other) else { return nil }
        joined.append(type)
      }
      return .opaque(name, joined)
    default: return a == b ? a : nil
    }
  }

  /// Binds a type parameter to `type`, or to a more general type than before; nil if impossible.
  private mutating func bind(_ name: String, to type: CELType) -> CELType? {
    if type == .parameter(name) { return type }
    guard let known = found[name] else {
      if mentions(name, type) { return nil }
      found[name] = type
      return type
    }
    if known == type { return known }
    guard let general = unify(type, known) else { return nil }
    if !mentions(name, general) { found[name] = general }
    return general
  }

  /// Occurs check: whether a type parameter occurs in a type.
  private func mentions(_ name: String, _ type: CELType) -> Bool {
    if case .parameter(let other) = type {
      if name == other { return true }
      return found[other].map { mentions(name, $0) } ?? false
    }
    return type.parts.contains { mentions(name, $0) }
  }
}

extension CELType {
  /// The types it is made of.
  var parts: [CELType] {
    var parts: [CELType] = []
    _ = mappingParts { part in
      parts.append(part)
      return part
    }
    return parts
  }

  /// Returns the type with its parts mapped.
  func mappingParts(_ change: (CELType) -> CELType) -> CELType {
    switch self {
    case .list(let part): .list(change(part))
    case .optional(let part): .optional(change(part))
    case .nullable(let part): .nullable(change(part))
    case .type(let part?): .type(change(part))
    case .map(let key, let value): .map(change(key), change(value))
    case .opaque(let name, let parts) where !parts.isEmpty: .opaque(name, parts.map(change))
    default: self
    }
  }

  /// Whether null is assignable to the type; the language definition allows it for messages, timestamps and abstract
  /// types, but no other basic type.
  var takesNull: Bool {
    switch self {
    case .null, .nullable, .dyn, .object, .opaque, .optional, .timestamp, .duration, .parameter:
      true
    default: false
    }
  }

  /// The type without `?`.
  package var withoutNull: CELType {
    if case .nullable(let type) = self { type.withoutNull } else { self }
  }

  /// The type without `?`, and an enum as string.
  var plain: CELType {
    let type = withoutNull
    return if case .enumeration = type { .string } else { type }
  }

  /// The type with `?`, unless it already admits null.
  package var orNull: CELType {
    switch self {
    case .nullable, .null, .dyn: self
    default: .nullable(self)
    }
  }

  /// Whether no value of the type is null.
  package var isNeverNull: Bool {
    switch self {
    case .nullable, .null, .dyn, .parameter: false
    default: true
    }
  }

  /// Whether null is, or may turn out to be, a value of the type.
  var admitsNull: Bool { !isNeverNull }

  /// Whether it is an unknown type itself.
  var isParameter: Bool { if case .parameter = self { true } else { false } }

  /// Whether it may be any type.
  var isOpen: Bool {
    switch self {
    case .dyn, .parameter: true
    default: false
    }
  }

  /// Whether no part of the type is open.
  var isKnown: Bool { !isOpen && parts.allSatisfy(\.isKnown) }
}
