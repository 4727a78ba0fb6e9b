import FoundationEssentials
import TestSupport
import Testing

/// The vault: waiting shares and secrets are sealed, and come out once.
@Suite struct VaultCommandTests {
  private static let passphrase = "correct horse battery"

  /// A sandbox with a vault; nil without a keyring of the kernel.
  private func sandbox() throws -> Sandbox? {
    let sandbox = try Sandbox()
    #expect(try sandbox.run("vault").err == "No vault. `errand vault init` makes one.\n")
    #expect(try sandbox.run("vault", "init", "-", input: "short\n").status == 2)
    #expect(try sandbox.run("vault", "init", "-", input: Self.passphrase + "\n").status == 0)
    let unlocked = try sandbox.run("vault", "unlock", "-", input: Self.passphrase + "\n")
    if unlocked.err.contains("no keyring") { return nil }
    #expect(unlocked.status == 0, "\(unlocked)")
    #expect(try sandbox.run("vault", "lock").status == 0)
    return sandbox
  }

  /// Whether any file of the sandbox has a text.
  private func isFound(_ text: String, in sandbox: Sandbox) throws -> Bool {
    // Skip the recorded standard input of the runs.
    for name in try FileManager.default.subpathsOfDirectory(atPath: sandbox.path)
    where !name.contains(".streams-") {
      guard let data = try? Data(contentsOf: URL(filePath: sandbox.path + "/" + name)) else {
        continue
      }
      if data.firstRange(of: Data(text.utf8)) != nil { return true }
    }
    return false
  }

  @Test func sharesWaitSealedAndComeInOnce() throws {
    guard let sandbox = try sandbox() else { return }
    for number in 0..<20 {
      #expect(try sandbox.run("share-in", "https://hidden.example/\(number)").status == 0)
    }
    // A file of another program, which has been left alone for long enough.
    let file = ".local/share/errand/library.db.inbox/new/x.txt"
    try sandbox.write("Buy hidden milk", to: file)
    #expect(try sandbox.shell("touch -d '1 minute ago' \(file)").status == 0)
    let list = try sandbox.run("inbox")
    #expect(list.out.contains("21 sealed shares") && !list.out.contains("example"), "\(list)")
    #expect(try !isFound("hidden.example", in: sandbox))
    #expect(try !isFound("hidden milk", in: sandbox))
    let wrong = try sandbox.run("vault", "unlock", "-", input: "wrong horse battery\n")
    #expect(wrong.status == 1 && wrong.err.contains("the passphrase is wrong"))
    #expect(try sandbox.run("vault", "--json").out.contains(#""vault":"locked","sealed":21"#))
    let unlocked = try sandbox.run(
      "vault", "unlock", "--for", "10 min", "-", input: Self.passphrase + "\n")
    #expect(unlocked.err.contains("Imported 21 shares."), "\(unlocked)")
    #expect(try sandbox.run("inbox", "drain").status == 0)
    #expect(try sandbox.run("find", "links", "--quiet").out.split(separator: "\n").count == 20)
    #expect(try sandbox.run("vault", "lock").status == 0)
    #expect(try sandbox.run("vault", "--json").out.contains(#""sealed":0"#))
  }

  @Test func whatWaitsIsSealedAtOnce() throws {
    let sandbox = try Sandbox()
    for number in 1...3 {
      #expect(try sandbox.run("share-in", "https://hidden.example/\(number)").status == 0)
    }
    let made = try sandbox.run("vault", "init", "-", input: Self.passphrase + "\n")
    #expect(made.err.contains("sealed 3 shares that waited"), "\(made)")
    #expect(try !isFound("hidden.example", in: sandbox))
    let new = ".local/share/errand/library.db.inbox/new/"
    for words in [["vault"], ["share-in", "https://other.example"]] {
      try sandbox.write("Buy hidden milk", to: new + "x.txt")
      #expect(try sandbox.shell("touch -d '1 minute ago' \(new)x.txt").status == 0)
      #expect(try sandbox.run(words).status == 0)
      #expect(try !isFound("hidden milk", in: sandbox))
    }
  }

  @Test func secretsAreSealedAndJobsWait() throws {
    guard let sandbox = try sandbox() else { return }
    let locked = try sandbox.run("secret", "set", "TOKEN", "-", input: "hidden-token-1\n")
    #expect(locked.status == 0, "a first secret needs no other: \(locked)")
    #expect(try !isFound("hidden-token-1", in: sandbox))
    let encoded = Data("hidden-token-1".utf8).base64EncodedString()
    #expect(try !isFound(encoded, in: sandbox))
    let second = try sandbox.run("secret", "set", "OTHER", "-", input: "hidden-token-2\n")
    #expect(second.status != 0 && second.err.contains("errand vault unlock"), "\(second)")
    try sandbox.write(
      "shortcut: a\nsteps:\n  - exec: {command: [cat], stdin: '{{ secret(\"TOKEN\") }}'}\n",
      to: ".config/errand/a.yaml")
    try sandbox.write(
      "shortcut: later\nsteps:\n  - enqueue: a\n", to: ".config/errand/later.yaml")
    let run = try sandbox.run("run", "a")
    #expect(run.status == 1 && run.err.contains("the vault is locked"), "\(run)")
    // A job waits for the vault, and is done once it is open.
    #expect(try sandbox.run("later").status == 0)
    _ = try sandbox.run("worker", "--once")
    let waiting = try sandbox.run("queue", "--json")
    #expect(waiting.out.contains(#""state":"waiting""#), "\(waiting)")
    let unlocked = try sandbox.run("vault", "unlock", "-", input: Self.passphrase + "\n")
    #expect(unlocked.status == 0)
    _ = try sandbox.run("worker", "--once")
    let done = try sandbox.run("queue", "--all", "--json")
    #expect(done.out.contains(#""state":"done""#), "\(done)")
    #expect(try sandbox.run("secret", "list").out == "TOKEN\n")
    // Without the vault everything is in clear again.
    #expect(try sandbox.run("vault", "off", "-", input: Self.passphrase + "\n").status == 0)
    #expect(try sandbox.run("secret", "list").out == "TOKEN\n")
    #expect(try isFound(encoded, in: sandbox))
  }
}
