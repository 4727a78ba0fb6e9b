import CEL
import Testing

@testable import Engine

/// The order in which members of a group start.
@Suite struct PacedOrderTests {
  private func order(_ keys: [Int64?], pace: Int64, last: [Value: Int64] = [:]) -> RateLimitedQueue
  {
    RateLimitedQueue(
      keys.enumerated().map { ($0, $1.map(Value.int)) }, pace: .nanoseconds(pace), last: last)
  }

  /// Starts the next member at an instant; returns its index.
  private func begin(_ order: inout RateLimitedQueue, _ key: Int64?, at now: Int64) -> Int? {
    guard case .begin(let index) = order.next(at: now) else { return nil }
    order.begins(key.map(Value.int), at: now)
    return index
  }

  @Test func membersWithoutKeysStartInOrder() {
    var order = order([nil, nil, nil], pace: 0)
    #expect((0..<3).map { _ in begin(&order, nil, at: 0) } == [0, 1, 2])
    #expect(order.next(at: 0) == .none)
  }

  @Test func oneMemberPerKeyRunsAtATime() {
    var order = order([1, 1, 2], pace: 0)
    #expect(begin(&order, 1, at: 0) == 0)
    #expect(begin(&order, 2, at: 0) == 2)
    #expect(order.next(at: 0) == .none)
    order.ends(.int(1))
    #expect(begin(&order, 1, at: 0) == 1)
    order.ends(.int(2))
    #expect(order.next(at: 0) == .none)
  }

  @Test func pacedMemberIsReserved() {
    var order = order([1, 1, 2, 2], pace: 100)
    #expect(begin(&order, 1, at: 0) == 0)
    order.ends(.int(1))
    #expect(begin(&order, 2, at: 10) == 2)
    order.ends(.int(2))
    // Each member is reserved once, the earlier one first.
    #expect(order.next(at: 20) == .reserved(1, until: 100))
    #expect(order.next(at: 20) == .reserved(3, until: 110))
    #expect(order.next(at: 20) == .none)
  }

  @Test func elapsedPaceDoesNotWait() {
    var order = order([1, 2, 1, 2], pace: 100)
    #expect(begin(&order, 1, at: 0) == 0)
    #expect(begin(&order, 2, at: 0) == 1)
    order.ends(.int(2))
    order.ends(.int(1))
    #expect(begin(&order, 1, at: 100) == 2)
    #expect(begin(&order, 2, at: 100) == 3)
  }

  @Test func paceWithoutKeysAppliesToAll() {
    var order = order([nil, nil], pace: 100)
    #expect(begin(&order, nil, at: 0) == 0)
    #expect(order.next(at: 10) == .wait(until: 100))
    #expect(order.next(at: 10) == .wait(until: 100))
    #expect(begin(&order, nil, at: 100) == 1)
  }

  @Test func earlierStartsCount() {
    var order = order([1, 2], pace: 100, last: [.int(1): 950])
    #expect(begin(&order, 2, at: 1_000) == 1)
    #expect(order.next(at: 1_000) == .reserved(0, until: 1_050))
  }

  @Test func manyKeysStartInOrderOfPace() {
    var order = order((0..<500).flatMap { [Int64($0), Int64($0)] }, pace: 10_000)
    for key in (0..<500).reversed() {
      // The first ready member starts, regardless of the order in which others ended.
      let index = begin(&order, Int64(499 - key), at: Int64((key * 7_919) % 500))
      #expect(index == 2 * (499 - key))
    }
    for key in 0..<500 { order.ends(.int(Int64(key))) }
    var last: Int64 = 0
    for _ in 0..<500 {
      guard case .reserved(_, let instant) = order.next(at: 600) else {
        Issue.record("one has no turn")
        return
      }
      #expect(instant >= last)
      last = instant
    }
    #expect(order.next(at: 600) == .none)
  }
}
