import CEL
import Glibc
import Items
import StoreFixtures
import Synchronization
import TestSupport
import Testing

@testable import Store

/// The queue of processes that wait to write to a store.
@Suite struct WriteLineTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/library.db" }

  init() throws { folder = try TemporaryFolder() }

  @Test func queueIsFirstComeFirstServed() throws {
    try folder.write("", to: "log")
    func line() -> WriteLine { WriteLine(log: folder.path + "/log") }
    let (first, third, newcomer) = (line(), line(), line())
    var second: WriteLine? = line()
    #expect(!newcomer.hasOthers)
    third.enter(at: 30)
    second?.enter(at: 20)
    first.enter(at: 10)
    #expect(first.predecessor == nil)
    #expect(second?.predecessor == 10)
    #expect(third.predecessor != nil && newcomer.hasOthers)
    first.leave()
    #expect(second?.predecessor == nil)
    #expect(third.predecessor == 20)
    // A killed process releases its place.
    second = nil
    #expect(third.predecessor == nil)
    // Of two that arrive at the same time, one is first.
    first.enter(at: 30)
    #expect(first.predecessor == 30 && third.predecessor == nil)
    third.leave()
    first.leave()
    #expect(!newcomer.hasOthers)
  }

  @Test func noQueueWithoutLog() {
    let line = WriteLine(log: folder.path + "/none")
    line.enter(at: 1)
    #expect(!line.isWaiting && !line.hasOthers && line.predecessor == nil)
  }

  /// A process that writes repeatedly lets waiting ones in.
  @Test func writerQueuesBehindWaitingOnes() throws {
    let writer = try StoreFixture(at: .file(path), StoreFixture.link).store
    let other = try StoreFixture(at: .file(path), StoreFixture.link).store
    let order = Mutex<[String]>([])
    func note(_ name: String) { order.withLock { $0.append(name) } }
    var work: BackgroundWork<Void>?
    try writer.transaction {
      work = BackgroundWork {
        try other.transaction { order.withLock { $0.append("other") } }
      }
      note("writer")
      while writer.connection.lockWait.line?.hasOthers == false { _ = sched_yield() }
    }
    for _ in 0..<3 { try writer.transaction { note("writer") } }
    try work?.value()
    #expect(order.withLock { $0 } == ["writer", "other", "writer", "writer", "writer"])
  }
}
