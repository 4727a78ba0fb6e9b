import CEL
import FoundationEssentials
import Glibc
import Items
import StoreFixtures
import Testing

@testable import Store

/// Whoever waits for a change of the store is woken by it, and by nothing else.
@Suite struct StoreWatchTests {
  private let folder: TemporaryFolder
  private let path: String
  private let store: EntityStore

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path + "/library.db"
    store = try StoreFixture(at: .file(path), StoreFixture.link).store
  }

  /// Whether there is news before the patience of the test is over.
  private func hasNews(_ watch: StoreWatch, within milliseconds: Int32) -> Bool {
    var polled = pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&polled, 1, milliseconds) > 0
  }

  private func save(_ name: String, in store: EntityStore) throws {
    _ = try store.items.create("Link", set: [("url", .string("https://\(name).org"))])
  }

  @Test func aChangeByAnotherIsTold() throws {
    let other = try StoreFixture(at: .file(path), StoreFixture.link).store
    let watch = try #require(store.database.watch())
    _ = watch.takeNews()
    for name in ["a", "b"] {
      try save(name, in: other)
      #expect(hasNews(watch, within: 60_000))
      #expect(watch.takeNews())
      #expect(!hasNews(watch, within: 0))
      #expect(!watch.takeNews())
    }
  }

  @Test func readingIsNoNews() throws {
    try save("a", in: store)
    let other = try StoreFixture(at: .file(path), StoreFixture.link).store
    _ = try other.items.find(Query("Link"))
    let watch = try #require(store.database.watch())
    _ = watch.takeNews()
    _ = try store.items.find(Query("Link"))
    _ = try other.items.find(Query("Link"))
    #expect(!watch.takeNews())
  }

  @Test func otherFilesOfTheFolderAreNoNews() throws {
    let watch = try #require(store.database.watch())
    _ = watch.takeNews()
    try Data("x".utf8).write(to: URL(filePath: folder.path + "/notes.txt"))
    #expect(hasNews(watch, within: 60_000))
    #expect(!watch.takeNews())
  }

  @Test func aFileThatTakesThePlaceIsNews() throws {
    try Data("x".utf8).write(to: URL(filePath: folder.path + "/backup"))
    let watch = try #require(store.database.watch())
    _ = watch.takeNews()
    #expect(rename(folder.path + "/backup", path) == 0)
    #expect(hasNews(watch, within: 60_000))
    #expect(watch.takeNews())
  }

  @Test func memoryIsNotWatched() throws {
    #expect(try StoreFixture(StoreFixture.link).store.database.watch() == nil)
  }
}
