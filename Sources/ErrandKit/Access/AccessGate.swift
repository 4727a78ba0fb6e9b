package import Engine
package import Program

/// Asks a person once what definitions from elsewhere may touch, and remembers the answer.
package struct AccessGate {
  private let places: Places?
  private let front: any Front
  private let allowed: [Touch]
  private let allowsAll: Bool
  private let canonical: @Sendable (String) -> String

  /// A gate at which a front answers.
  ///
  /// - Parameters:
  ///   - places: Where answers are remembered; nil for nowhere.
  ///   - allowed: What is allowed ahead of time.
  ///   - allowsAll: Whether everything is.
  ///   - canonical: A path in full and without links.
  package init(
    _ places: Places?, _ front: any Front, allowed: [Touch], allowsAll: Bool,
    canonical: @escaping @Sendable (String) -> String
  ) {
    self.places = places
    self.front = front
    self.allowed = allowed
    self.allowsAll = allowsAll
    self.canonical = canonical
  }

  /// What the definitions may touch.
  ///
  /// - Throws: `not-allowed` when nobody can answer, `declined`.
  package func decide(_ request: AccessRequest) throws -> Permissions {
    if allowsAll { return .all }
    let given = Permissions(allowed, canonical: canonical)
    let left = request.touches.filter { !given.covers($0) }
    if left.isEmpty { return given }
    let record = AccessRecord(request, canonical: canonical)
    let all = Permissions(request.touches + allowed, canonical: canonical)
    if let places, record.isAllowed(in: places) { return all }
    let subject = record.subject
    guard front.canAnswer else {
      throw RunError(
        .notAllowed, "\(subject) isn't allowed to \(Self.sentence(left))",
        remedy: .allow(left.map(\.grant)))
    }
    let question = Question.confirming(
      Self.prompt(subject, request.touches), key: "access", danger: false)
    guard case .confirmed(true) = try front.ask(question) else {
      var error = RunError(.declined, "\(subject) was not allowed to \(Self.sentence(left))")
      error.farewell = "Nothing run."
      throw error
    }
    if let places { try AllowedFile(path: places.allowed).add(record) }
    return all
  }

  // MARK: Words

  /// The question about things that may be touched.
  package static func prompt(_ subject: String, _ touches: [Touch]) -> String {
    "\(subject) wants to\n" + lines(touches).map { "  \($0)\n" }.joined()
      + "Allow this from now on?"
  }

  /// A line for each thing that may be touched.
  package static func lines(_ touches: [Touch]) -> [String] {
    touches.map { touch in touch.words + (touch.reason.map { " (\($0))" } ?? "") }
  }

  private static func sentence(_ touches: [Touch]) -> String {
    lines(touches).joined(separator: ", ")
  }
}
