import TestSupport
import Testing

@testable import ErrandCLI

/// `errand shelf`.
@Suite struct ShelfTests {
  @Test func whatOthersSendWaitsUntilItIsKept() throws {
    let sandbox = try Sandbox()
    func send(_ words: String...) throws {
      #expect(try sandbox.run(["share-in", "--quiet"] + words).status == 0)
      #expect(try sandbox.run("inbox", "drain").status == 0)
    }
    try send("https://swift.org", "--title", "Swift", "--sender", "Mara", "--conversation", "Group")
    try send("Look: https://yaml.org.", "--sender", "Eva")
    try send("nothing to keep", "--sender", "Eva")
    #expect(try sandbox.run("find", "links", "--count").out == "0\n")
    let list = try sandbox.run("shelf").out
    #expect(
      list == """
        Without a conversation
          shared:2  https://yaml.org  Eva
        Group
          shared:1  Swift             Mara

        """, "\(list)")
    #expect(try sandbox.run("shelf", "keep", "shared:1").err.contains("Kept Swift."))
    let link = try sandbox.run("find", "links", "--format", "{{ self.title }}: {{ self.source }}")
    #expect(link.out == "Swift: shared by Mara in Group\n")
    #expect(try sandbox.run("shelf", "dismiss", "shared:2").status == 0)
    #expect(try sandbox.run("shelf").out == "")
    // The same message again, of a chat that was exported twice.
    try send("Look: https://yaml.org.", "--sender", "Eva")
    #expect(try sandbox.run("shelf").out == "")
  }

  @Test func conversationsAreForgotten() throws {
    let sandbox = try Sandbox()
    let text = "https://a.example https://b.example"
    _ = try sandbox.run("share-in", text, "--conversation", "Group")
    _ = try sandbox.run("inbox", "drain")
    #expect(try sandbox.run("shelf", "forget", "Grup").err.contains("did you mean"))
    #expect(try sandbox.run("shelf", "forget", "Group").err == "Dismissed 2 shared links.\n")
    #expect(try sandbox.run("shelf", "--json").out == "[]\n")
    #expect(try sandbox.run("undo").status == 0)
    #expect(try sandbox.run("shelf", "--conversation", "Group").out.contains("https://b.example"))
  }
}
