import CEL
import Source
import Synchronization
import Testing

@testable import Engine

/// Language §4, §6 and §8: parameters, questions, answers and dialog.
@Suite struct TalkingTests {
  private static let ask =
    "shortcut: t\nsteps:\n  - ask: {prompt: 'How many?', type: int, default: 3}\n    as: n\n"

  @Test func answerIsConvertedToType() throws {
    let run = try TestRun(Self.ask, replies: [.text("7")])
    #expect(try run.perform().value == .int(7))
    #expect(run.front.questions.first?.prompt == "How many?")
    #expect(run.front.questions.first?.defaultText == "3")
  }

  @Test func emptyAnswerIsDefault() throws {
    #expect(try TestRun(Self.ask, replies: [.text("")]).perform().value == .int(3))
  }

  @Test func invalidAnswerIsAskedAgain() throws {
    let run = try TestRun(Self.ask, replies: [.text("many"), .text("5")])
    #expect(try run.perform().value == .int(5))
    #expect(run.front.questions[1].problem?.contains("many") == true)
  }

  @Test func askWithoutPersonNeedsValue() throws {
    let error = #expect(throws: RunError.self) { try TestRun(Self.ask).perform() }
    #expect(error?.code == .needsValue)
    #expect(error?.remedy == .answer(key: "n"))
  }

  @Test(arguments: ["n", "How many?"])
  func presetAnswersMatchNameAndPrompt(key: String) throws {
    let run = try TestRun(Self.ask, answers: [(key, "9")])
    #expect(try run.perform().value == .int(9))
  }

  @Test func repeatedPresetAnswersSuccessiveQuestions() throws {
    let run = try TestRun(
      "shortcut: t\nsteps:\n  - for: i\n    in: [1, 2]\n    do: [{ask: {prompt: P, type: int}, as: n}]\n",
      answers: [("n", "4"), ("n", "5")])
    #expect(try run.perform().value == .list([.int(4), .int(5)]))
  }

