import Glibc
import TestSupport
import Testing

/// A run over very many items is undone and redone while other processes write.
@Suite struct ManyChangesTests {
  /// Number of items; 100,000 take minutes in a debug build.
  private static let count =
    Amount.of("ERRAND_MANY_ITEMS", quick: 2_000, whole: 20_000)

  private func sandbox() throws -> Sandbox {
    let sandbox = try Sandbox([
      "mark.yaml": """
      shortcut: mark
      steps:
        - find: {entity: Link, where: 'url.startsWith("https://many.example/")'}
          as: links
        - for: link
          in: links
          do:
            - update: {item: '{{ link }}', set: {summary: marked}, add: {tags: [seen]}}
      output: none
      """
    ])
    let lines = (1...Self.count).map {
      "{\"url\":\"https://many.example/\($0)\",\"tags\":[\"t\($0 % 7)\"]}\n"
    }
    try sandbox.write(lines.joined(), to: "links.jsonl")
    #expect(
      try sandbox.run("import", "links.jsonl", "--json").out.contains("\"created\":\(Self.count)"))
    return sandbox
  }

  /// Runs a command while two processes save links; all must succeed.
  private func whileOthersWrite(_ name: String, _ command: String, in sandbox: Sandbox) throws {
    let script = """
      writer() {
        for number in 1 2 3 4 5 6 7 8; do
          errand save "https://$1.example/$number" --quiet > /dev/null || echo "lost $1 $number"
        done
      }
      writer \(name)-a & writer \(name)-b &
      \(command)
      echo "status $?"
      wait
      """
    let run = try sandbox.shell(script)
    #expect(run.out == "status 0\n", "\(run)")
  }

  private func count(_ condition: String, in sandbox: Sandbox) throws -> Int {
    Int(try sandbox.run("find", "links", "--where", condition, "--count").out.dropLast()) ?? -1
  }

  @Test func runIsUndoneAndRedone() throws {
    let sandbox = try sandbox()
    let isMarked = "summary == \"marked\" && \"seen\" in tags"
    try whileOthersWrite("one", "errand run mark.yaml --quiet", in: sandbox)
    #expect(try count(isMarked, in: sandbox) == Self.count)
    try whileOthersWrite("two", "errand undo --by mark > /dev/null", in: sandbox)
    #expect(try count("summary == null && size(tags) == 1", in: sandbox) == Self.count)
    try whileOthersWrite("three", "errand redo > /dev/null", in: sandbox)
    #expect(try count(isMarked, in: sandbox) == Self.count)
    #expect(try count("true", in: sandbox) == Self.count + 3 * 16)
    #expect(try sandbox.run("doctor").status == 0)
  }

  @Test func commandOnManyItemsIsOneChange() throws {
    let sandbox = try sandbox()
    let update =
      "errand update links --where 'size(tags) == 1' status=ready --yes --quiet > /dev/null"
    try whileOthersWrite("one", update, in: sandbox)
    #expect(try count("status == \"ready\"", in: sandbox) == Self.count)
    try whileOthersWrite("two", "errand undo --by update > /dev/null", in: sandbox)
    #expect(try count("status == \"ready\"", in: sandbox) == 0)
    try whileOthersWrite("three", "errand tags rename t1 seven/one > /dev/null", in: sandbox)
    try whileOthersWrite(
      "four", "errand delete links --where 'url.startsWith(\"https://many\")' --yes --quiet",
      in: sandbox)
    #expect(try count("true", in: sandbox) == 4 * 16)
    try whileOthersWrite("five", "errand undo --by delete > /dev/null", in: sandbox)
    #expect(try count("true", in: sandbox) == Self.count + 5 * 16)
    #expect(try count("\"seven/one\" in tags", in: sandbox) == (Self.count + 6) / 7)
    #expect(try sandbox.run("doctor").status == 0)
  }
}
