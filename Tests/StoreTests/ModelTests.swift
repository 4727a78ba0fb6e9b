import CEL
import Items
import Store
import StoreFixtures
import StoreRepair
import TestSupport
import Testing

/// A store against a simple model, under random operations and crashes.
@Suite(.serialized) struct ModelTests {
  @Test(arguments: 0..<6)
  func storeMatchesModel(seed: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/library.db"
    var random = SeededGenerator(seed: UInt64(1_000 + seed))
    var store = try StoreFixture(at: .file(path), ModelOperation.schema(hasNote: false)).store
    var model: [Int: ModelLink] = [:]
    for _ in 0..<120 {
      let operation = ModelOperation.random(using: &random)
      operation.apply(to: &model)
      try operation.perform(on: &store, at: path)
    }
    #expect(try ModelOperation.model(of: store) == model)
    #expect(try store.check() == [])
    for word in ["many", "w3", "t1"] {
      let expected = model.filter { $0.value.title == word || $0.value.tags.contains(word) }.keys
      let query = Query("Link", match: "title:\(word) or tag:\(word)")
      #expect(try store.items.find(query).count == expected.count, "\(word)")
    }
  }

  @Test(arguments: 0..<4)
  func reportedWritesSurviveKill(seed: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/library.db"
    var random = SeededGenerator(seed: UInt64(seed))
    var model: [Int: ModelLink] = [:]
    for round in 0..<5 {
      let child = try StoreProcess(["random", path, "\(seed * 100 + round)"])
      var lines: [String] = []
      for _ in 0..<Int(random.next() % 90) { lines.append(child.readLine() ?? "nothing") }
      child.kill()
      lines += child.readLines()
      #expect(child.wait() == nil, "\(lines.last ?? "")")

      var pending: ModelOperation?
      for line in lines {
        let isDone = line.hasPrefix("did ")
        guard isDone || line.hasPrefix("do "),
          let operation = ModelOperation(line.dropFirst(isDone ? 4 : 3))
        else { continue }
        pending = isDone ? nil : operation
        if isDone { operation.apply(to: &model) }
      }
      // The last operation was done or not, but never half.
      var orElse = model
      pending?.apply(to: &orElse)
      let store = try StoreFixture(at: .file(path), ModelOperation.schema(hasNote: false)).store
      let actual = try ModelOperation.model(of: store)
      #expect(actual == model || actual == orElse)
      #expect(try store.check() == [])
      model = actual
    }
  }
}
