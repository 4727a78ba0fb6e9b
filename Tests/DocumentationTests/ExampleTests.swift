import Testing

/// Checks that the example runner detects wrong examples.
@Suite struct ExampleTests {
  @Test(
    arguments: [
      (["one", "…"], ["one"], true), (["one", "…"], ["one", "two", "three"], true),
      (["…", "last"], ["a", "b", "last"], true), (["…", "last"], ["a", "b"], false),
      (["a … c"], ["a b c"], true), (["a … c"], ["a b d"], false),
      (["at …"], ["at 12:00"], true), (["…\""], ["\"x\""], true),
      (["one"], ["one", "two"], false), (["one", "two"], ["one"], false), ([], [], true),
      (["a…b…c"], ["a1b2c"], true), (["a…b…c"], ["a1c2b"], false),
    ])
  func anEllipsisStandsForAnything(_ pattern: [String], _ output: [String], _ matches: Bool) {
    #expect(OutputPattern(pattern).matches(output) == matches)
  }

  @Test func blocksAreFoundWithWhatTheirFencesSay() {
    let page = """
      Text
      ```yaml file=a.yaml wrong
      a: 1
      ```
      ````console
      ```
      ````
      """
    let blocks = MarkdownBlock.all(in: page, named: "page.md")
    #expect(blocks.map(\.language) == ["yaml", "console"])
    #expect(blocks.map(\.lines) == [["a: 1"], ["```"]])
    #expect(blocks.map(\.place) == ["page.md:2", "page.md:5"])
    #expect(blocks[0].value("file") == "a.yaml")
    #expect(blocks[0].has("wrong"))
  }

  @Test(
    arguments: [
      "```console\n$ errand eval 1\n2\n```", "```console\n$ errand eval 1 2\n```",
      "```cel\n1 + 1  // 3\n```", "```cel\n1 + 1  // error: no\n```",
      "```yaml\nshortcut: a\nstesp: []\n```", "```yaml\nsteps: []\n```",
      "```yaml steps\n- sya: x\n```",
    ])
  func wrongExamplesAreFound(_ text: String) throws {
    let mismatches = try Page(text: text, named: "page.md").run()
    #expect(mismatches.count == 1)
    #expect(mismatches.first?.hasPrefix("page.md:1: ") == true)
  }

  @Test func correctExamplesPass() throws {
    let text = """
      ```yaml file=a.yaml
      shortcut: a
      steps:
        - ask: How many?
          as: count
        - say: '{{ count }}'
      ```

      ```console types=three
      $ cd /tmp; pwd
      /tmp
      $ false
      $ echo $?
      1
      $ cat <<E | tr a-z A-Z
      > two
      > E
      TWO

      $ errand run ~/a.yaml
      How many? three
      three
      ```

      ```cel
      "a" + "b"  // "ab"
      1 / 0  // error: division by zero
      ```
      """
    #expect(try Page(text: text, named: "page.md").run() == [])
  }
}
