import CEL

/// A capability of a step outside the store: use of a program, a host, a folder or a secret.
package struct Capability: Hashable, Sendable {
  /// Kinds of capabilities, named as in `--allow`.
  package enum Kind: String, Sendable, CaseIterable {
    /// Starts a program.
    case exec
    /// Reaches a host.
    case http
    /// Reads a file, or the files in a folder.
    case read
    /// Writes, moves or deletes a file, or the files in a folder.
    case write
    /// Reads or changes the clipboard.
    case clipboard
    /// Opens a URL in the browser.
    case open
    /// Sends a notification by mail, an ntfy server or a program, as configured.
    case notify
    /// Uses a secret.
    case secret
    /// Runs an action whose name is computed.
    case run
  }

  package let kind: Kind
  /// Program, host, path or secret; nil for any.
  package let target: String?
  /// The reason why the target is unknown; nil if obvious.
  package let reason: String?
  /// Files that the program executes, such as a script for an interpreter.
  package let files: [String]

  /// Creates a capability for one program, host, path or secret.
  package init(_ kind: Kind, _ target: String) {
    self.kind = kind
    self.target = target
    reason = nil
    files = []
  }

  /// Creates a capability for any target of a kind.
  package init(any kind: Kind, because reason: String? = nil, files: [String] = []) {
    self.kind = kind
    target = nil
    self.reason = reason
    self.files = files
  }
}

/// The part of a text that is known before the run.
package enum KnownText: Equatable, Sendable {
  /// All of the text.
  case whole(String)
  /// A prefix; the rest is computed when the step runs.
  case beginning(String)
}

extension VerbCall {
  /// The known part of a text argument; nil if it is not given.
  package func known<Content>(_ key: Argument<Content>) -> KnownText? {
    guard case .value(let value, _, _)? = self[key] else { return nil }
    return value.knownText
  }

  /// The known part of each text in a list; nil if it is not given, or computed.
  package func knownList<Content>(_ key: Argument<Content>) -> [KnownText]? {
    guard case .value(let value, _, _)? = self[key] else { return nil }
    switch value {
    case .constant(.list(let values)): return values.map { .whole($0.text) }
    case .list(let values): return values.map(\.knownText)
    default: return nil
    }
  }

  /// Whether each text of a literal list begins with `~/`.
  package func beginsInHome<Content>(_ key: Argument<Content>) -> [Bool] {
    (knownList(key) ?? []).map { known in
      switch known {
      case .whole(let text), .beginning(let text): text.hasPrefix("~/")
      }
    }
  }

  /// Keys of a map argument; nil if they are computed.
  package func knownKeys<Content>(_ key: Argument<Content>) -> [String]? {
    guard let argument = self[key] else { return [] }
    guard case .value(let value, _, _) = argument else { return nil }
    return value.knownKeys
  }

  /// The capabilities needed for the path in an argument; none if it is not given.
  package func capabilities<Content>(_ kind: Capability.Kind, path key: Argument<Content>)
    -> [Capability]
  {
    guard let known = known(key) else { return [] }
    switch known {
    case .whole(let path): return [Capability(kind, path)]
    case .beginning(let text):
      // A prefix is reliable up to its last slash; the rest is checked when the path is known.
      guard let slash = text.lastIndex(of: "/"), slash != text.startIndex else {
        return [Capability(any: kind, because: "a path is made when the step runs")]
      }
      return [Capability(kind, String(text[..<slash]))]
    }
  }
}

extension CompiledValue {
  /// Keys of a map; nil for other values, or if they are computed.
  package var knownKeys: [String]? {
    switch self {
    case .constant(.map(let map)): map.entries.map(\.key.text)
    case .map(let entries): entries.map(\.0)
    default: nil
    }
  }

  /// The part of its text that is known before the run.
  var knownText: KnownText {
    switch self {
    case .constant(let value): return .whole(value.text)
    case .template(let template):
      if case .text(let text)? = template.segments.first { return .beginning(text) }
      return .beginning("")
    case .list, .map: return .beginning("")
    }
  }
}
