package import CEL
import Catalog
package import Program
import Source
import YAML

/// The capabilities granted by a person, or all of them.
package struct CapabilitySet: Sendable {
  /// The granted capabilities; nil for all.
  private let granted: Set<Capability>?
  /// The canonical path, used to compare paths.
  private let canonical: @Sendable (String) -> String

  /// All capabilities.
  package static let all = CapabilitySet(granted: nil, canonical: { $0 })

  private init(granted: Set<Capability>?, canonical: @escaping @Sendable (String) -> String) {
    self.granted = granted
    self.canonical = canonical
  }

  /// Only these capabilities; a path includes everything below it.
  ///
  /// - Parameter canonical: resolves a path to its canonical form.
  package init(
    _ granted: some Sequence<Capability>, canonical: @escaping @Sendable (String) -> String
  ) {
    let keyed = granted.map { capability in
      capability.target.map {
        Capability(capability.kind, Self.key(capability.kind, $0, canonical))
      }
        ?? Capability(any: capability.kind)
    }
    self.init(granted: Set(keyed), canonical: canonical)
  }

  /// The union of these and other permissions.
  func joined(by others: CapabilitySet) -> CapabilitySet {
    guard let granted, let further = others.granted else { return .all }
    return CapabilitySet(granted: granted.union(further), canonical: others.canonical)
  }

  /// Whether an access is allowed; a nil target stands for any.
  package func allows(_ kind: Capability.Kind, _ target: String?) -> Bool {
    guard let granted, !granted.contains(Capability(any: kind)) else { return true }
    guard let target else { return false }
    let key = Self.key(kind, target, canonical)
    if granted.contains(Capability(kind, key)) { return true }
    switch kind {
    case .read, .write:
      return granted.contains { capability in
        capability.kind == kind
          && capability.target.map { key.hasPrefix($0.hasSuffix("/") ? $0 : $0 + "/") } == true
      }
    case .http:
      return granted.contains { capability in
        guard capability.kind == .http, let pattern = capability.target else { return false }
        return pattern.hasPrefix("*.") && key.hasSuffix(pattern.dropFirst())
      }
    default: return false
    }
  }

  /// Whether a program that needs a capability may start. One with an unknown target requires some
  /// grant of its kind; each access is checked at run time.
  package func covers(_ capability: Capability) -> Bool {
    guard let granted, capability.target == nil else {
      return allows(capability.kind, capability.target)
    }
    return granted.contains { $0.kind == capability.kind }
  }

  // MARK: Kept permissions

  /// The encoded permissions: pairs of kind and target; null for all.
  package var value: Value {
    guard let granted else { return .null }
    let sorted = granted.sorted {
      ($0.kind.rawValue, $0.target ?? "") < ($1.kind.rawValue, $1.target ?? "")
    }
    return .list(sorted.map { .list([.string($0.kind.rawValue), .text($0.target)]) })
  }

  /// Decodes permissions; unreadable entries grant nothing.
  ///
  /// - Parameter canonical: resolves a path to its canonical form.
  package init(value: Value, canonical: @escaping @Sendable (String) -> String) {
    guard !value.isNull else {
      self = .all
      return
    }
    let capabilities = (value.asList ?? []).compactMap { pair -> Capability? in
      guard let pair = pair.asList, pair.count == 2,
        let kind = pair[0].asText.flatMap(Capability.Kind.init)
      else { return nil }
      return pair[1].isNull ? Capability(any: kind) : pair[1].asText.map { Capability(kind, $0) }
    }
    self.init(capabilities, canonical: canonical)
  }

  private static func key(
    _ kind: Capability.Kind, _ target: String, _ canonical: (String) -> String
  ) -> String {
    switch kind {
    case .read, .write: canonical(target)
    // A program with a slash is a path; others are looked up in `PATH`.
    case .exec: target.contains("/") ? canonical(target) : target
    case .http: target.lowercased()
    default: target
    }
  }
}

/// The capabilities that definitions from elsewhere ask for.
package struct PermissionRequest: Sendable {
  /// A definition covered by the request.
  package struct Part: Sendable {
    /// The kind and the name, such as `shortcut fetch`.
    package let name: String
    /// The source text.
    package let text: String
    /// The path of its file.
    package let file: String
  }

  /// The definitions from elsewhere and their callees, without built-in ones.
  package let parts: [Part]
  /// The files of the definitions from elsewhere, or the names of built-in ones that name the
  /// services they send to; the requesting one first.
  package let files: [String]
  /// The capabilities of all of them, in display order.
  package let capabilities: [Capability]
}

extension Capability {
  /// Display order: the most dangerous kinds first.
  package static func isBefore(_ left: Capability, _ right: Capability) -> Bool {
    let order = Kind.allCases
    let places = [left, right].map { order.firstIndex(of: $0.kind) ?? 0 }
    if places[0] != places[1] { return places[0] < places[1] }
    return (left.target ?? "", left.reason ?? "") < (right.target ?? "", right.reason ?? "")
  }

