import FoundationEssentials
import Testing

/// The rules of the semantics of Apple's app, each by a small shortcut that is converted and run, with
/// the result that follows from the rule: `rules.txt`.
@Suite struct RuleTests {
  /// A case: actions in shorthand, and a test of the converted shortcut.
  struct Case: CustomTestStringConvertible, Sendable {
    let rule: String
    let actions: String
    let test: String

    var testDescription: String { "\(rule) \(actions.prefix(120))" }
  }

  static let cases: [Case] = {
    let path = URL(filePath: #filePath).deletingLastPathComponent().path + "/rules.txt"
    let text = (try? String(contentsOf: URL(filePath: path), encoding: .utf8)) ?? ""
    var cases: [Case] = []
    var rule = ""
    var actions = ""
    for line in text.split(separator: "\n").map(String.init) {
      if line.hasPrefix("#") {
        rule = String(line.dropFirst(2))
      } else if line.hasPrefix("[") {
        actions = line
      } else {
        cases.append(Case(rule: rule, actions: actions, test: line))
      }
    }
    return cases
  }()

  @Test func thereAreCases() { #expect(Self.cases.count > 150) }

  @Test(arguments: cases)
  func theResultFollowsFromTheRule(_ rule: Case) throws {
    expectNone(try SampleShortcut(rule.actions).problems(rule.test))
  }

  @Test(arguments: [
    ("WFWorkflowNoInputBehaviorGetClipboard", "{fake: {clipboard: c}, expect: {output: <c>}}"),
    ("WFWorkflowNoInputBehaviorGetClipboard", "{input: x, expect: {output: <x>}}"),
    ("WFWorkflowNoInputBehaviorShowError", "expect: {dialog: Nothing here, output: null}"),
    ("WFWorkflowNoInputBehaviorShowError", "{input: x, expect: {output: <x>}}"),
    (
      "WFWorkflowNoInputBehaviorAskForInput",
      "{answers: {input: y}, expect: {output: <y>}}"
    ),
  ])
  func aMissingInputIsReplaced(behavior: String, test: String) throws {
    let root =
      #"{"WFWorkflowNoInputBehavior": {"Name": "\#(behavior)", "Parameters": {"Error": "Nothing here"}}}"#
    let sample = try SampleShortcut(
      #"[["gettext", {"WFTextActionText": "<‹input›>"}]]"#, root: root)
    expectNone(try sample.problems(test))
  }
}
