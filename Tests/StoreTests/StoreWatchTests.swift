import CEL
import FoundationEssentials
import Glibc
import Items
import StoreFixtures
import TestSupport
import Testing

@testable import Store

/// A change of the store wakes those that wait for one, and nothing else does.
@Suite struct StoreWatchTests {
  private let folder: TemporaryFolder
  private let path: String
  private let store: Database

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path + "/library.db"
    store = try StoreFixture(at: .file(path), StoreFixture.link).store
  }

  /// Whether an event arrives within a time.
  private func hasNews(_ watch: StoreWatch, within milliseconds: Int32) -> Bool {
    var polled = pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&polled, 1, milliseconds) > 0
  }

  private func save(_ name: String, in store: Database) throws {
    _ = try store.items.create("Link", set: [("url", .string("https://\(name).org"))])
  }

  @Test func changesOfOthersAreReported() throws {
    let other = try StoreFixture(at: .file(path), StoreFixture.link).store
    let watch = try #require(store.watch())
    _ = watch.takeNews()
    for name in ["a", "b"] {
      try save(name, in: other)
      #expect(hasNews(watch, within: 60_000))
      #expect(watch.takeNews())
      #expect(!hasNews(watch, within: 0))
      #expect(!watch.takeNews())
    }
  }

  @Test func readsAreNotReported() throws {
    try save("a", in: store)
    let other = try StoreFixture(at: .file(path), StoreFixture.link).store
    _ = try other.items.find(Query("Link"))
    let watch = try #require(store.watch())
    _ = watch.takeNews()
    _ = try store.items.find(Query("Link"))
    _ = try other.items.find(Query("Link"))
    #expect(!watch.takeNews())
  }

  @Test func otherFilesAreNotReported() throws {
    let watch = try #require(store.watch())
    _ = watch.takeNews()
    try Data("x".utf8).write(to: URL(filePath: folder.path + "/notes.txt"))
    #expect(hasNews(watch, within: 60_000))
    #expect(!watch.takeNews())
  }

  @Test func replacementIsReported() throws {
    try Data("x".utf8).write(to: URL(filePath: folder.path + "/backup"))
    let watch = try #require(store.watch())
    _ = watch.takeNews()
    #expect(rename(folder.path + "/backup", path) == 0)
    #expect(hasNews(watch, within: 60_000))
    #expect(watch.takeNews())
  }

  @Test func memoryStoreIsNotWatched() throws {
    #expect(try StoreFixture(StoreFixture.link).store.watch() == nil)
  }
}
