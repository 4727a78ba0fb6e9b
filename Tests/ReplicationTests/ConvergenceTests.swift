import CEL
import Replication
import TestSupport
import Testing

/// Random histories on several machines, whose deltas arrive in any order and more than once.
@Suite struct ConvergenceTests {
  /// A machine that edits one item and hears of others' edits.
  private struct Machine {
    let number: Int64
    var state: ItemState?
    var clock: Int64
    var unread: [Int] = []

    mutating func stamp(after seen: Stamp) -> Stamp {
      clock = max(clock + 1, seen.time + 1)
      return Stamp(time: clock, machine: number)
    }
  }

  /// The number of histories: few, unless `ERRAND_HISTORIES` says more.
  private static let histories = Amount.of("ERRAND_HISTORIES", quick: 4_000, whole: 1_000_000)

  @Test func allMachinesEndEqual() throws {
    for seed in 0..<UInt64(Self.histories) {
      var random = SeededGenerator(seed: seed)
      try check(&random, seed)
    }
  }

  private func check(_ random: inout SeededGenerator, _ seed: UInt64) throws {
    var machines = (1...Int64.random(in: 2...4, using: &random)).map {
      // Clocks that are wrong.
      Machine(number: $0, clock: Int64.random(in: 0...40, using: &random))
    }
    var log: [ItemDelta] = []
    for _ in 0..<Int.random(in: 2...14, using: &random) {
      let index = machines.indices.randomElement(using: &random) ?? 0
      if Bool.random(using: &random), !machines[index].unread.isEmpty {
        read(&machines[index], log, &random)
      } else {
        let delta = edit(&machines[index], &random)
        // Through the form in which it travels.
        log.append(try DeltaCoder.delta("Note", DeltaCoder.text(of: delta)))
        for other in machines.indices where other != index {
          machines[other].unread.append(log.count - 1)
          if Int.random(in: 0..<5, using: &random) == 0 {
            machines[other].unread.append(log.count - 1)
          }
        }
      }
    }
    for index in machines.indices {
      while !machines[index].unread.isEmpty { read(&machines[index], log, &random) }
    }
    let first = machines[0].state
    for machine in machines { try #require(machine.state == first, "seed \(seed)") }
    // A machine that joins later and reads all from the start.
    var late: ItemState?
    for delta in log { Self.join(&late, delta) }
    try #require(late == first, "seed \(seed)")
  }

  private func read(_ machine: inout Machine, _ log: [ItemDelta], _ random: inout SeededGenerator) {
    let position = machine.unread.indices.randomElement(using: &random) ?? 0
    Self.join(&machine.state, log[machine.unread.remove(at: position)])
  }

  private static func join(_ state: inout ItemState?, _ delta: ItemDelta) {
    if state == nil { state = delta.state } else { _ = state?.join(delta) }
  }

  private func edit(_ machine: inout Machine, _ random: inout SeededGenerator) -> ItemDelta {
    let known = machine.state
    let stamp = machine.stamp(after: known?.stamp ?? .none)
    var delta = ItemDelta("Note", ItemState(life: known?.life ?? 1))
    let text = String("abc".randomElement(using: &random) ?? "a")
    switch (known, Int.random(in: 0..<6, using: &random)) {
    case (nil, _),
      (.some, 0) where known?.isAlive != true:
      delta.state.life = known.map { $0.life + 1 } ?? 1
      delta.base = stamp
      delta.state.fields = [
        "title": FieldState(stamp, .string(text)), "tags": FieldState(stamp, texts: [text]),
      ]
    case (let known?, 1) where known.isAlive:
      delta.state.life += 1
      delta.lastSeen = known.stamp
    case (let known?, 2...3):
      delta.state.fields["title"] = FieldState(stamp, .string(text))
      delta.seen["title"] = known.fields["title"]?.register?.stamp
    case (let known?, _):
      var field = FieldState()
      let present = known.fields["tags"]?.elements[ExactText(text)]?.isPresent == true
      field.elements[ExactText(text)] = FieldState.Element(stamp, isPresent: !present)
      field.order = FieldState.Order(stamp, [text])
      delta.state.fields["tags"] = field
    }
    Self.join(&machine.state, delta)
    return delta
  }

  @Test(arguments: 0..<200) func joinIsASemilattice(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let (a, b, c) = (anyState(&random), anyState(&random), anyState(&random))
    func join(_ first: ItemState, _ second: ItemState) -> ItemState {
      var result = first
      result.join(second)
      return result
    }
    #expect(join(a, b) == join(b, a))
    #expect(join(join(a, b), c) == join(a, join(b, c)))
    #expect(join(a, a) == a)
    #expect(ItemState.merged([a, b, c]) == ItemState.merged([c, b, a]))
  }

  private func anyState(_ random: inout SeededGenerator) -> ItemState {
    func stamp(_ random: inout SeededGenerator) -> Stamp {
      Stamp(
        time: Int64.random(in: 1...3, using: &random),
        machine: Int64.random(in: 1...2, using: &random))
    }
    var state = ItemState(life: Int64.random(in: 1...4, using: &random))
    for name in ["title", "tags"] where Bool.random(using: &random) {
      var field = FieldState()
      if Bool.random(using: &random) {
        let value = Int64.random(in: 0...2, using: &random)
        field.register = FieldState.Register(stamp(&random), .int(value))
      }
      for text in ["a", "b"] where Bool.random(using: &random) {
        field.elements[ExactText(text)] = FieldState.Element(
          stamp(&random), isPresent: Bool.random(using: &random))
      }
      if Bool.random(using: &random) {
        field.order = FieldState.Order(
          stamp(&random), [["a"], ["b"], ["b", "a"]].randomElement(using: &random) ?? [])
      }
      state.fields[name] = field
    }
    return state
  }

  @Test func stampsAscendAndStayNearTheHub() {
    var clock = HybridClock(machine: 7, offset: 100, now: 1_000_000, last: 500)
    #expect(clock.stamp(at: 600) == Stamp(time: 700, machine: 7))
    #expect(clock.stamp(at: 300) == Stamp(time: 701, machine: 7))
    #expect(clock.stamp(at: 0, after: Stamp(time: 900, machine: 9)).time == 901)
    // A clock that is a year ahead.
    #expect(clock.stamp(at: .max).time == 1_000_000)
    #expect(clock.stamp(at: 400_000_000).time == 1_000_000 + HybridClock.tolerance)
  }

  @Test func concurrentEditsAreFoundInAnyOrder() {
    let start = ItemState(fields: ["title": FieldState(Stamp(time: 1, machine: 1), "old")])
    func edit(_ time: Int64, _ machine: Int64, _ text: Value) -> ItemDelta {
      ItemDelta(
        "Note",
        ItemState(fields: ["title": FieldState(Stamp(time: time, machine: machine), text)]),
        seen: ["title": Stamp(time: 1, machine: 1)])
    }
    let (mine, yours) = (edit(5, 1, "mine"), edit(6, 2, "yours"))
    for order in [[mine, yours], [yours, mine]] {
      var state = start
      let found = order.flatMap { state.join($0).lost }
      #expect(found.map(\.lost.value) == ["mine"])
      #expect(found.map(\.kept.value) == ["yours"])
      #expect(state.fields["title"]?.register?.value == "yours")
    }
    var state = start
    #expect(state.join(mine).lost.isEmpty)
    var later = yours
    later.seen["title"] = Stamp(time: 5, machine: 1)
    #expect(state.join(later).lost.isEmpty)
  }

  @Test(arguments: [
    "", "{", "[]", #"{"l":0}"#, #"{"l":"1"}"#, #"{"l":1,"b":[1]}"#, #"{"l":1,"v":[]}"#,
    #"{"l":1,"t":{"a":[1]}}"#, #"{"l":1,"o":{"a":[]}}"#, #"{"l":1,"e":{"a":{"b":[1]}}}"#,
    #"{"l":1,"s":{"a":[-1,2]}}"#,
  ])
  func malformedDeltasAreRefused(text: String) {
    #expect(throws: DeltaCoder.Malformed.self) { try DeltaCoder.delta("Note", text) }
  }
}
