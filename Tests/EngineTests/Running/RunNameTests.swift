import CEL
import Items
import Store
import Testing

@testable import Engine

/// `run.id`, the ID of the run in expressions.
@Suite struct RunNameTests {
  @Test func runIDIsTheSameInAllCalls() throws {
    let documents = """
      shortcut: inner
      parameters: {own: {type: string, default: '{{ run.id }}'}}
      steps: [{value: '{{ [own, run.id] }}'}]
      ---
      shortcut: outer
      steps:
        - inner
        - for: n
          in: [1, 2]
          parallel: 2
          do: [{value: '{{ run.id }}'}]
          as: both
        - inner:
          as: inside
        - value: '{{ both + inside + [run.id] }}'

      """
    let run = try TestRun(documents)
    guard case .list(let ids) = try run.perform().value else {
      Issue.record("no list")
      return
    }
    #expect(ids.count == 5)
    #expect(Set(ids) == [.string(run.session.id)])
    #expect(run.session.id.utf8.count == 36)
  }

  @Test func runIDIsThatOfChangeLog() throws {
    let run = try TestRun(
      """
      shortcut: test
      steps:
        - create: {entity: Note, set: {text: '{{ run.id }}'}}

      """)
    try run.perform()
    let change = try #require(try run.session.store().changes.entries().first)
    #expect(change.run == run.session.id)
  }

  @Test(arguments: [
    ("- value: '{{ run.name }}'", "expression-unknown-field"),
    ("- set: {run: 1}", "not-assignable"),
    ("- value: 1\n    as: run", "reserved-name"),
  ])
  func runNameIsReserved(_ step: String, _ expected: String) throws {
    let found = try problems("shortcut: test\nsteps:\n  \(step)\n")
    #expect(found.map { String($0.prefix { $0 != " " }) } == [expected], "\(found)")
  }

  /// Existing stores with a property of this name still work.
  @Test func propertyMayBeNamedRun() throws {
    let run = try TestRun(
      """
      entity: Race
      properties: {run: int}
      ---
      shortcut: test
      steps:
        - create: {entity: Race, set: {run: 3}}
        - find: {entity: Race, where: self.run == 3, first: true}
        - value: '{{ it.?run.orValue(0) }}'

      """)
    #expect(try run.perform().value == .int(3))
  }
}
