import CEL
import Items
import Program

/// What checks ask of calls of verbs.
extension VerbCall {
  /// Whether the run fails where nobody answers it.
  var isQuestion: Bool {
    switch verb.name {
    case "delete":
      guard case .value(let value, _, _)? = self[DeleteVerb.confirm] else { return true }
      return value.known == .bool(true)
    case "ask": return self[AskVerb.defaultValue] == nil
    case "confirm":
      guard case .value(let value, _, _)? = self[ConfirmVerb.isOptional] else { return true }
      return value.known == .bool(false)
    case "choose": return true
    default: return false
    }
  }

  /// Whether it is a `fail` that may raise an error of a code, which may be known only in the run.
  func mayRaise(_ code: String) -> Bool {
    guard verb.name == "fail" else { return false }
    if case .value(let value, _, _)? = self[FailVerb.code] {
      guard let known = value.known, known != .string(code) else { return true }
    }
    // A map with a code is raised as that error; one that was caught has a code of the others.
    guard case .value(let message, _, _)? = self[FailVerb.message] else { return false }
    switch message.type?.unwrapped {
    case .string?, .int?, .double?, .bool?, .enumeration?, .list?: return false
    case .record(let record)?: return record != KnownRecord.error
    default: return true
    }
  }
}
