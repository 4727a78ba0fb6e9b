import ErrandKit
import Links

/// Seals the ids of waiting calls, so that only their caller can continue them.
struct CallSeal {
  private let key: LinkKey

  /// Creates a seal with a random key; nil if the system has no random source.
  init?() {
    guard let key = LinkKey.random() else { return nil }
    self.key = key
  }

  /// Returns an unpredictable id.
  static func randomID() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<2).map { _ in String(generator.next() as UInt64, radix: 36) }.joined()
  }

  /// Returns the state of a call: its id and a code over id, caller and call.
  func state(
    of id: String, by caller: String, name: String, arguments: [String: JSONValue]
  ) -> String {
    "\(id).\(key.code(of: Self.text(of: id, by: caller, name: name, arguments: arguments)))"
  }

  /// Whether a state is that of a call.
  func isValid(
    _ state: String, of id: String, by caller: String, name: String,
    arguments: [String: JSONValue]
  ) -> Bool {
    let expected = Array(self.state(of: id, by: caller, name: name, arguments: arguments).utf8)
    return Array(state.utf8).isSameInConstantTime(as: expected)
  }

  private static func text(
    of id: String, by caller: String, name: String, arguments: [String: JSONValue]
  ) -> String {
    let call: JSONValue = [.string(id), .string(caller), .string(name), .object(arguments)]
    return (try? call.text()) ?? ""
  }
}
