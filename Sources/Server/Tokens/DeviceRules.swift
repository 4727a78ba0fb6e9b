import ErrandKit

/// The requests that a device must leave to the computer: those that grant access, make tokens,
/// take secrets, or change definitions and settings.
enum DeviceRules {
  /// The forms of the settings that concern the device alone.
  private static let settings: Set = ["push", "push-key", "push-remove", "push-test"]

  /// Whether a signed-in device may make a request that changes something.
  static func allow(_ path: [String]) -> Bool {
    // The page leaves empty segments out, too.
    let path = path.filter { !$0.isEmpty }
    return switch path.first {
    case "settings": path.count == 2 && settings.contains(path[1])
    case "source", "check", "gallery", "automations": false
    case "run": path.count < 4 || !["allow", "secret"].contains(path[3])
    default: true
    }
  }

  static let refusal = Problem(
    403, "not-allowed", "a device cannot do this", help: "do it on the computer")

  /// Whether an answer would grant access to a definition.
  static func grantsAccess(_ question: JSONValue) -> Bool {
    question["key"] == "access" && question["choices"] == nil
  }
}
