import ErrandKit

/// The requests by which a device may change something: those about items, runs and jobs. It leaves to the
/// computer what grants access, makes tokens, takes secrets, or changes definitions and settings.
enum DeviceRules {
  /// The first segments of the paths of those requests, besides `run` and `settings`.
  private static let paths: Set = [
    "api", "bulk", "import", "inbox", "item", "jobs", "lists", "new", "notification", "pad",
    "queue",
    "runs", "share-target", "tags", "tasks", "test", "undo", "widgets",
  ]
  /// The forms of the settings that concern the device alone.
  private static let settings: Set = ["push", "push-key", "push-remove", "push-test"]

  /// Whether a signed-in device may make a request that changes something.
  static func allow(_ path: [String]) -> Bool {
    // The page leaves empty segments out, too.
    let path = path.filter { !$0.isEmpty }
    return switch path.first {
    case "settings": path.count == 2 && settings.contains(path[1])
    case "run": path.count < 4 || !["allow", "secret"].contains(path[3])
    case let first?: paths.contains(first)
    case nil: false
    }
  }

  static let refusal = Problem(
    403, "not-allowed", "a device cannot do this", help: "do it on the computer")

  /// Whether an answer would grant access to a definition.
  static func grantsAccess(_ question: JSONValue) -> Bool {
    question["key"] == "access" && question["choices"] == nil
  }
}
