import FoundationEssentials
import TestSupport
import Testing

/// `errand schema`, and the file that editors of the project use.
@Suite struct SchemaCommandTests {
  /// The shipped schema; `RECORD=1` writes it.
  @Test func shippedFileIsUpToDate() throws {
    let sandbox = try Sandbox([".config/errand/own.yaml": "shortcut: mine\nsteps: [{say: Hello}]\n"]
    )
    let run = try sandbox.run("schema", "--shipped")
    #expect(run.status == 0 && run.err == "")
    #expect(!run.out.contains("\"mine\""))
    let root = #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 }
    let file = URL(filePath: root + "/schemas/json/errand.schema.json")
    guard ProcessInfo.processInfo.environment["RECORD"] == nil else {
      try Data(run.out.utf8).write(to: file)
      Issue.record("recorded anew")
      return
    }
    let shipped = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    let isUpToDate = run.out == shipped
    #expect(isUpToDate, "RECORD=1 scripts/test --filter SchemaCommandTests writes it")
  }

  @Test func knowsOwnDefinitionsAndThoseOfTheProject() throws {
    let sandbox = try Sandbox([
      ".config/errand/own.yaml": """
      intent: water
      description: Waters a plant.
      parameters: {plant: {type: Plant, description: The thirsty one.}}
      steps: [{say: '{{ plant }}'}]
      ---
      shortcut: broken
      steps: [{sya: Hello}]
      """,
      "garden/.errand/Plant.yaml": "entity: Plant\nproperties: {name: string}\n",
    ])
    _ = try sandbox.run("trust", "garden", "--yes")
    let run = try sandbox.run("--catalog", "garden/.errand", "schema")
    #expect(run.status == 0)
    for part in ["\"water\": {", "Waters a plant.", "plant: Plant, required – The thirsty one."] {
      #expect(run.out.contains(part), "\(part)")
    }
    #expect(run.out.contains("\"items.Plant\"") && run.out.contains("\"broken\": {"))
  }

  /// A new file names the schema that its folder has.
  @Test func newFilesNameTheSchema() throws {
    let sandbox = try Sandbox([".config/errand/errand.schema.json": "{}"])
    #expect(try sandbox.run("new", "shortcut", "hello").status == 0)
    let text = sandbox.read(".config/errand/hello.yaml") ?? ""
    #expect(text.hasPrefix("# yaml-language-server: $schema=errand.schema.json\n# hello: "))
    #expect(try sandbox.run("new", "shortcut", "hello-again", "--from", "hello").status == 0)
    let copy = sandbox.read(".config/errand/hello-again.yaml") ?? ""
    #expect(copy.ranges(of: "$schema").count == 1)
    #expect(try sandbox.run("check", "--quiet").out == "")
  }
}
