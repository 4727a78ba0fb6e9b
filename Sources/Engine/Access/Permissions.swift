package import CEL
import Catalog
package import Program
import Source
import YAML

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

/// What definitions that came from elsewhere want to touch, for a person to decide about.
package struct AccessRequest: Sendable {
  /// A definition that takes part.
  package struct Part: Sendable {
    /// The kind and the name, such as `shortcut fetch`.
    package let name: String
    /// The document as it is written.
    package let text: String
    /// The file that it stands in.
    package let file: String
  }

  /// What came from elsewhere and what that calls, without what came with the program.
  package let parts: [Part]
  /// The files of what came from elsewhere, each once; first that of what asks.
  package let files: [String]
  /// What all of them may touch, in the order in which it is shown.
  package let touches: [Touch]
}

extension Touch {
  /// Puts the gravest first, and what is of one kind together.
  package static func isBefore(_ left: Touch, _ right: Touch) -> Bool {
    let order = Kind.allCases
    let places = [left, right].map { order.firstIndex(of: $0.kind) ?? 0 }
    if places[0] != places[1] { return places[0] < places[1] }
    return (left.target ?? "", left.reason ?? "") < (right.target ?? "", right.reason ?? "")
  }

  /// It as `--allow` takes it, such as `exec:git`.
  package var grant: String {
    switch kind {
    case .clipboard, .open: kind.rawValue
    default: "\(kind.rawValue):\(target ?? "*")"
    }
  }
}

/// What intents and shortcuts may touch, over all that they call.
extension Workspace {
  /// Everything that an intent or a shortcut may touch, with all that it calls.
  ///
  /// - Throws: `Diagnostics` with what is wrong with any of them.
  package func touches(of name: String) throws -> [Touch] {
    var found: Set<Touch> = []
    try visitCalled(from: [name], withJobs: true) { found.formUnion($0.touches) }
    return found.sorted(by: Touch.isBefore)
  }

  /// Whether it may come to reach the network: by an `http`, a `notify`, or by a name made when a step
  /// runs.
  package func networkNeed(of name: String) throws -> NetworkNeed {
    var need = NetworkNeed.none
    try visitCalled(from: [name]) { action in
      for touch in action.touches {
        if touch.kind == .http { need = .certain }
        // A notification that can't be sent is kept, so it does without.
        let isSent =
          touch.kind == .notify
          && touch.target ?? NotificationChannel.ntfy.rawValue
            == NotificationChannel.ntfy.rawValue
        if touch.kind == .run || isSent, need == .none { need = .possible }
      }
    }
    return need
  }

  /// What of an intent or a shortcut a person must decide about: what came from elsewhere in it and
  /// all that this calls; nil when all of it is the person's own or came with the program.
  ///
  /// - Parameter guardian: The definition that runs it and is held to what a person allowed; all
  ///   that it runs is, too, wherever it comes from.
  /// - Throws: `Diagnostics` with what is wrong with any of them.
  package func accessRequest(
    of name: String, for guardian: String? = nil
  ) throws -> AccessRequest? {
    var foreign: [String] = []
    if let guardian { foreign = guardian == name ? [name] : [guardian, name] }
    try visitCalled(from: [name], withJobs: true) { action in
      let name = action.definition.name.text
      if action.isForeign, !foreign.contains(name) { foreign.append(name) }
    }
    guard let asking = foreign.first else { return nil }
    var files = [try action(asking).definition.name.span.file.name]
    var touches: Set<Touch> = []
    var parts: [AccessRequest.Part] = []
    try visitCalled(from: foreign, withJobs: true) { action in
      touches.formUnion(action.touches)
      let name = action.definition.name
      if action.isForeign, !files.contains(name.span.file.name) {
        files.append(name.span.file.name)
      }
      guard !library.isBuiltIn(action: name.text) else { return }
      parts.append(
        AccessRequest.Part(
          name: "\(action.definition.kind.rawValue) \(name.text)",
          text: library.source(of: name.text) ?? "", file: name.span.file.name))
    }
    return AccessRequest(
      parts: parts.sorted { $0.name < $1.name }, files: files,
      touches: touches.sorted(by: Touch.isBefore))
  }

  /// Visits intents and shortcuts and all that they call, each once.
  ///
  /// - Parameter withJobs: Whether what they put into the queue is called, too.
  /// - Throws: `Diagnostics` with what is wrong with any of them.
  func visitCalled(
    from names: [String], withJobs: Bool = false, _ visit: (CompiledAction) throws -> Void
  ) throws {
    var seen = Set(names)
    var pending = names
    while let name = pending.popLast() {
      let action = try action(name)
      try visit(action)
      // What came with the program puts nothing in for those who may not do it themselves.
      let addsJobs = withJobs && !library.isBuiltIn(action: name)
      let called = addsJobs ? action.callees.union(action.enqueued) : action.callees
      for callee in called where seen.insert(callee).inserted { pending.append(callee) }
    }
  }
}

/// Whether a program comes to reach the network.
package enum NetworkNeed: Sendable {
  /// Nothing in it does.
  case none
  /// What it runs is named when a step runs, or it can do without.
  case possible
  /// A step in it does.
  case certain
}

extension Touch {
  /// What is done to it, in words that follow “may”.
  package var words: String {
    switch kind {
    case .exec: "run \(target ?? "arbitrary programs")"
    case .http: "reach \(target ?? "arbitrary hosts")"
    case .read: "read \(target ?? "arbitrary files")"
    case .write: "write \(target ?? "arbitrary files")"
    case .clipboard: "use the clipboard"
    case .open: "open addresses and files"
    case .notify: "send notifications by \(target ?? "any channel")"
    case .secret: "use \(target.map { "the secret \($0)" } ?? "arbitrary secrets")"
    case .run: "run \(target.map { "`\($0)`" } ?? "what it names later")"
    }
  }
}
