import ErrandKit
import Items
import Source
import Store
import Testing

@testable import ErrandCLI

/// Lists and tables on narrow and wide terminals.
@Suite struct LayoutTests {
  private let rows = [
    RowLayout.Row(lead: "link:7", title: "Swift", subtitle: "swift.org · just now"),
    RowLayout.Row(
      lead: "link:42", title: "The Swift Programming Language, a book that is very long indeed",
      subtitle: "docs.swift.org · 3 days ago"),
    RowLayout.Row(lead: "link:8", title: "漢字の本", subtitle: nil),
  ]

  @Test func aWideTerminalHasOneLineForEach() {
    let lines = RowLayout(style: .plain, width: 120).lines(rows)
    #expect(
      lines == [
        "link:7   Swift                                             swift.org · just now",
        "link:42  The Swift Programming Language, a book that is very long indeed  docs.swift.org · 3 days ago",
        "link:8   漢字の本",
      ])
  }

  /// Marked parts are highlighted, and are kept if there is little room.
  @Test func warningsStandFirst() {
    let details = MarkedText([
      .init("gone", isMarked: true), .init(" · swift.org · favourite · #swift", isMarked: false),
    ])
    let row = RowLayout.Row(lead: "link:7", title: MarkedText("Swift"), subtitle: details)
    #expect(
      RowLayout(style: .coloured, width: 80).lines([row]).map(\.text) == [
        "\u{1B}[38;5;31mlink:7\u{1B}[0m  Swift  \u{1B}[38;5;130mgone\u{1B}[0m"
          + "\u{1B}[38;5;243m · swift.org · favourite · #swift\u{1B}[0m"
      ])
    #expect(
      RowLayout(style: .plain, width: 30).lines([row]) == [
        "link:7  Swift", "        gone · swift.org · fa…",
      ])
  }

  @Test func anOrdinaryOneCutsTitles() {
    let lines = RowLayout(style: .plain, width: 80).lines(rows)
    #expect(
      lines == [
        "link:7   Swift                                             swift.org · just now",
        "link:42  The Swift Programming Language, a book that is very lo…  docs.swift.org",
        "link:8   漢字の本",
      ])
  }

  /// Facts beside a title are left out whole, from the last on; a long first one is shortened.
  @Test(arguments: [
    ("swift.org · just now · #docs", "  swift.org"),
    ("a-very-long-host.example", "  a-very-long-h…"),
  ])
  func aTitleComesBeforeFacts(_ facts: String, _ end: String) {
    let row = RowLayout.Row(
      lead: "link:1", title: "A title of sixty columns, which is more than fits, in one go.",
      subtitle: facts)
    let lines = RowLayout(style: .plain, width: 79).lines([row])
    #expect(lines.allSatisfy { $0.text.displayWidth <= 79 && $0.text.hasSuffix(end) }, "\(lines)")
  }

  @Test func aNarrowOneHasTwoLinesForEach() {
    let lines = RowLayout(style: .plain, width: 40).lines(rows)
    #expect(
      lines == [
        "link:7   Swift", "         swift.org · just now",
        "link:42  The Swift Programming Language…",
        "         docs.swift.org · 3 days ago", "link:8   漢字の本",
      ])
  }

  @Test(arguments: [1, 9, 20, 39, 40, 41, 63, 64, 65, 66, 80, 120, 200])
  func noLineIsWiderThanTheTerminal(_ width: Int) {
    let table = TableLayout(style: .plain, width: width).lines(
      columns: ["ref", "title", "tags"],
      rows: [["link:1", "A title of many words", "a, b"], ["link:22", "漢字の本", ""]])
    for line in RowLayout(style: .plain, width: max(20, width)).lines(rows) {
      #expect(line.text.displayWidth <= max(20, width))
    }
    for line in table { #expect(line.text.displayWidth <= max(20, width)) }
  }

  /// Search snippets are shown below, as far as there is room.
  @Test func snippetsAreBelowTheTitle() {
    let snippet = MarkedText([
      .init("A long way to go before one comes to the ", isMarked: false),
      .init("bird", isMarked: true), .init(" that was looked for,\nand more", isMarked: false),
    ])
    let title = MarkedText([.init("Swift", isMarked: true), .init(" and others", isMarked: false)])
    let row = RowLayout.Row(
      lead: "link:7", title: title, subtitle: MarkedText("today"), snippet: snippet)
    #expect(
      RowLayout(style: .plain, width: 70).lines([row]) == [
        "link:7  Swift and others  today",
        "        …go before one comes to the bird that was looked for, and more",
      ])
    #expect(
      RowLayout(style: .coloured, width: 30).lines([row]) == [
        "\u{1B}[38;5;31mlink:7\u{1B}[0m  \u{1B}[1mSwift\u{1B}[0m and others",
        "        \u{1B}[38;5;243mtoday\u{1B}[0m",
        "        \u{1B}[38;5;243m…\u{1B}[0m\u{1B}[38;5;243mthe \u{1B}[0m\u{1B}[1mbird\u{1B}[0m"
          + "\u{1B}[38;5;243m that was\u{1B}[0m\u{1B}[38;5;243m…\u{1B}[0m",
      ])
    let narrow = RowLayout(style: .coloured, width: 12).lines([row])
    #expect(narrow.first == "\u{1B}[38;5;31mlink:7\u{1B}[0m  \u{1B}[1mSwift\u{1B}[0m a…")
    for width in 9...120 {
      for line in RowLayout(style: .plain, width: width).lines([row]) {
        #expect(line.text.displayWidth <= max(16, width))
      }
    }
  }

  @Test func withoutATerminalNothingIsCut() {
    let lines = RowLayout(style: .plain, width: nil).lines(rows)
    #expect(lines[1].text.hasSuffix("long indeed  docs.swift.org · 3 days ago"))
  }

  @Test func numbersStandAtTheRight() {
    var layout = RowLayout(style: .plain, width: 80)
    layout.alignsLeadsRight = true
    let lines = layout.lines([
      .init(lead: "9", title: "a", subtitle: nil), .init(lead: "10", title: "b", subtitle: nil),
    ])
    #expect(lines == [" 9  a", "10  b"])
  }

  @Test func nothingInATitleSteersTheTerminal() {
    let row = RowLayout.Row(lead: "x", title: "a\u{1B}[2J\nb", subtitle: "\u{9B}1m")
    #expect(RowLayout(style: .plain, width: 80).lines([row]) == ["x  a␛[2J b  \u{FFFD}1m"])
    let table = TableLayout(style: .plain, width: 80).lines(
      columns: ["a"], rows: [["x\u{1B}c"], ["y\nz"]])
    #expect(table == ["a", "x␛c", "y z"])
  }

  @Test func aTableFitsItsColumns() {
    let columns = ["ref", "title"]
    let cells = [["link:1", "Swift"], ["link:22", "The Swift Programming Language"]]
    #expect(
      TableLayout(style: .plain, width: 80).lines(columns: columns, rows: cells) == [
        "ref      title", "link:1   Swift", "link:22  The Swift Programming Language",
      ])
    #expect(
      TableLayout(style: .plain, width: 20).lines(columns: columns, rows: cells) == [
        "ref      title", "link:1   Swift", "link:22  The Swift", "         Programming",
        "         Language",
      ])
  }

  @Test func numbersOfATableStandAtTheRight() {
    let lines = TableLayout(style: .plain, width: 80).lines(
      columns: ["tag", "items", "sum"], rows: [["a", "2", "1.50"], ["b", "125", "-3"]])
    #expect(lines == ["tag  items   sum", "a        2  1.50", "b      125    -3"])
  }

  /// The main text of a table is shown in full, up to a few lines.
  @Test func aLongTextGoesOnBelow() {
    let text = "the program that shows long results page by page"
    let lines = TableLayout(style: .plain, width: 40).lines(
      columns: ["name", "what it does"], rows: [["pager", text], ["x", "y"]])
    #expect(
      lines == [
        "name   what it does", "pager  the program that shows long", "       results page by page",
        "x      y",
      ])
    let words = Array(repeating: "word", count: 60).joined(separator: " ")
    let many = TableLayout(style: .plain, width: 30).lines(columns: ["a"], rows: [[words]])
    #expect(many.count == 5 && many.last?.text.hasSuffix("…") == true)
  }

  @Test func aNarrowTerminalHasBlocks() {
    let lines = TableLayout(style: .plain, width: 40).lines(
      columns: ["name", "value", "from", "what it does"],
      rows: [
        ["linkBase", "https://errand.localhost", "default", "the base URL of signed links here"]
      ])
    #expect(
      lines == [
        "name          linkBase", "value         https://errand.localhost", "from          default",
        "what it does  the base URL of signed", "              links here",
      ])
  }

  @Test func aTableWithoutRowsIsEmpty() {
    #expect(TableLayout(style: .plain, width: 80).lines(columns: ["value"], rows: []) == [])
  }

  @Test func aTableWithoutRoomIsALineForEachCell() {
    let lines = TableLayout(style: .plain, width: 20).lines(
      columns: ["one", "two", "three"],
      rows: [["aaaaaaaaaaaa", "bbbbbbbbbbbb", "c"], ["aaaaaaaaaaaa", "", "cccccccccccccccccccc"]])
    #expect(
      lines == [
        "one    aaaaaaaaaaaa", "two    bbbbbbbbbbbb", "three  c", "", "one    aaaaaaaaaaaa",
        "three  cccccccccccc…",
      ])
  }
}
