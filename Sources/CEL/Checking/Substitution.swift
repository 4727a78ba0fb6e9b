/// What the open types of an expression were found to be.
struct Substitution {
  private var found: [String: CELType] = [:]
  private var count = 0

  /// A type that is not known yet.
  mutating func fresh() -> CELType {
    count += 1
    return .parameter("T#\(count)")
  }

  /// A function's type with its own open types, the same name for the same one within `names`.
  mutating func instantiate(_ type: CELType, _ names: inout [String: CELType]) -> CELType {
    if case .parameter(let name) = type {
      if let known = names[name] { return known }
      let made = fresh()
      names[name] = made
      return made
    }
    return type.mappingParts { instantiate($0, &names) }
  }

  /// The type with what was found in place of open types; those still open become `dyn` at the
  /// end of a check.
  func resolve(_ type: CELType, openToDyn: Bool = false) -> CELType {
    if case .parameter(let name) = type {
      if let known = found[name] { return resolve(known, openToDyn: openToDyn) }
      return openToDyn ? .dyn : type
    }
    return type.mappingParts { resolve($0, openToDyn: openToDyn) }
  }

  /// Whether values of `from` may stand where `to` is wanted; remembers what that says of open
  /// types if so, and nothing if not.
  mutating func assign(_ from: CELType, to: CELType) -> Bool {
    var trial = self
    guard trial.unify(to, from) else { return false }
    self = trial
    return true
  }

  /// Whether all of `from` may stand where `to` is wanted.
  mutating func assign(_ from: [CELType], to: [CELType]) -> Bool {
    var trial = self
    for (one, other) in zip(to, from) where !trial.unify(one, other) { return false }
    self = trial
    return true
  }

  // MARK: - Unification

  private mutating func unify(_ a: CELType, _ b: CELType) -> Bool {
    if case .parameter(let name) = b {
      let known = found[name]
      if bind(name, to: a) { return true }
      if known != nil { return false }
    }
    if case .parameter(let name) = a { return bind(name, to: b) }
    switch (a, b) {
    case (.dyn, _), (_, .dyn): return true
    case (.null, let other), (let other, .null): return other.takesNull
    case (.nullable(let x), .nullable(let y)), (.nullable(let x), let y), (let x, .nullable(let y)):
      return unify(x, y)
    case (.list(let x), .list(let y)), (.optional(let x), .optional(let y)): return unify(x, y)
    case (.map(let key, let value), .map(let otherKey, let otherValue)):
      return unify(key, otherKey) && unify(value, otherValue)
    case (.record, .record): return true
    case (.record, .map(let key, let value)), (.map(let key, let value), .record):
      return unify(key, .string) && unify(value, .dyn)
    case (.enumeration, .enumeration), (.enumeration, .string), (.string, .enumeration): return true
    // Types of types compare with each other, whatever they are types of.
    case (.type, .type): return true
    case (.opaque(let x, let parts), .opaque(let y, let others)):
      return x == y && parts.count == others.count
        && zip(parts, others).allSatisfy { unify($0, $1) }
    default: return a == b
    }
  }

  /// Takes `type` for an open type, or for a more general one than it was taken for before.
  private mutating func bind(_ name: String, to type: CELType) -> Bool {
    if type == .parameter(name) { return true }
    guard let known = found[name] else {
      if mentions(name, type) { return false }
      found[name] = type
      return true
    }
    if known == type { return true }
    guard unify(type, known) else { return false }
    let general = moreGeneral(type, known)
    if !mentions(name, general) { found[name] = general }
    return true
  }

  /// Whether an open type occurs in a type, so that taking one for the other would never end.
  private func mentions(_ name: String, _ type: CELType) -> Bool {
    if case .parameter(let other) = type {
      if name == other { return true }
      return found[other].map { mentions(name, $0) } ?? false
    }
    return type.parts.contains { mentions(name, $0) }
  }

  /// The type that takes the values of both, of two that unify.
  func moreGeneral(_ a: CELType, _ b: CELType) -> CELType {
    switch (a, b) {
    case (.dyn, _), (_, .dyn): .dyn
    case (.null, .null): .null
    case (.null, let other), (let other, .null): other
    case (.parameter, _), (_, .parameter): preferKnown(resolve(a), resolve(b))
    case (.nullable(let x), .nullable(let y)), (.nullable(let x), let y), (let x, .nullable(let y)):
      .nullable(moreGeneral(x, y))
    case (.list(let x), .list(let y)): .list(moreGeneral(x, y))
    case (.optional(let x), .optional(let y)): .optional(moreGeneral(x, y))
    case (.map(let key, let value), .map(let otherKey, let otherValue)):
      .map(moreGeneral(key, otherKey), moreGeneral(value, otherValue))
    case (.record, .record): a == b ? a : .map(.string, .dyn)
    case (.record, .map(let key, _)), (.map(let key, _), .record): .map(key, .dyn)
    case (.opaque(let name, let parts), .opaque(_, let others)):
      .opaque(name, zip(parts, others).map { moreGeneral($0, $1) })
    case (.type(let x), .type(let y)): .type(x == y ? x : nil)
    case (.enumeration, _), (_, .enumeration): a == b ? a : .string
    default: a
    }
  }

  /// Of two resolved types, one that is still open gives way to the other.
  private func preferKnown(_ a: CELType, _ b: CELType) -> CELType {
    if case .parameter = a { return b }
    if case .parameter = b { return a }
    return moreGeneral(a, b)
  }
}

extension CELType {
  /// The types that it is made of.
  var parts: [CELType] {
    switch self {
    case .list(let part), .optional(let part), .nullable(let part), .type(let part?): [part]
    case .map(let key, let value): [key, value]
    case .opaque(_, let parts): parts
    default: []
    }
  }

  /// The type with its parts changed.
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

  /// Whether null may stand where it is wanted; the language definition lets messages, timestamps
  /// and abstract types be null, and no other basic type.
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

  /// The type without `?`, an enum as the string that it is.
  var plain: CELType {
    let type = withoutNull
    return if case .enumeration = type { .string } else { type }
  }

  /// The type with `?`, where that says something.
  package var orNull: CELType {
    switch self {
    case .nullable, .null, .dyn: self
    default: .nullable(self)
    }
  }

  /// Whether no value of it is null.
  package var isNeverNull: Bool {
    switch self {
    case .nullable, .null, .dyn, .parameter: false
    default: true
    }
  }

  /// Whether null is a value that it speaks of, or may come to stand for.
  var admitsNull: Bool { !isNeverNull }

  /// Whether nothing in it is left open.
  var isKnown: Bool {
    switch self {
    case .dyn, .parameter: false
    default: parts.allSatisfy(\.isKnown)
    }
  }
}
