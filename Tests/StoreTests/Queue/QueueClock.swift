import CEL
import Store
import StoreFixtures

/// A clock that tests set, and stores that go by it.
final class QueueClock {
  var microseconds: Int64 = 1_795_000_000_000_000

  func store(at path: String) throws -> EntityStore {
    var context = StoreFixture.context()
    context.now = { [unowned self] in Timestamp(microseconds: microseconds) }
    let store = try EntityStore(at: .file(path), context: context)
    try store.database.prepare(StoreFixture.link)
    return store
  }
}
