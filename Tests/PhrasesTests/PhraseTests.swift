import FoundationEssentials
import PhraseConformance
import Synchronization
import TestSupport
import Testing

@testable import Phrases

/// The number of calls of a function.
private final class Count: Sendable { let calls = Mutex(0) }

/// Templates of sentences, against cases of hassil's language in 33 languages.
@Suite struct PhraseTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../shared/data/phrases")

  private func book(
    _ templates: [String], lists: [PhraseList] = [], rules: [String: String] = [:]
  ) throws -> PhraseBook {
    var source = PhraseBook.Source()
    source.templates = .init(templates.map { PhraseBook.Template("do", $0) })
    source.lists = lists
    source.rules = rules
    source.numberWords = PhraseNumbers.english
    return try PhraseBook(source)
  }

  @Test(

    .enabled(
      if: FileManager.default.fileExists(atPath: folder.path()), "the outside data are not there"),
    arguments: ["syntax.jsonl", "ties.jsonl", "dev.jsonl.gz"])
  func sentencesMatchAsTheDataSay(_ file: String) throws {
    let lines = try PhraseCases.lines(
      of: [UInt8](Data(contentsOf: Self.folder.appending(path: file))))
    // A language takes seconds in a debug build.
    let some = file.hasPrefix("dev") && !Amount.isWhole ? Array(lines.prefix(2)) : lines
    var count = 0
    for line in some {
      let cases = try PhraseCases(line)
      let chosen = Amount.isWhole ? cases.cases : Array(cases.cases.prefix(60))
      for one in chosen {
        count += 1
        let failure = cases.failure(of: one)
        #expect(failure == nil, "\(one.name): \(one.sentence): \(failure ?? "")")
      }
    }
    #expect(count > 10)
  }

  @Test func valuesAreThoseOfTheSentence() throws {
    let lists = [
      PhraseList("priority", .values(["low", "(high|urgent)"])), PhraseList("title", .wildcard),
      PhraseList("count", .range(.init(from: 1, to: 500))),
    ]
    let book = try book(
      ["add task {title} [as {priority}]", "take {count} [of <them>]"], lists: lists,
      rules: ["them": "(them|those)"])
    let task = try #require(book.match("Add task Call Ada, as URGENT!"))
    #expect(task.slots == ["title": .words("Call Ada"), "priority": .listed(list: "priority", 1)])
    #expect(
      try #require(book.match("take one hundred and twenty-one of those")).slots == [
        "count": .number(121)
      ])
    #expect(book.match("take 501") == nil)
    #expect(book.match("") == nil)
  }

  /// A program is at most some times as long as its template, so that the places in it and in a
  /// sentence need linear memory, however many forms nested groups have.
  @Test(
    arguments: [
      String(repeating: "[a", count: 66) + String(repeating: "]", count: 66),
      String(repeating: "[a|(b[c])", count: 15) + String(repeating: "]", count: 15),
      String(repeating: "[[a] (b|c)] ", count: 16), String(repeating: "[a [b [c [d]]]]", count: 13),
    ].map { String($0.prefix(200)) })
  func nestedOptionalsTakeLinearMemory(_ template: String) throws {
    guard let parsed = try? PhraseTemplate(template) else { return #expect(template.count == 198) }
    var scope = PhraseProgram.Scope(texts: [:], lists: [:], wildcards: [], firstRange: 0)
    let program = try PhraseProgram(parsed, withNeeds: true, in: &scope)
    #expect(program.code.count + program.targets.count <= 4 * template.count)
    let book = try book([template + " end"])
    #expect(book.match(String(repeating: "a b c ", count: 200) + "or") == nil)
  }

  /// Skip words are whole words, also beside a hyphen; a template with a wildcard at an edge keeps
  /// those there, as in hassil.
  @Test func skipWordsAreWholeWords() throws {
    var source = PhraseBook.Source()
    source.templates = .init(
      ["light off", "the {words}", "{words} off {more}", "take {count}"]
        .map { PhraseBook.Template("do", $0) })
    source.lists = [
      PhraseList("words", .wildcard), PhraseList("more", .wildcard),
      PhraseList("count", .range(.init(from: 0, to: 50))),
    ]
    source.skipWords = ["please", "the"]
    source.numberWords = PhraseNumbers.english
    let book = try PhraseBook(source)
    #expect(book.match("light the off, please!")?.template == 0)
    #expect(book.match("theatre light off") == nil)
    #expect(book.match("the bread")?.slots == ["words": .words("bread")])
    #expect(book.match("the bread please and more") == nil)
    #expect(
      book.match("the bread off jam please")?.slots == [
        "words": .words("the bread"), "more": .words("jam"),
      ])
    // Part of a number is not a number.
    #expect(book.match("take twenty please") != nil && book.match("take twenty-two") != nil)
    #expect(book.match("take fifty-one") == nil)
  }

  /// A sentence twice as long has twice as many values that are read, and the longest one ends.
  @Test func readingGrowsWithTheSentence() throws {
    let count = Count()
    let day = PhraseList(
      "day",
      .read { text in
        count.calls.withLock { $0 += 1 }
        return text.hasPrefix("on") ? text.count <= 9 : nil
      })
    let templates = ["say {w} {day}", "say {w} {day} and {v} {day} or {w}", "say {w} in {v} {day}"]
    let lists = [day, PhraseList("w", .wildcard), PhraseList("v", .wildcard)]
    let counts = try [100, 200].map { words in
      let book = try book(templates, lists: lists)
      count.calls.withLock { $0 = 0 }
      let match = book.match(
        "say " + String(repeating: "x on monday and ", count: words) + "on friday")
      #expect(match?.template == 0 && match?.slots["day"] == .words("on friday"))
      return count.calls.withLock { $0 }
    }
    #expect(counts[0] > 0 && counts[1] <= counts[0] * 5 / 2, "\(counts)")
  }

  /// No free text begins with a sign that clings to the word before it.
  @Test func particlesBeginNoText() throws {
    var source = PhraseBook.Source()
    source.templates = PhraseBook.Templates([PhraseBook.Template("note", "メモ{w}")])
    source.lists = [PhraseList("w", .wildcard)]
    source.joinsCJK = true
    source.particles = Set("をは".unicodeScalars)
    let book = try PhraseBook(source)
    #expect(book.match("メモを全部") == nil && book.match("メモは全部") == nil)
    #expect(book.match("メモはさみ")?.slots["w"] == .words("はさみ"))
  }

  /// Nested and repeated groups neither fill the memory nor take forever.
  @Test func hostileTemplatesAreBounded() throws {
    let nested = String(repeating: "[a", count: 60) + String(repeating: "]", count: 60)
    let book = try book([nested + " b", String(repeating: "[a] ", count: 60) + "b"])
    let sentence = String(repeating: "a ", count: 59)
    #expect(book.match(sentence + "b") != nil)
    #expect(book.match(sentence + "c") == nil)
    let deep = String(repeating: "[a", count: 5_000) + String(repeating: "]", count: 5_000)
    let wide = "(" + (0..<12).map { "w\($0)" }.joined(separator: ";") + ")"
    let rules = ["x": "<x> a"]
    for template in [
      deep, wide, "<x>", "<none>", "{none}",
      "((((((a;b;c;d;e;f);b;c;d;e;f);b;c;d;e;f);b;c;d;e;f);b;c;d;e;f);b)",
    ] {
      #expect(throws: PhraseError.self, "\(template.prefix(40))") {
        try self.book([template], rules: rules)
      }
    }
    let wildcards = try self.book(
      [(0..<12).map { "x\($0) {w}" }.joined(separator: " ")], lists: [PhraseList("w", .wildcard)])
    #expect(wildcards.match(String(repeating: "x0 a x1 b ", count: 60)) == nil)
  }
}
