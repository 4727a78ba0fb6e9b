import CEL
import Engine
import ErrandKit
import Glibc
import Program
import Source

/// Asks a person once what definitions from elsewhere may touch, and remembers the answer.
struct AccessGate {
  private let invocation: Invocation
  private var canonical: @Sendable (String) -> String { invocation.canonical }

  init(_ invocation: Invocation) {
    self.invocation = invocation
  }

  /// What the definitions may touch.
  ///
  /// - Throws: `not-allowed` when nobody can answer, `declined`, `UsageError` for a flag that can't
  ///   be understood.
  func decide(_ request: AccessRequest) throws -> Permissions {
    let given = try AccessGrants(
      invocation.arguments.all(Flag.allow.name), ProcessEnvironment.value("ERRAND_ALLOW"))
    if given.isAll { return .all }
    let flags = Permissions(given.touches, canonical: canonical)
    let left = request.touches.filter { !flags.covers($0) }
    if left.isEmpty { return flags }
    let record = AccessRecord(request, canonical: canonical)
    let all = Permissions(request.touches + given.touches, canonical: canonical)
    let file = invocation.places.map { AllowedFile(path: $0.allowed) }
    if file?.holds(record) == true || isFollowed(record) { return all }
    let subject = record.subject
    guard invocation.front.canAnswer else {
      throw RunError(
        .notAllowed, "\(subject) isn't allowed to \(Self.sentence(left))",
        remedy: .allow(left.map(\.grant)))
    }
    let question = Question.confirming(
      Self.prompt(subject, request.touches), key: "access", danger: false)
    guard case .confirmed(true) = try invocation.front.ask(question) else {
      var error = RunError(.declined, "\(subject) was not allowed to \(Self.sentence(left))")
      error.farewell = "Nothing run."
      throw error
    }
    try file?.add(record)
    return all
  }

  /// Whether all of it stands in folders of the person's own that may do whatever they say.
  private func isFollowed(_ record: AccessRecord) -> Bool {
    guard let places = invocation.places else { return false }
    let trusted = TrustFile(path: places.trusted)
    return record.files.allSatisfy(trusted.isFollowed)
  }

  // MARK: Words

  /// The question about things that may be touched.
  static func prompt(_ subject: String, _ touches: [Touch]) -> String {
    "\(subject) wants to\n" + lines(touches).map { "  \($0)\n" }.joined()
      + "Allow this from now on?"
  }

  /// A line for each thing that may be touched.
  static func lines(_ touches: [Touch]) -> [String] {
    touches.map { touch in touch.words + (touch.reason.map { " (\($0))" } ?? "") }
  }

  private static func sentence(_ touches: [Touch]) -> String {
    lines(touches).joined(separator: ", ")
  }
}
