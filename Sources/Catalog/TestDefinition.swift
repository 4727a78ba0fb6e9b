package import Source
package import YAML

/// A test of an intent or a shortcut: its setup, fakes and expectations.
package struct TestDefinition: Sendable {
  /// Items in the store at the start.
  package struct Given: Sendable {
    package let entity: Scalar
    package let items: [Mapping]
  }

  /// The trigger of an automation.
  package struct Trigger: Sendable {
    package let span: Span
    /// Kind or id of an entry of `on`; nil for the first that matches the rest.
    package internal(set) var kind: Scalar?
    /// Properties of the item after the change, or of the shared thing.
    package internal(set) var item: Mapping?
    /// Properties with another value before the change.
    package internal(set) var was: Mapping?
    package internal(set) var path: Scalar?
    package internal(set) var time: Scalar?
    /// The action chosen on a notification of the run before.
    package internal(set) var answer: Scalar?
    /// The body of a request.
    package internal(set) var body: Node?

    /// Whether an entry of `on` matches.
    package func fits(kind: String, id: String) -> Bool {
      if let name = self.kind?.text, name != kind, name != id { return false }
      switch kind {
      case "created", "due", "event", "share": return item != nil && was == nil
      case "changed": return item != nil
      case "file": return path != nil
      case "webhook": return item == nil && path == nil
      default: return item == nil && path == nil && body == nil
      }
    }
  }

  /// The expectation for one subject.
  package struct Expectation: Sendable {
    package let subject: Scalar
    package let matcher: TestMatcher
  }

  package internal(set) var name: String
  package let span: Span
  package internal(set) var given: [Given] = []
  package internal(set) var input: Node?
  /// A sentence to be understood; nil for a test that runs the definition.
  package internal(set) var say: Scalar?
  package internal(set) var trigger: Trigger?
  package internal(set) var parameters: [Mapping.Entry] = []
  package internal(set) var fakes = TestFakes()
  /// Answers by question key; a list answers successive prompts.
  package internal(set) var answers: [Mapping.Entry] = []
  /// Verb or step after which the run is killed and then resumed.
  package internal(set) var crashAfter: Scalar?
  package internal(set) var expectations: [Expectation] = []

  /// Subjects of expectations of a run.
  package static let runSubjects = subjects.filter { $0 != "intent" && $0 != "parameters" }

  /// Subjects of expectations.
  package static let subjects = [
    "output", "dialog", "clipboard", "opened", "store", "error", "http", "exec", "files",
    "notifications", "steps", "shown", "log", "intent", "parameters",
  ]

  /// The fields of the records that are expected of a subject; nil for other values.
  package static func fields(of subject: String) -> [String]? {
    switch subject {
    case "error": ["code", "message", "data", "step", "cause", "status"]
    case "http": ["method", "url", "headers", "body", "save"]
    case "exec": ["command", "stdin", "env", "dir", "save"]
    case "notifications": ["title", "text", "urgency", "actions", "via"]
    default: nil
    }
  }
}

/// Fakes for the outside world in a test.
package struct TestFakes: Sendable {
  /// Start time of the run.
  package var now: Scalar?
  /// Fake programs, by patterns of command lines.
  package var exec: [FakeRule]?
  /// Fake servers, by patterns of method and URL.
  package var http: [FakeRule]?
  /// Files, by path.
  package var files: [FakeRule]?
  /// Secrets, by name.
  package var secrets: [(name: Scalar, text: Scalar)] = []
  /// Environment variables.
  package var env: [(name: Scalar, text: Scalar)] = []
  /// Successive texts on the clipboard.
  package var clipboard: [Scalar]?
  /// Actions chosen on successive notifications; null for none.
  package var notifications: [Scalar]?
  /// Whether a browser can open pages.
  package var browser = true
  /// Whether other machines can be reached.
  package var online = true
  /// Days on which nobody works; nil if they are unknown.
  package var holidays: [Scalar]?

  /// Creates a set without fakes.
  package init() {}
}

/// A fake for every name that matches a pattern, in which `*` is any text.
package struct FakeRule: Sendable {
  package let pattern: Scalar
  /// Successive replies; the last one repeats.
  package let replies: [FakeReply]
}

/// A reply of a fake.
package struct FakeReply: Sendable {
  package let span: Span
  /// Parts by key, such as `status` and `stdout`; a plain text has the key `text`.
  package let parts: [Mapping.Entry]

  /// The part with a key.
  package subscript(key: String) -> Node? { parts.first { $0.key.text == key }?.value }
}
