package import Engine
import JSON
package import Program

/// Asks a person once for the capabilities of foreign definitions, and remembers the answer.
package struct PermissionPrompt {
  private let places: Places?
  private let front: any Front
  private let allowed: [Capability]
  private let allowsAll: Bool
  private let canonical: @Sendable (String) -> String

  /// Creates a gate that asks through a front.
  ///
  /// - Parameters:
  ///   - places: The locations of remembered grants; nil to remember nothing.
  ///   - allowed: Capabilities granted in advance.
  ///   - allowsAll: Whether every capability is granted.
  ///   - canonical: Returns the absolute path without symbolic links.
  package init(
    _ places: Places?, _ front: any Front, allowed: [Capability], allowsAll: Bool,
    canonical: @escaping @Sendable (String) -> String
  ) {
    self.places = places
    self.front = front
    self.allowed = allowed
    self.allowsAll = allowsAll
    self.canonical = canonical
  }

  /// Returns the granted capabilities, after asking if necessary.
  ///
  /// - Throws: `not-allowed` if no one can answer, `declined`.
  package func decide(_ request: PermissionRequest) throws -> CapabilitySet {
    if allowsAll { return .all }
    let given = CapabilitySet(allowed, canonical: canonical)
    let left = request.capabilities.filter { !given.covers($0) }
    if left.isEmpty { return given }
    let record = PermissionRecord(request, canonical: canonical)
    let all = CapabilitySet(request.capabilities + allowed, canonical: canonical)
    if let places, record.isAllowed(in: places) { return all }
    let subject = record.subject
    guard front.canAnswer else {
      throw RunError(
        .notAllowed, "\(subject) is not allowed to \(Self.sentence(left))",
        remedy: .allow(left.map(\.grant)))
    }
    let prompt = Self.prompt(subject, request.capabilities)
    let question = Question(.confirmation(danger: false), key: "access", prompt: prompt)
    guard case .confirmed(true) = try front.ask(question) else {
      var error = RunError(.declined, "\(subject) was not allowed to \(Self.sentence(left))")
      error.farewell = "Nothing run."
      throw error
    }
    if let places { try AllowedFile(path: places.allowed).add(record) }
    return all
  }

  /// The permissions of a definition that others will start, in the engine's encoding, after its access was
  /// shown and allowed.
  ///
  /// Whoever starts it chooses its input, so its runs are held to them.
  ///
  /// - Parameter question: Makes the question from a sentence about its access.
  /// - Throws: `declined`, `needs-value` if nobody can answer; `Diagnostics` for its mistakes.
  package static func heldAccess(
    of name: String, _ run: Run, key: String, question: (String) -> String
  ) throws -> String {
    let workspace = run.workspace
    try workspace.check(action: name)
    let capabilities = try workspace.capabilities(of: name)
    let access =
      capabilities.isEmpty
      ? "touches nothing outside the library."
      : "may\n" + lines(capabilities).map { "  \($0)\n" }.joined()
    guard try run.confirm(question(access), key: key) else {
      throw RunError(.declined, "`\(name)` was not allowed to be started by others")
    }
    let set = CapabilitySet(capabilities, canonical: run.host.machine.files.canonical)
    return try JSONWriter(escapesInvisible: false).text(of: set.value)
  }

  // MARK: Wording

  /// The question about requested capabilities.
  package static func prompt(_ subject: String, _ capabilities: [Capability]) -> String {
    "\(subject) wants to\n" + lines(capabilities).map { "  \($0)\n" }.joined()
      + "Allow this from now on?"
  }

  /// One line for each requested capability.
  package static func lines(_ capabilities: [Capability]) -> [String] {
    capabilities.map { capability in capability.words + (capability.reason.map { " (\($0))" } ?? "")
    }
  }

  private static func sentence(_ capabilities: [Capability]) -> String {
    lines(capabilities).joined(separator: ", ")
  }
}
