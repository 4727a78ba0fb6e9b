import CEL
import Testing

@testable import ErrandKit

/// The turns of requests that all processes share.
@Suite struct RequestTurnsTests {
  private let noon = Timestamp(microseconds: 1_793_361_600_000_000)

  private func later(_ seconds: Double) -> Timestamp {
    Timestamp(microseconds: noon.microseconds + Int64(seconds * 1e6))
  }

  @Test func eachRequestToAServerTakesTheNextTurn() throws {
    let home = try Home()
    let turns = RequestTurns(in: home.path)
    let pace = Duration.seconds(1)
    #expect(turns.take(at: "a.example", pace: pace, now: noon) == .zero)
    #expect(turns.take(at: "a.example", pace: pace, now: later(0.25)) == .milliseconds(750))
    // Another process reads the same file.
    let other = RequestTurns(in: home.path)
    #expect(other.take(at: "a.example", pace: pace, now: later(0.5)) == .milliseconds(1500))
    #expect(other.take(at: "example", pace: pace, now: later(0.5)) == .zero)
    #expect(other.take(at: "a.example", pace: pace, now: later(9)) == .zero)
  }

  @Test func aClockThatWasSetBackHoldsNothingUp() throws {
    let home = try Home()
    let turns = RequestTurns(in: home.path)
    #expect(turns.take(at: "a.example", pace: .seconds(1), now: later(86_400)) == .zero)
    #expect(turns.take(at: "a.example", pace: .seconds(1), now: noon) == .zero)
  }

  @Test func waitsTheWholePaceWithoutAFolder() {
    let turns = RequestTurns(in: "/dev/null/x")
    #expect(turns.take(at: "a.example", pace: .seconds(2), now: noon) == .seconds(2))
  }
}
