import CEL
import Engine
import Source

extension Errand {
  /// An intent or a shortcut that an assistant could call.
  public struct AssistantTool: Hashable, Sendable {
    /// The intent or shortcut.
    public let definition: Definition
    /// Whether the person lets assistants call it.
    public let isAllowed: Bool
  }

  /// Returns the person's own and the built-in intents and shortcuts, by name.
  ///
  /// Until the person decides with ``setAssistantAccess(to:allowed:)``, assistants may call
  /// definitions that change nothing and have no effects outside the library. Definitions with
  /// mistakes are left out; ``check(_:)`` reports them.
  public func assistantTools() -> [AssistantTool] {
    let decisions = assistantRules?.read() ?? []
    return definitions.filter { ["intent", "shortcut"].contains($0.kind) }
      .compactMap { try? definition($0.name) }
      .filter { !$0.isForeign && ["built in", "your own"].contains($0.summary.origin) }
      .map { definition in
        let decision = decisions.last { $0.path == definition.summary.name }?.hash
        let isHarmless = !definition.mayChange && definition.capabilities.isEmpty
        return AssistantTool(
          definition: definition, isAllowed: decision.map { $0 == "allow" } ?? isHarmless)
      }
      .sorted { $0.definition.summary.name < $1.definition.summary.name }
  }

  /// Saves whether assistants may call intents and shortcuts.
  ///
  /// - Throws: `not-found` if one is not in ``assistantTools()``, then nothing is saved;
  ///   `unwritable`, `io`.
  public func setAssistantAccess(to names: [String], allowed: Bool) throws(ErrandError) {
    let known = assistantTools().map(\.definition.summary.name)
    for name in names where !known.contains(name) {
      throw ErrandError(
        code: "not-found",
        message: "there is no intent or shortcut `\(name)` of your own or built in",
        help: Suggestion.help(for: name, in: known))
    }
    _ = try neededPlaces()
    try ErrandError.translating {
      try assistantRules?.change { entries in
        entries.removeAll { names.contains($0.path) }
        entries += names.map { .init(hash: allowed ? "allow" : "deny", path: $0) }
      }
    }
  }

  /// Appends a line to the log of assistants' calls, in the state folder.
  package func logAssistantCall(_ members: [String: JSONValue]) {
    guard let places else { return }
    let time = JSONValue(.timestamp(SystemHost.now()))
    guard let line = try? JSONValue.object(members.merging(["time": time]) { $1 }).text() else {
      return
    }
    _ = PrivateFile(path: places.state + "/assistants.log").append(line + "\n", limit: 4 << 20)
  }

  private var assistantRules: TrustLines? {
    places.map { TrustLines(path: $0.state + "/assistants", header: "errand assistants 1") }
  }
}
