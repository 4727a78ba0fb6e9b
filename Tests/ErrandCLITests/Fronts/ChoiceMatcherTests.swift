import Engine
import Testing

@testable import ErrandCLI

/// Matching of typed answers to choices.
@Suite struct ChoiceMatcherTests {
  private let choices = [
    Question.Choice(title: "Swift", subtitle: "swift.org", reference: "link:1"),
    Question.Choice(title: "Swift by Sundell", subtitle: "swiftbysundell.com", reference: "link:2"),
    Question.Choice(title: "Rust, the book", subtitle: "rust-lang.org", reference: "link:3"),
    Question.Choice(title: "2", subtitle: nil, reference: "link:9"),
  ]

  @Test(
    arguments: [
      ("1", [0]), ("3", [2]), ("2", [3]), ("link:2", [1]), ("Swift", [0]), ("swift", [0]),
      ("sundell", [1]), ("RUST", [2]), (" 3 ", [2]), ("rust-lang", [2]), ("Rust, the book", [2]),
    ])
  func one(_ answer: String, _ chosen: [Int]) {
    #expect(ChoiceMatcher(choices, many: false).match(answer) == .chosen(chosen))
  }

  @Test func aPartOfSeveralNarrows() {
    #expect(ChoiceMatcher(choices, many: false).match("swi") == .narrowed([0, 1]))
    #expect(ChoiceMatcher(choices, many: true).match("swi") == .narrowed([0, 1]))
  }

  @Test(
    arguments: [
      ("", "type a number from 1 to 4"), ("  ", "type a number from 1 to 4"),
      ("7", "there is no 7: type a number from 1 to 4"),
      ("-1", "there is no -1: type a number from 1 to 4"),
      ("zig", "nothing matches “zig”: type a number from 1 to 4"),
    ])
  func none(_ answer: String, _ problem: String) {
    #expect(ChoiceMatcher(choices, many: false).match(answer) == .problem(problem))
  }

  @Test(
    arguments: [
      ("1,3", [0, 2]), ("1-3", [0, 1, 2]), ("3, 1 - 2", [2, 0, 1]), ("1,1-2", [0, 1]),
      ("all", [0, 1, 2, 3]), ("none", []), ("link:3,sundell", [2, 1]), ("Rust, the book", [2]),
    ])
  func many(_ answer: String, _ chosen: [Int]) {
    #expect(ChoiceMatcher(choices, many: true).match(answer) == .chosen(chosen))
  }

  @Test(
    arguments: [
      "", ",", "1-9", "0", "3-1", "1,zig", "1,swi", "99999999999999999999", "1-",
      "0-4000000000",
    ])
  func manyThatDoNotFit(_ answer: String) {
    guard case .problem(let problem) = ChoiceMatcher(choices, many: true).match(answer) else {
      Issue.record("“\(answer)” was taken")
      return
    }
    #expect(problem.contains("type numbers such as 1,3-5"))
  }
}
