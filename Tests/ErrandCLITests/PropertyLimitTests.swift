import Foundation
import TestSupport
import Testing

@testable import ErrandCLI

/// Property constraints, checked on each write.
@Suite struct PropertyLimitTests {
  private func sandbox() throws -> Sandbox {
    try Sandbox([
      ".config/errand/book.yaml": """
      entity: Book
      properties:
        title:  {type: string, minLength: 2, maxLength: 10, search: 5}
        isbn:   {type: 'string?', pattern: '97[89]-\\d+'}
        rating: {type: int, min: 1, max: 5, default: 3}
        price:  {type: 'double?', min: 0}
        tags:   {type: 'list<string>', maxLength: 2, pattern: '[a-z]+', default: [], index: true}
      """,
      "make.yaml": """
      shortcut: make
      parameters: {rating: int}
      steps:
        - create: {entity: Book, set: {title: Tiny, rating: '{{ rating }}'}}
      """,
    ])
  }

  @Test(arguments: [
    (["title=x"], "`title`: “x” must have at least 2 characters, not 1"),
    (["title=much too long"], "`title`: “much too long” must have at most 10 characters, not 13"),
    (["title=Ok", "isbn=12"], "`isbn`: “12” does not match 97[89]-\\d+"),
    (["title=Ok", "isbn=a978-1b"], "`isbn`: “a978-1b” does not match 97[89]-\\d+"),
    (["title=Ok", "rating=6"], "`rating`: “6” must be from 1 to 5"),
    (["title=Ok", "price=-0.5"], "`price`: “-0.5” must be at least 0"),
    (["title=Ok", "tags=a,b,c"], "`tags`: “a,b,c” must have at most 2 values, not 3"),
    (["title=Ok", "tags=A"], "`tags`: “A” does not match [a-z]+"),
  ])
  func createChecksConstraints(_ fields: [String], _ message: String) throws {
    let run = try sandbox().run(["create", "book"] + fields)
    #expect(run == ProgramRun(err: "errand: error: \(message) [invalid-value]\n", status: 2))
  }

  @Test func stepsListsAndImportsAreChecked() throws {
    let sandbox = try sandbox()
    let step = try sandbox.run("run", "make.yaml", "--rating", "9")
    #expect(step.status == 1)
    #expect(
      step.err.hasPrefix(
        "make.yaml:4:5: error: the value for Book.rating must be from 1 to 5 (in create)"),
      "\(step)"
    )
    _ = try sandbox.run("create", "book", "title=Ok", "tags=a,b")
    let added = try sandbox.run("update", "book:1", "--add", "tags=c")
    #expect(
      added
        == ProgramRun(
          err: """
            errand: error: the value for Book.tags must have at most 2 values, not 3 [invalid-value]

            """, status: 1))
    let lines = """
      {"entity": "Book", "title": "Good", "isbn": "978-1", "price": 2.5}
      {"entity": "Book", "title": "Bad", "rating": 0}
      """
    let imported = try sandbox.run("import", "-", input: lines)
    #expect(
      imported
        == ProgramRun(
          out: "created 1, merged 0, bad 1 of 2 lines\n",
          err: "stdin:2: the value for Book.rating must be from 1 to 5\n", status: 1))
  }

  @Test(arguments: [
    (
      "{type: string, min: 1}",
      "t.yaml:2:43: error: `min` is only for numbers; `a` has another type"
    ),
    ("{type: date, min: 1}", "`min` is only for numbers; `a` has another type"),
    ("{type: int, maxLength: 1}", "t.yaml:2:40: error: `maxLength` is only for texts and lists"),
    ("{type: int, min: 5, max: 1}", "t.yaml:2:45: error: `min` is above `max`"),
    (
      "{type: string, pattern: '('}",
      "t.yaml:2:52: error: `(` is not a valid regular expression: a `(` is never closed"
    ),
    ("{type: int, max: 5, default: 7}", "error: the default of `a` must be at most 5"),
    (
      "{type: 'string?', formerly: {b: [x]}}",
      "error: `formerly` names `b`, which is not a property"
    ),
    ("{type: 'string?', formerly: c}", "error: `formerly` names `c`, which is still a property"),
  ])
  func invalidConstraintsAreReported(_ property: String, _ message: String) throws {
    let sandbox = try Sandbox(["t.yaml": "entity: T\nproperties: {c: string, a: \(property)}\n"])
    let run = try sandbox.run("check", "t.yaml")
    #expect(run.status == 2 || run.status == 1)
    #expect((run.out + run.err).contains(message), "\(run)")
  }

  @Test func renamedPropertyTakesItsFormerNameInAnImport() throws {
    let file = ".config/errand/book.yaml"
    let sandbox = try Sandbox([file: "entity: Book\nproperties: {name: string, writer: string?}\n"])
    _ = try sandbox.run("create", "Book", "name=a", "writer=Ada")
    let lines = try sandbox.run("export", "books", "--to", "jsonl").out
    _ = try sandbox.run("update", "book:1", "writer=Bob")
    try sandbox.write(
      "entity: Book\nproperties: {name: string, author: {type: string?, formerly: writer}}\n",
      to: file)
    #expect(try sandbox.run("get", "book:1", "--jsonl").out.contains(#""author":"Bob""#))
    // A change made under the former name can be undone.
    let undo = try sandbox.run("undo")
    #expect(undo.status == 0, "\(undo)")
    #expect(try sandbox.run("get", "book:1", "--jsonl").out.contains(#""author":"Ada""#))
    let brought = try sandbox.run("import", "-", "--store", "new.db", input: lines)
    #expect(brought.status == 0, "\(brought)")
    #expect(
      try sandbox.run("get", "book:1", "--jsonl", "--store", "new.db").out.contains(
        #""author":"Ada""#))
  }

  @Test func importKeepsLinesWithUnknownProperties() throws {
    let lines = """
      {"url":"https://a.org","titel":"x"}
      {"url":"https://b.org","height":3,"width":4}

      """
    let folder = ".local/share/errand/library.db.aside"
    let sandbox = try Sandbox()
    _ = try sandbox.run("import", "-", input: lines)
    let run = try sandbox.run("import", "-", input: lines)
    let kept = try FileManager.default.contentsOfDirectory(atPath: "\(sandbox.path)/\(folder)")
    #expect(kept.count == 1)
    let path = "\(sandbox.path)/\(folder)/\(kept.first ?? "")"
    #expect(sandbox.read("\(folder)/\(kept.first ?? "")") == lines)
    #expect(
      run
        == ProgramRun(
          out: "created 0, merged 2, bad 0 of 2 lines\n",
          err: """
            stdin:1: put aside, since Link has no property `titel` (did you mean `title`?)
            stdin:2: put aside, since Link has no such property: `height`, `width`
            properties put aside are saved in \(path); declare them and import that file
            errand: nothing is new: all of it is here already

            """))
  }
}