  /// The form for `--allow`, such as `exec:git`.
  package var grant: String {
    switch kind {
    case .clipboard, .open: kind.rawValue
    default: "\(kind.rawValue):\(target ?? "*")"
    }
  }
}

/// Capabilities of intents and shortcuts, including their callees.
extension Workspace {
  /// The capabilities that an intent or a shortcut and its callees need.
  ///
  /// - Throws: `Diagnostics` with the errors in any of them.
  package func capabilities(of name: String) throws -> [Capability] {
    var found: Set<Capability> = []
    try visitCalled(from: [name], withJobs: true) { found.formUnion($0.capabilities) }
    return found.sorted(by: Capability.isBefore)
  }

  /// The need for network access: by an `http`, a `notify`, or a callee named at run time.
  package func networkNeed(of name: String) throws -> NetworkNeed {
    var need = NetworkNeed.none
    try visitCalled(from: [name]) { action in
      for capability in action.capabilities {
        if capability.kind == .http { need = .certain }
        // An undelivered notification is stored, so the network is optional.
        let isSent =
          capability.kind == .notify
          && [nil, NotificationChannel.ntfy.rawValue, NotificationChannel.push.rawValue]
            .contains(capability.target)
        if capability.kind == .run || isSent, need == .none { need = .possible }
      }
    }
    return need
  }

  /// The capabilities to ask for before an intent or a shortcut runs; nil when it and its callees
  /// are the person's own or built in.
  ///
  /// - Parameter guardian: the restricted definition that calls it; all its callees are restricted
  ///   too, even built-in ones.
  /// - Throws: `Diagnostics` with the errors of the definitions.
  package func permissionRequest(
    of name: String, for guardian: String? = nil
  ) throws -> PermissionRequest? {
    var foreign: [String] = []
    if let guardian { foreign = guardian == name ? [name] : [guardian, name] }
    try visitCalled(from: [name], withJobs: true) { action in
      let name = action.definition.name.text
      if action.isForeign, !foreign.contains(name) { foreign.append(name) }
    }
    guard let asking = foreign.first else { return nil }
    func file(_ name: Scalar) -> String {
      catalog.isBuiltIn(name.text) ? name.text : name.span.file.name
    }
    var files = [file(try action(asking).definition.name)]
    var capabilities: Set<Capability> = []
    var parts: [PermissionRequest.Part] = []
    try visitCalled(from: foreign, withJobs: true) { action in
      capabilities.formUnion(action.capabilities)
      let name = action.definition.name
      if action.isForeign, !files.contains(file(name)) { files.append(file(name)) }
      guard !catalog.isBuiltIn(name.text) else { return }
      parts.append(
        PermissionRequest.Part(
          name: "\(action.definition.kind.rawValue) \(name.text)",
          text: catalog.source(of: name.text) ?? "", file: name.span.file.name))
    }
    return PermissionRequest(
      parts: parts.sorted { $0.name < $1.name }, files: files,
      capabilities: capabilities.sorted(by: Capability.isBefore))
  }

  /// Visits intents and shortcuts and their callees, each once.
  ///
  /// - Parameter withJobs: whether to follow enqueued jobs as well.
  /// - Throws: `Diagnostics` with the errors in any of them.
  func visitCalled(
    from names: [String], withJobs: Bool = false, _ visit: (CompiledAction) throws -> Void
  ) throws {
    var seen = Set(names)
    var pending = names
    while let name = pending.popLast() {
      let action = try action(name)
      try visit(action)
      // A built-in definition enqueues only what its caller may enqueue.
      let addsJobs = withJobs && !catalog.isBuiltIn(name)
      let called = addsJobs ? action.callees.union(action.enqueued) : action.callees
      for callee in called.sorted() where seen.insert(callee).inserted { pending.append(callee) }
    }
  }
}

/// The need of a program for network access.
package enum NetworkNeed: Sendable {
  /// It needs none.
  case none
  /// It may need it: it calls something named at run time, or its use is optional.
  case possible
  /// One of its steps needs it.
  case certain
}

extension Capability {
  /// The access in words that follow “may”.
  package var words: String {
    switch kind {
    case .exec: "run \(target ?? "arbitrary programs")"
    case .http: "reach \(target ?? "arbitrary hosts")"
    case .read: "read \(target ?? "arbitrary files")"
    case .write: "write \(target ?? "arbitrary files")"
    case .clipboard: "use the clipboard"
    case .open: "open URLs and files"
    case .notify: "send notifications by \(target ?? "any channel")"
    case .secret: "use \(target.map { "the secret \($0)" } ?? "arbitrary secrets")"
    case .run: "run \(target.map { "`\($0)`" } ?? "what it names later")"
    }
  }
}
