import CEL

/// One thing outside the store that a step may touch: a program, a host, a folder, a secret.
package struct Touch: Hashable, Sendable {
  /// What kind of thing it is; the names are those of `--allow`.
  package enum Kind: String, Sendable, CaseIterable {
    /// Starts a program.
    case exec
    /// Reaches a host.
    case http
    /// Reads a file, or what lies in a folder.
    case read
    /// Writes, moves or deletes a file, or what lies in a folder.
    case write
    /// Reads or changes the clipboard.
    case clipboard
    /// Opens an address in the browser.
    case open
    /// Sends a notification by mail, an ntfy server or a program, whichever the person has set up.
    case notify
    /// Uses a secret.
    case secret
    /// Runs something whose name is made when the step runs.
    case run
  }

  package let kind: Kind
  /// Which one; nil for any.
  package let target: String?
  /// Why it may be any one; nil where that is plain.
  package let reason: String?
  /// The files that a program is told to run, such as a script for an interpreter.
  package let files: [String]

  /// A certain program, host, path or secret; the clipboard and the browser have no target.
  package init(_ kind: Kind, _ target: String) {
    self.kind = kind
    self.target = target
    reason = nil
    files = []
  }

  /// Any of its kind, for a reason.
  package init(any kind: Kind, because reason: String? = nil, files: [String] = []) {
    self.kind = kind
    target = nil
    self.reason = reason
    self.files = files
  }
}

/// What is known of a text before the run.
package enum KnownText: Equatable, Sendable {
  /// All of it.
  case whole(String)
  /// How it begins; the rest is made when the step runs.
  case beginning(String)
}

extension VerbCall {
  /// What is known of the text of an argument; nil when it is not given.
  package func known<Content>(_ key: Argument<Content>) -> KnownText? {
    guard case .value(let value, _, _)? = self[key] else { return nil }
    return value.knownText
  }

  /// What is known of each text of a list; nil when it is not given, or made when the step runs.
  package func knownList<Content>(_ key: Argument<Content>) -> [KnownText]? {
    guard case .value(let value, _, _)? = self[key] else { return nil }
    switch value {
    case .constant(.list(let values)): return values.map { .whole($0.text) }
    case .list(let values): return values.map(\.knownText)
    default: return nil
    }
  }

  /// For each text of a list that is written out whether it is written with `~/` at its beginning.
  package func beginsInHome<Content>(_ key: Argument<Content>) -> [Bool] {
    (knownList(key) ?? []).map { known in
      switch known {
      case .whole(let text), .beginning(let text): text.hasPrefix("~/")
      }
    }
  }

  /// The keys of a map; nil when they are made when the step runs.
  package func knownKeys<Content>(_ key: Argument<Content>) -> [String]? {
    guard let argument = self[key] else { return [] }
    guard case .value(let value, _, _) = argument else { return nil }
    return value.knownKeys
  }

  /// What a path that is read or written stands for; nothing when it is not given.
  package func touches<Content>(_ kind: Touch.Kind, path key: Argument<Content>) -> [Touch] {
    guard let known = known(key) else { return [] }
    switch known {
    case .whole(let path): return [Touch(kind, path)]
    case .beginning(let text):
      // The folder is certain where a slash ends it; what comes after is looked at when it is known.
      guard let slash = text.lastIndex(of: "/"), slash != text.startIndex else {
        return [Touch(any: kind, because: "a path is made when the step runs")]
      }
      return [Touch(kind, String(text[..<slash]))]
    }
  }
}

extension CompiledValue {
  /// The keys of a map; nil for another value, and where they are made when the step runs.
  package var knownKeys: [String]? {
    switch self {
    case .constant(.map(let map)): map.entries.map(\.key.text)
    case .map(let entries): entries.map(\.0)
    default: nil
    }
  }

  /// What is known of its text before the run.
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
