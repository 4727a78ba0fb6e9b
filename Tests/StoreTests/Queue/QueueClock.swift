import CEL
import Store
import StoreFixtures

/// A clock set by tests, and stores that use it.
final class QueueClock {
  var microseconds: Int64 = 1_795_000_000_000_000

  func store(at path: String) throws -> Database {
    var context = StoreFixture.context()
    context.world.now = { [unowned self] in Timestamp(microseconds: microseconds) }
    let store = try Database(at: .file(path), context: context)
    try store.prepare(StoreFixture.link)
    return store
  }
}
