package import Source
package import YAML

/// A test of an intent or a shortcut: what is given, what stands for the world, what is expected.
package struct TestDefinition: Sendable {
  /// Items that are in the store when it begins.
  package struct Given: Sendable {
    package let entity: Scalar
    package let items: [Mapping]
  }

  /// The trigger of an automation.
  package struct Trigger: Sendable {
    package let span: Span
    /// The kind or the id of an entry of `on`; nil for the first that fits the rest.
    package let kind: Scalar?
    /// The item as the change left it, by its properties; or what is shared.
    package let item: Mapping?
    /// The properties that were others before the change.
    package let was: Mapping?
    package let path: Scalar?
    package let time: Scalar?

    /// Whether an entry of `on` may be meant.
    package func fits(kind: String, id: String) -> Bool {
      if let name = self.kind?.text, name != kind, name != id { return false }
      switch kind {
      case "created", "share": return item != nil && was == nil
      case "changed": return item != nil
      case "file": return path != nil
      default: return item == nil && path == nil
      }
    }
  }

  /// What is expected of one subject.
  package struct Expectation: Sendable {
    package let subject: Scalar
    package let matcher: TestMatcher
  }

  package let name: String
  package let span: Span
  package let given: [Given]
  package let input: Node?
  package let trigger: Trigger?
  package let parameters: [Mapping.Entry]
  package let fakes: TestFakes
  /// Answers by the key of their question; a list holds those of successive askings.
  package let answers: [Mapping.Entry]
  /// The verb or the step behind which the run is ended as by a crash, and then resumed.
  package let crashAfter: Scalar?
  package let expectations: [Expectation]

  /// What a test may expect something of.
  package static let subjects = [
    "output", "dialog", "clipboard", "opened", "store", "error", "http", "exec", "files",
    "notifications", "steps", "shown", "log",
  ]
}

/// What stands for the world outside in a test.
package struct TestFakes: Sendable {
  /// The time at which the run begins.
  package var now: Scalar?
  /// What stands for programs, by patterns of their command lines.
  package var exec: [FakeRule]?
  /// What stands for servers, by patterns of a method and an address.
  package var http: [FakeRule]?
  /// The files that are there, by their paths.
  package var files: [FakeRule]?
  /// The texts of secrets, by their names.
  package var secrets: [(name: Scalar, text: Scalar)] = []
  /// Variables of the environment.
  package var env: [(name: Scalar, text: Scalar)] = []
  /// What is on the clipboard, one text after the other.
  package var clipboard: [Scalar]?
  /// The actions that are taken on notifications, one after the other; null for none.
  package var notifications: [Scalar]?
  /// Whether a browser opens what is to be opened.
  package var browser = true
  /// Whether there is a way to other machines.
  package var online = true

  /// Nothing stands for anything.
  package init() {}

  /// The words of all of them.
  package static let keys = [
    "now", "http", "exec", "files", "secrets", "clipboard", "notifications", "browser", "env",
    "online",
  ]
}

/// What stands for something outside whenever its name fits a pattern, in which `*` is any text.
package struct FakeRule: Sendable {
  package let pattern: Scalar
  /// What it gives, one after the other; the last repeats.
  package let replies: [FakeReply]
}

/// One reply of something that is faked.
package struct FakeReply: Sendable {
  package let span: Span
  /// The parts by their keys, such as `status` and `stdout`; a text alone stands under `text`.
  package let parts: [Mapping.Entry]

  /// The part of a key.
  package subscript(key: String) -> Node? { parts.first { $0.key.text == key }?.value }
}
