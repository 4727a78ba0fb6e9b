import CEL
import Testing

@testable import Engine

/// Restrictions of `atomic`: no questions, waits or outside effects, direct or in callees.
@Suite struct AtomicTests {
  /// Calls that `atomic` rejects, with a step of the callee and the place of the error.
  private static let unfit = [
    "ask: Who?", "exec: [ls]", "wait: 1s", "delete: '{{ it }}'", "run: '{{ string(it) }}'",
    "delete: {item: '{{ it }}', confirm: '{{ 1 > 2 }}'}", "parallel: {a: [{value: 1}]}",
    "for: n\nin: [1]\nparallel: 2\ndo: [{value: 1}]", "menu: Which?\noptions: {A: [stop]}",
    "value: 1\nretry: 2", "write-file: {path: x, text: y}", "notify: Done", "copy: x",
    "open-url: 'https://swift.org'", "choose: {from: [1]}", "confirm: Really?",
    "if: true\nthen: [{for: n, in: [1], do: [{try: [{exec: [ls]}], catch: [{value: 1}]}]}]",
  ]

  @Test(arguments: unfit)
  func atomicRejectsForbiddenCallees(_ step: String) throws {
    let indented = step.replacing("\n", with: "\n    ")
    let near = """
      shortcut: inner
      steps:
        - value: 1
        - \(indented)
      ---
      shortcut: middle
      steps:
        - inner
      ---
      shortcut: outer
      steps:
        - atomic:
            - if: true
              then:
                - middle

      """
    let found = try problems(near)
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("not-in-atomic ") == true, "\(found)")
  }

  @Test(arguments: unfit)
  func atomicRejectsForbiddenSteps(_ step: String) throws {
    let indented = step.replacing("\n", with: "\n      ")
    let steps = "- atomic:\n    - value: 1\n    - \(indented)"
    #expect(try mistakeIDs(inSteps: steps) == ["not-in-atomic"])
  }

  @Test func atomicAcceptsWritingCallees() throws {
    let run = try TestRun(
      """
      shortcut: inner
      parameters: {text: string, more: 'string?', other: {type: string, default: x}}
      steps:
        - create: {entity: Note, set: {text: '{{ text }}'}}
          as: note
        - say: Made.
        - delete: {item: '{{ note }}', confirm: false}
        - run: again
          when: false
      ---
      shortcut: again
      steps: [{run: {name: inner, with: {text: y}}}]
      ---
      shortcut: outer
      steps:
        - atomic: [{inner: x}, {run: {name: inner, input: y}}]
        - value: done

      """)
    #expect(try run.perform().value == "done")
    #expect(run.front.said == ["Made.", "Made."])
  }

  @Test func atomicAcceptsCallWithAllArguments() throws {
    let inner = "shortcut: inner\nparameters: {text: string}\nsteps: [{say: '{{ text }}'}]\n---\n"
    #expect(
      try problems(inner + "shortcut: outer\nsteps: [{atomic: [inner]}]\n")
        == ["not-in-atomic 6:19"])
    #expect(try problems(inner + "shortcut: outer\nsteps: [{atomic: [{inner: x}]}]\n") == [])
  }

  @Test func atomicFailsInsteadOfAsking() throws {
    // The title turns out to be ambiguous only at run time.
    let run = try TestRun(
      """
      shortcut: outer
      steps:
        - create: {entity: Task, set: {title: Same}}
        - create: {entity: Task, set: {title: Same}}
        - try:
            - atomic:
                - create: {entity: Note, set: {text: half}}
                - get: {ref: Same, entity: Task}
          catch: [{value: '{{ error.code }}'}]
          as: code
        - find: {entity: Note}
        - value: '{{ code }} {{ size(it) }}'

      """, replies: [.chosen([0])])
    #expect(try run.perform().value == "needs-value 0")
    #expect(run.front.questions.isEmpty)
  }
}
