package import CEL

/// Text that is never shown: a value of its own kind, so that it goes only where it may.
package final class Secret: HiddenText, CustomStringConvertible {
  /// What stands in its place wherever it would be shown.
  package static let mark = "•••"

  /// The text itself.
  package let text: String
  /// What it is put together of, in its order: what may be written down of it.
  package let parts: [Part]

  /// A part of a secret.
  package enum Part: Sendable {
    /// Text that is no secret.
    case plain(String)
    /// The secret of a name.
    case named(String)
    /// One that nothing has a name for.
    case unnamed
  }

  package init(_ text: String, parts: [Part] = [.unnamed]) {
    self.text = text
    self.parts = parts
  }

  package var typeName: String { "secret" }
  package var fieldNames: [String] { [] }
  package var description: String { Self.mark }
  package var shownText: String { Self.mark }

  package func field(_ name: String) -> Value? { nil }

  package func hasField(_ name: String) -> Bool { false }

  // Whether a guess is right is not for expressions to find out.
  package func isEqual(to other: any ObjectValue) -> Bool { false }

  package func followed(by other: Value) -> Value? {
    Self.text(of: other).map {
      .object(Secret(text + $0, parts: parts + Self.parts(of: other)))
    }
  }

  package func preceded(by other: Value) -> Value? {
    Self.text(of: other).map {
      .object(Secret($0 + text, parts: Self.parts(of: other) + parts))
    }
  }

  private static func text(of value: Value) -> String? {
    if case .string(let text) = value { text } else { value.secret?.text }
  }

  private static func parts(of value: Value) -> [Part] {
    if case .string(let text) = value { [.plain(text)] } else { value.secret?.parts ?? [] }
  }
}

extension Value {
  /// The secret that it is; nil for any other value.
  package var secret: Secret? {
    if case .object(let object) = self { object as? Secret } else { nil }
  }

  /// Whether it is a secret, or holds one.
  ///
  /// - Complexity: O(parts of the value).
  package var holdsSecret: Bool {
    switch self {
    case .object(let object): object is Secret
    case .list(let values): values.contains(where: \.holdsSecret)
    case .map(let map): map.entries.contains { $0.value.holdsSecret }
    case .optional(let optional): optional.wrapped?.holdsSecret == true
    default: false
    }
  }

  /// The value with the texts of secrets in their places.
  package var revealed: Value {
    switch self {
    case .object(let object):
      if let secret = object as? Secret { .string(secret.text) } else { self }
    case .list(let values): .list(values.map(\.revealed))
    case .map(let map):
      .map(MapValue(entries: map.entries.map { ($0.key, $0.value.revealed) }))
    case .optional(let optional): optional.wrapped?.revealed ?? .null
    default: self
    }
  }
}
