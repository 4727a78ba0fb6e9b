import CEL
import Testing

@testable import Engine

/// `create` and `update` with given properties, and identities of several properties.
@Suite struct WritingTests {
  private static let track = """
    entity: Track
    identity: [artist, title]
    properties:
      artist: string
      title: string
      rating: {type: 'int?'}
      state: {type: string, default: new}
      tags: {type: 'list<string>', default: []}
    ---

    """

  private func run(_ steps: String) throws -> TestRun {
    let indented = steps.split(separator: "\n", omittingEmptySubsequences: false)
      .map { "  " + $0 }.joined(separator: "\n")
    return try TestRun(Self.track + "shortcut: test\nsteps:\n" + indented + "\n")
  }

  private func text(_ steps: String) throws -> String {
    let run = try run(steps)
    return run.text(try run.perform().value)
  }

  private static let first =
    "- create: {entity: Track, set: {artist: A, title: T, rating: 3, state: old, tags: [x]}}\n"
  private static let shown =
    "- value: '{{ [string(it.id), it.rating == null ? \"null\" : string(it.rating), it.state, it.tags.join(\"+\")] }}'"

  @Test(arguments: [
    // Given values apply, including null; lists are replaced, and other properties kept.
    ("update", "rating: null", "1, null, old, x"), ("update", "tags: [y]", "1, 3, old, y"),
    // Null for a property with a default sets the default.
    ("update", "state: null", "1, 3, new, x"), ("update", "rating: 5", "1, 5, old, x"),
    ("merge", "rating: null, tags: [y]", "1, 3, old, x+y"),
    ("keep", "rating: 9", "1, 3, old, x"),
    ("replace", "rating: 9", "1, 9, new, "),
  ])
  func conflictPolicyAppliesToExistingItem(_ policy: String, _ set: String, _ expected: String)
    throws
  {
    let again =
      "- create: {entity: Track, onConflict: \(policy), set: {artist: A, title: T, \(set)}}\n"
    #expect(try text(Self.first + again + Self.shown) == expected)
  }

  @Test func updatePolicyCreatesMissingItem() throws {
    let create =
      "- create: {entity: Track, onConflict: update, set: {artist: B, title: T, rating: null}}\n"
    #expect(try text(create + Self.shown) == "1, null, new, ")
  }

  @Test(arguments: [
    ("artist: A, title: T", true), ("artist: A, title: U", false), ("artist: B, title: T", false),
    // The length prefixes keep them apart.
    ("artist: 'A1:T', title: ''", false),
  ])
  func identityMayHaveSeveralProperties(_ set: String, _ isSame: Bool) throws {
    let again = "- create: {entity: Track, onConflict: keep, set: {\(set)}}\n"
    #expect(try text(Self.first + again + "- value: '{{ it.id }}'") == (isSame ? "1" : "2"))
  }

  @Test func updateKeepsCompositeIdentity() throws {
    let error = #expect(throws: RunError.self) {
      try run(
        Self.first
          + """
          - create: {entity: Track, set: {artist: A, title: U}}
          - update: {item: '{{ it }}', set: {title: T}}
          """
      ).perform()
    }
    #expect(error?.code == .conflict)
  }

  @Test(arguments: [
    ("{{ {\"artist\": \"A\", \"title\": \"T\", \"rating\": 4} }}", "1, 4, new, "),
    (
      "{{ parseJson(\"{\\\"artist\\\": \\\"A\\\", \\\"title\\\": \\\"T\\\"}\") }}", "1, null, new, "
    ),
  ])
  func mapSetsProperties(_ map: String, _ expected: String) throws {
    let create = "- create: {entity: Track, set: '\(map)'}\n"
    #expect(try text(create + Self.shown) == expected)
  }

  @Test(arguments: [
    ("{{ {\"artst\": 1} }}", "track has no property `artst`"),
    ("{{ {1: 2} }}", "1 is not the name of a property"),
    ("{{ {\"rating\": \"x\"} }}", "`rating`: “x”"),
  ])
  func mapOfPropertiesIsChecked(_ map: String, _ message: String) throws {
    let error = #expect(throws: RunError.self) {
      try run("- create: {entity: Track, set: '\(map)'}").perform()
    }
    #expect(error?.code == .invalidValue)
    #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
  }

  @Test func updateAcceptsMap() throws {
    let update = "- update: {item: '{{ it }}', set: '{{ {\"rating\": 1} }}'}\n"
    #expect(try text(Self.first + update + Self.shown) == "1, 1, old, x")
  }

  // MARK: Loops and tables

  @Test func repeatHasIndex() throws {
    #expect(
      try text(
        """
        - repeat: 3
          index: n
          do: [{value: '{{ n * 10 }}'}]
        """) == "0, 10, 20")
  }

  @Test func tableHasRequestedColumns() throws {
    let run = try run(
      Self.first + "- show: {value: '{{ [it] }}', as: table, columns: [title, id, rating]}\n"
        + "- show: {value: '{{ [{\"a\": 1, \"b\": 2}, {\"b\": 3}] }}', as: table, columns: [b, c]}")
    try run.perform()
    guard case .table(let columns, let rows) = run.front.shown[0].layout,
      case .table(let others, let cells) = run.front.shown[1].layout
    else {
      Issue.record("no tables")
      return
    }
    #expect(columns == ["title", "id", "rating"])
    #expect(rows == [["T", "1", "3"]])
    #expect(others == ["b", "c"])
    #expect(cells == [["2", ""], ["3", ""]])
  }

  @Test(arguments: [
    (
      "show: {value: '{{ [it] }}', as: table, columns: [titel]}",
      "`columns`: a Track has no `titel`"
    ),
    ("show: {value: 1, as: table, columns: [a]}", "`columns` only apply to items and maps"),
    ("show: {value: '{{ [it] }}', columns: [title]}", "`columns` only apply to a table"),
  ])
  func tableColumnsAreChecked(_ show: String, _ message: String) throws {
    let error = #expect(throws: RunError.self) { try run(Self.first + "- " + show).perform() }
    #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
  }
}
