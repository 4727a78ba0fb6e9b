/// A test of the result with an example of an accepted input type.
enum ShortcutExample {
  /// The expectation before the results are known.
  static let open = "{opened: null}"

  /// The test; nil if the shortcut takes no input, asks questions, or has effects.
  static func test(_ file: ShortcutFile, usesInput: Bool, steps: [Step]) -> YAMLText? {
    guard usesInput, let example = example(file.inputTypes), isPure(steps) else { return nil }
    return .list([
      .block([
        ("name", .text("takes " + example.name)), ("input", .text(example.input)),
        ("expect", .map([("opened", .scalar("null"))])),
      ])
    ])
  }

  private static func example(_ types: [String]) -> (name: String, input: String)? {
    let examples = [
      "WFURLContentItem": ("an address", "https://example.com/page"),
      "WFSafariWebPageContentItem": ("an address", "https://example.com/page"),
      "WFStringContentItem": ("a text", "some words"),
      "WFNumberContentItem": ("a number", "12"),
      "WFDateContentItem": ("a date", "2026-11-20"),
      "WFEmailAddressContentItem": ("an address", "ada@example.com"),
      "WFPhoneNumberContentItem": ("a number", "+1 555 0100"),
    ]
    return types.lazy.compactMap { examples[$0] }.first
  }

  /// Whether all steps only compute or show.
  private static func isPure(_ steps: [Step]) -> Bool {
    let verbs: Set = ["value", "say", "show", "copy", "return", "stop", "output"]
    return steps.allSatisfy { step in
      switch step.content {
      case .call(let verb, _): verbs.contains(verb)
      case .menu, .attempt: false
      default: step.blocks.allSatisfy(isPure)
      }
    }
  }
}
