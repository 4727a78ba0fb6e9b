import Testing

@testable import ErrandCLI

/// Choosing by typing, without a terminal.
@Suite struct ChoiceStateTests {
  private let fruit = ["Apple pie", "Banana", "Blackberry", "Blueberry", "Crab apple"]

  @Test(
    arguments: [
      ("", [0, 1, 2, 3, 4]), ("apple", [0, 4]), ("APP", [0, 4]), ("brry", [3, 2]), ("pie app", [0]),
      ("xyz", []), ("b", [1, 2, 3, 4]), ("ue", [3]), ("2", [1]), ("an na", [1]),
    ])
  func letters(_ query: String, _ expected: [Int]) {
    var state = ChoiceState(fruit, many: false)
    for character in query { #expect(state.take(.character(character), page: 5) == .goesOn) }
    #expect(state.shown == expected)
  }

  @Test func keysMoveMarkAndTake() {
    var state = ChoiceState(fruit, many: true, highlighted: 1)
    #expect(state.highlighted == 1)
    for key in [Key.down, .mark, .mark, .up, .up, .up, .up, .mark] {
      #expect(state.take(key, page: 2) == .goesOn)
    }
    #expect(state.marked == [2, 3, 0])
    #expect(state.take(.enter, page: 2) == .taken([2, 3, 0]))
    #expect(state.take(.markAll, page: 2) == .goesOn)
    #expect(state.marked == [0, 1, 2, 3, 4])
    #expect(state.take(.markAll, page: 2) == .goesOn)
    #expect(state.marked == [])
    #expect(state.take(.pageDown, page: 2) == .goesOn)
    #expect(state.take(.enter, page: 2) == .taken([3]))
    #expect(state.take(.leave, page: 2) == .left)
    #expect(state.take(.interrupt, page: 2) == .interrupted)
  }

  @Test func wordsAreTakenBack() {
    var state = ChoiceState(fruit, many: false)
    for character in "crab apple" { _ = state.take(.character(character), page: 5) }
    _ = state.take(.deleteWord, page: 5)
    #expect(state.query == "crab ")
    _ = state.take(.backspace, page: 5)
    #expect(state.query == "crab")
    _ = state.take(.deleteLine, page: 5)
    #expect(state.shown.count == 5)
    _ = state.take(.character("q"), page: 5)
    // There is nothing to choose.
    #expect(state.take(.enter, page: 5) == .goesOn)
  }
}