  @Test func invalidPresetAnswerIsUsageError() throws {
    let error = #expect(throws: RunError.self) {
      try TestRun(Self.ask, answers: [("n", "many")]).perform()
    }
    #expect(error?.code == .invalidValue)
    #expect(error?.isUsage == true)
  }

  @Test func askFilterRestrictsAnswers() throws {
    let run = try TestRun(
      "shortcut: t\nsteps:\n  - ask: {prompt: P, type: int, where: self > 10}\n",
      replies: [.text("5"), .text("11")])
    #expect(try run.perform().value == .int(11))
  }

  private static let choose =
    "shortcut: t\nsteps:\n  - choose: {from: [red, green, blue], prompt: Colour?}\n    as: c\n"

  @Test(arguments: [("green", "green"), ("2", "green"), ("bl", "blue"), ("GREEN", "green")])
  func choiceMatchesTextNumberOrPrefix(answer: String, expected: String) throws {
    let run = try TestRun(Self.choose, answers: [("c", answer)])
    #expect(try run.perform().value == .string(expected))
  }

  @Test func chooseManyReturnsList() throws {
    let run = try TestRun(
      "shortcut: t\nsteps:\n  - choose: {from: [a, b, c], many: true}\n",
      replies: [.chosen([0, 2])])
    #expect(try run.perform().value == .list([.string("a"), .string("c")]))
  }

  @Test func emptyChoiceIsError() throws {
    let error = #expect(throws: RunError.self) {
      try TestRun("shortcut: t\nsteps:\n  - find: Link\n  - choose: '{{ it }}'\n", replies: [])
        .perform()
    }
    #expect(error?.code == .notFound)
  }

  @Test func declinedConfirmationEndsRun() throws {
    let yaml = "shortcut: t\nsteps:\n  - confirm: Sure?\n  - say: done\n"
    let run = try TestRun(yaml, replies: [.confirmed(false)])
    let error = #expect(throws: RunError.self) { try run.perform() }
    #expect(error?.code == .declined)
    #expect(run.front.said.isEmpty)
  }

  @Test func optionalConfirmationReturnsFalse() throws {
    let yaml =
      "shortcut: t\nsteps:\n  - confirm: {prompt: Sure?, optional: true}\noutput: '{{ it }}'\n"
    #expect(try TestRun(yaml, replies: [.confirmed(false)]).perform().value == .bool(false))
    #expect(try TestRun(yaml).perform().value == .bool(false))
  }

  @Test func yesAcceptsSafeConfirmations() throws {
    let yaml =
      "shortcut: t\nsteps:\n  - confirm: {prompt: Sure?, danger: DANGER}\noutput: '{{ it }}'\n"
    let safe = yaml.replacing("DANGER", with: "false")
    let dangerous = yaml.replacing("DANGER", with: "true")
    #expect(try TestRun(safe, yes: true).perform().value == .bool(true))
    let error = #expect(throws: RunError.self) { try TestRun(dangerous, yes: true).perform() }
    #expect(error?.code == .needsValue)
  }

  @Test func menuRunsChosenOption() throws {
    let yaml =
      "shortcut: t\nsteps:\n  - menu: What now?\n    options:\n      One: [{value: 1}]\n      Two: [{value: 2}]\n"
    #expect(try TestRun(yaml, answers: [("What now?", "Two")]).perform().value == .int(2))
    #expect(try TestRun(yaml, replies: [.chosen([0])]).perform().value == .int(1))
  }

  // MARK: Parameters

  private static let intent = """
    intent: double
    parameters:
      n: {type: int, min: 1, max: 10, prompt: 'Which number?'}
      label: {type: 'string?'}
      factor: {type: int, default: '{{ 1 + 1 }}'}
    steps:
      - value: '{{ n * factor }}'
    dialog: {full: '{{ n }} becomes {{ it }}{{ label == null ? "" : " " + label }}.'}

    """

  @Test func parameterIsGivenDefaultedOrAsked() throws {
    let run = try TestRun(Self.intent, replies: [.text("4")])
    #expect(try run.perform().value == .int(8))
    #expect(run.front.said == ["4 becomes 8."])
    #expect(run.front.questions.first?.prompt == "Which number?")
    let given = try TestRun(Self.intent)
    #expect(try given.perform(nil, ["n": "4", "factor": "3", "label": "!"]).value == .int(12))
    #expect(given.front.said == ["4 becomes 12 !."])
  }

  @Test(arguments: [("0", "`n`: 0 must be from 1 to 10"), ("x", "`n`: “x” is not a whole number")])
  func invalidArgumentNamesValue(text: String, message: String) throws {
    let error = #expect(throws: RunError.self) {
      try TestRun(Self.intent).perform(nil, ["n": text])
    }
    #expect(error?.message == message)
    #expect(error?.isUsage == true)
  }

  @Test func calledIntentIsSilentUnlessSpeak() throws {
    let yaml = Self.intent + "---\nshortcut: t\nsteps:\n  - double: 2\n"
    let silent = try TestRun(yaml)
    #expect(try silent.perform().value == .int(4))
    #expect(silent.front.said.isEmpty)
    let speaking = try TestRun(yaml + "    speak: true\n")
    try speaking.perform()
    #expect(speaking.front.said == ["2 becomes 4."])
  }

  @Test func stepsOfCalledIntentSpeak() throws {
    let run = try TestRun("intent: i\nsteps: [{say: hello}]\n---\nshortcut: t\nsteps: [i]\n")
    try run.perform()
    #expect(run.front.said == ["hello"])
  }

  @Test func clipboardIsOnlyOfferedAsDefault() throws {
    let yaml =
      "shortcut: t\ninput: {type: url, from: [argument, clipboard]}\nsteps: [{value: '{{ input }}'}]\n"
    let run = try TestRun(yaml, replies: [.text("")])
    run.world.state.withLock { $0.clipboard = "https://swift.org" }
    #expect(try run.perform().value == .string("https://swift.org"))
    #expect(run.front.questions.first?.defaultText == "https://swift.org")
    let alone = try TestRun(yaml)
    alone.world.state.withLock { $0.clipboard = "https://swift.org" }
    let error = #expect(throws: RunError.self) { try alone.perform() }
    #expect(error?.code == .needsValue)
  }

  @Test func returnTypeIsChecked() throws {
    let found = #expect(throws: Diagnostics.self) {
      try TestRun("shortcut: t\nreturns: int\nsteps: [{value: hello}]\n").perform()
    }
    #expect(found?.all.map(\.id) == ["invalid-value"])
  }

  @Test func stopShowsNoDialog() throws {
    let run = try TestRun("shortcut: t\nsteps: [stop]\ndialog: {full: Done.}\n")
    #expect(try run.perform().isStopped)
    #expect(run.front.said.isEmpty)
  }

  @Test func runCallsByName() throws {
    let run = try TestRun(
      Self.intent
        + "---\nshortcut: t\ninput: string\nsteps:\n  - run: {name: '{{ input }}', input: 3, with: {factor: 5}}\n"
    )
    #expect(try run.perform(nil, ["input": "double"]).value == .int(15))
  }
}
