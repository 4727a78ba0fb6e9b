import TestSupport
import Testing

/// URLs as people paste them, and signed links.
@Suite struct PastedLinkTests {
  @Test func aSpaceIsEncodedAsBrowsersDo() throws {
    let sandbox = try Sandbox()
    let pasted = "  https://x.org/a b?q=c d#e f "
    let encoded = "https://x.org/a%20b?q=c%20d#e%20f"
    #expect(
      try sandbox.run("save", pasted)
        == ProgramRun(
          out: encoded + "\n", err: "Saved \(encoded) in your library.\n"))
    #expect(
      try sandbox.run("get", pasted, "--format", "{{ self.ref }}") == ProgramRun(out: "link:1\n"))
    #expect(try sandbox.run("save", pasted).err == "Updated \(encoded) in your library.\n")
  }

  @Test(arguments: ["https://x .org/", "https://x.org and more", "not a url"])
  func aSpaceThatBelongsToNoPathIsRefused(_ text: String) throws {
    let run = try Sandbox().run("save", text)
    let problem =
      "errand: error: `url`: “\(text)” is not a URL: it contains a space [invalid-value]\n"
    #expect(run.status == 2 && run.out == "" && run.err.hasPrefix(problem), "\(run)")
    #expect(run.err.contains("or errand search '\(text)' to search for words"), "\(run)")
  }

  private func signed(in sandbox: Sandbox) throws -> String {
    _ = try sandbox.run("save", "https://swift.org", "--title", "Swift")
    let link = try sandbox.run("share", "link:1", "--quiet").out
    return String(link.dropLast())
  }

  @Test func aGenuineSignedLinkIsSavedAsWhatItStandsFor() throws {
    let sandbox = try Sandbox()
    let link = try signed(in: sandbox)
    #expect(
      try sandbox.run("save", link, "--tags", "again").err == "Updated Swift in your library.\n")
    #expect(try sandbox.run("find", "links").out == "https://swift.org\n")
  }

  @Test func aSignedLinkThatFailsItsCheckIsNotSaved() throws {
    let sandbox = try Sandbox()
    let link = try signed(in: sandbox)
    let forged = String(link.dropLast(3)) + (link.hasSuffix("abc") ? "xyz" : "abc")
    for words in [
      ["save", forged], ["create", "link", "url=" + forged], ["update", "link:1", "url=" + forged],
    ] {
      let run = try sandbox.run(words)
      #expect(run.status == 1, "\(run)")
      #expect(run.out == "")
      #expect(run.err.contains("[denied]"), "\(run)")
    }
    #expect(try sandbox.run("find", "links").out == "https://swift.org\n")
  }

  @Test func keyReadableByOthersIsRejected() throws {
    let sandbox = try Sandbox()
    let link = try signed(in: sandbox)
    let key = sandbox.path + "/.local/share/errand/keys/links.key"
    _ = try sandbox.shell("chmod 644 \(key)")
    let run = try sandbox.run("open", link)
    #expect(run.status == 1)
    #expect(
      run.err
        == "errand: error: the key for wrapped links, \(key), can be read by others; remove their access: chmod 600 \(key) [io]\n"
    )
  }
}
