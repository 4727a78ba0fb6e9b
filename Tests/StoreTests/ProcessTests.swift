import CEL
import Items
import Store
import StoreFixtures
import TestSupport
import Testing

/// Concurrent processes, and processes that are killed.
@Suite(.serialized) struct ProcessTests {
  private func urls(in path: String) throws -> [String] {
    let store = try StoreFixture(at: .file(path), StoreFixture.link).store
    return try store.items.find(Query("Link")).compactMap { $0.text("url") }
  }

  @Test func eightProcessesCreateAndFillOneStore() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/library.db"
    // The two processes of each pair save the same links.
    let children = try (0..<8).map { number in
      try StoreProcess(["save", path, "pair\(number / 2)", "25"])
    }
    for child in children {
      let lines = child.readLines()
      #expect(lines.count == 25, "\(lines.last ?? "")")
      #expect(child.wait() == 0)
    }
    let found = try urls(in: path)
    #expect(found.count == 100)
    #expect(Set(found).count == 100)
    #expect(try folder.names() == ["library.db"], "nothing half made is left")
  }

  @Test func concurrentImportsAndSavesLoseAndDuplicateNothing() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/library.db"
    let lines = (0..<3000).map { number in
      """
      {"url":"https://example.org/import/\(number)","title":"Import \(number)","tags":["t"]}
      """
    }
    try folder.write(lines.joined(separator: "\n"), to: "links.jsonl")
    let importers = try (0..<2).map { _ in
      try StoreProcess(["import", path, folder.path + "/links.jsonl"])
    }
    let savers = try (0..<6).map { try StoreProcess(["save", path, "saver\($0)", "20"]) }
    var created = 0
    for child in importers {
      let words = child.readLines().joined(separator: " ").split(separator: " ")
      #expect(words.first == "created", "\(words)")
      created += words.count > 1 ? Int(words[1]) ?? 0 : 0
      #expect(child.wait() == 0)
    }
    for child in savers {
      #expect(child.readLines().count == 20)
      #expect(child.wait() == 0)
    }
    #expect(created == 3000)
    let found = try urls(in: path)
    #expect(found.count == 3120)
    #expect(Set(found).count == 3120)
  }

  @Test(arguments: [1, 2, 5, 13, 34])
  func reportedWritesSurviveKill(count: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/library.db"
    let children = try (0..<2).map { try StoreProcess(["save", path, "run\($0)", "100000"]) }
    var reported: [String] = []
    for child in children {
      for _ in 0..<count { reported.append(child.readLine() ?? "nothing") }
    }
    for child in children { child.kill() }
    for child in children {
      reported += child.readLines()
      #expect(child.wait() == nil)
    }
    let store = try StoreFixture(at: .file(path), StoreFixture.link).store
    let items = try store.items.find(Query("Link"))
    let stored = Set(items.map { "\($0.id ?? 0) \($0.text("url") ?? "")" })
    #expect(stored.isSuperset(of: reported))
    // Each process may have saved one more link before it could report it.
    #expect(stored.count <= reported.count + children.count)
    #expect(
      try store.items.find(Query("Link", match: "run0")).count
        == items.count { $0.texts("tags")?.contains("run0") == true })
  }
}
