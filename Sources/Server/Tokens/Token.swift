import ErrandKit

/// The permission of a program to use the API; its secret is known only as a hash.
package struct Token: Hashable, Sendable {
  /// The requests a token may make.
  package enum Scope: String, CaseIterable, Sendable {
    /// Reading, and calls that only read.
    case read
    /// Sharing.
    case share
    /// Calls of named intents and shortcuts.
    case run
    /// Requests to named webhooks.
    case hook
    /// Subscribing to the calendar of events and tasks, by its address.
    case calendar
    case all

    /// Whether this scope covers `scope`; calls are also checked against their definition.
    package func includes(_ scope: Scope) -> Bool {
      self == scope || self == .all && ![.hook, .calendar].contains(scope)
        || self == .read && scope == .run
    }
  }

  /// A random id, never used again; owns runs.
  package let id: String
  /// The person's name for it.
  package let name: String
  package let scope: Scope
  /// The intents and shortcuts it may call, for ``Scope/run``, or the webhooks, for ``Scope/hook``.
  package var only: [String] = []
  /// The permissions of the automations that its webhooks trigger, in the engine's encoding.
  package var access: [String: String] = [:]
  /// Seconds since 1970.
  package let created: Int64
  /// Seconds since 1970; nil if it does not expire.
  package let expires: Int64?
  /// The SHA-256 of the secret, in hexadecimal.
  let hash: String

  /// Whether it belongs to a device, which cannot grant access.
  var isDevice = false

  /// The permission of the person's browser; without a secret.
  static func browser(_ scope: Scope, isDevice: Bool = false) -> Token {
    Token(
      id: "page", name: "page", scope: scope, created: 0, expires: nil, hash: "",
      isDevice: isDevice)
  }

  /// Whether it belongs to a browser.
  var isBrowser: Bool { hash.isEmpty }

  /// Whether it is valid at a time in seconds since 1970.
  package func isValid(at now: Int64) -> Bool { expires.map { now < $0 } ?? true }

  /// Whether it may call an intent or a shortcut.
  ///
  /// - Parameter onlyReads: Whether the call changes nothing, inside and outside the library.
  func mayCall(_ action: String, onlyReads: Bool) -> Bool {
    switch scope {
    case .all: true
    case .read: onlyReads
    case .run: only.contains(action)
    case .share, .hook, .calendar: false
    }
  }

  var json: JSONValue {
    .object([
      "id": .string(id), "name": .string(name), "scope": .string(scope.rawValue),
      "only": .array(only.map(JSONValue.string)), "created": .int(created),
      "expires": expires.map(JSONValue.int) ?? .null, "hash": .string(hash),
      "access": .object(access.mapValues(JSONValue.string)),
    ])
  }
}

extension Token {
  init?(json: JSONValue) {
    guard let id = json["id"]?.string, let name = json["name"]?.string,
      let scope = json["scope"]?.string.flatMap(Scope.init), let created = json["created"]?.int,
      let hash = json["hash"]?.string
    else { return nil }
    var access: [String: String] = [:]
    if case .object(let members)? = json["access"] { access = members.compactMapValues(\.string) }
    self.init(
      id: id, name: name, scope: scope, only: json["only"]?.array?.compactMap(\.string) ?? [],
      access: access, created: created,
      expires: json["expires"]?.int, hash: hash)
  }
}
