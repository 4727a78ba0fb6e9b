import CEL
import Engine
import ErrandKit
import Inbox
import Program
import Source

/// `errand vault`: seals secrets and waiting shares under a passphrase.
enum VaultCommand {
  static let command: Command = .init(
    "vault", "seal secrets and waiting shares under a passphrase",
    usage: "[init|unlock|lock|change|repair|off] [-]",
    discussion: """
      Without a subcommand, says whether the vault is locked and how many shares wait in it. `init` \
      makes a vault, `unlock` opens it for a time and imports what waits, `lock` closes it, \
      `change` replaces the passphrase, `repair` restores a public key that was changed in the \
      vault's file, and `off` opens everything for good. The passphrase is \
      asked for on the terminal, or read from standard input with `-`; `change` reads the old and \
      the new one, each on a line. A lost passphrase loses what is sealed.
      """,
    flags: [Flag("for", .value("DURATION"), "with unlock: how long, 8h by default")],
    serves: [.json]
  ) { invocation, arguments in
    let vault = try invocation.places.expected("there is no place for a vault: HOME is not set")
      .vault
    var words = arguments.words
    let isPiped = words.last == "-"
    if isPiped { words.removeLast() }
    guard words.count <= 1 else { throw command.misuse(words) }
    let verb = words.first ?? ""
    if arguments.last("for") != nil, verb != "unlock" {
      throw UsageError("--for is for `vault unlock`")
    }
    var passphrases = Passphrases(invocation, isPiped: isPiped)
    switch verb {
    case "": try status(vault, invocation)
    case "init": try make(vault, &passphrases, invocation)
    case "unlock":
      try unlock(vault, for: arguments.last("for") ?? "8h", &passphrases, invocation)
    case "lock":
      try expect(vault)
      try vault.lock()
      invocation.say("The vault is locked.")
    case "change":
      try expect(vault)
      let old = try passphrases.next("Passphrase:")
      try vault.expect(passphrase: old)
      try vault.change(from: old, to: passphrases.new())
      invocation.say("The passphrase is changed.")
    case "repair":
      try expect(vault)
      let isRestored = try vault.repair(passphrase: passphrases.next("Passphrase:"))
      invocation.say(
        isRestored
          ? "The public key is restored. `errand vault unlock` names shares that it does not open."
          : "The vault is intact.")
    case "off": try remove(vault, &passphrases, invocation)
    default: throw command.misuse(words)
    }
  }

  private static func expect(_ vault: Vault) throws {
    guard vault.exists else { throw UsageError("there is no vault", help: "errand vault init") }
  }

  private static func status(_ vault: Vault, _ invocation: Invocation) throws {
    let state = !vault.exists ? "none" : vault.isUnlocked ? "unlocked" : "locked"
    try invocation.sealShares()
    let sealed = try invocation.inbox().sealedCount()
    guard invocation.mode.isPlain else {
      return try invocation.resultWriter.write(
        .record(["vault": state, "sealed": sealed]))
    }
    guard state != "none" else {
      return invocation.say("No vault. `errand vault init` makes one.")
    }
    let waiting =
      sealed == 0
      ? "" : " \(sealed.counted("sealed share")) wait\(sealed == 1 ? "s" : "")."
    invocation.say("The vault is \(state).\(waiting)")
  }

  private static func make(
    _ vault: Vault, _ passphrases: inout Passphrases, _ invocation: Invocation
  ) throws {
    guard !vault.exists else {
      throw UsageError("there is a vault already", help: "errand vault change")
    }
    invocation.console.err("errand: a lost passphrase loses what is sealed\n")
    try vault.make(passphrase: try passphrases.new())
    try sealSecrets(invocation)
    let count = try invocation.sealShares()
    invocation.say(
      "Made a vault"
        + (count == 0 ? "." : " and sealed \(count.counted("share")) that waited in the inbox.")
        + " It is locked; `errand vault unlock` opens it.")
  }

  /// Rewrites the file of secrets, which seals it.
  private static func sealSecrets(_ invocation: Invocation) throws {
    guard let places = invocation.places, let bytes = try? FileReader.bytes(of: places.secrets),
      !bytes.isEmpty, !Sealer.isSealed(bytes)
    else { return }
    try SecretFile(places).change { _ in }
  }

  private static func unlock(
    _ vault: Vault, for length: String, _ passphrases: inout Passphrases, _ invocation: Invocation
  ) throws {
    try expect(vault)
    guard let duration = DurationReader.duration(length), duration.seconds > 0 else {
      throw UsageError("“\(length)” is not a duration", help: "write it as 8h or 30 min")
    }
    try vault.unlock(passphrase: try passphrases.next("Passphrase:"), for: duration.seconds)
    try sealSecrets(invocation)
    let result = try takeIn(invocation)
    let taken = result?.taken ?? 0
    invocation.say(
      "The vault is unlocked for \(length)."
        + (taken == 0 ? "" : " Imported \(taken.counted("share"))."))
    for share in result?.refused ?? [] {
      invocation.say(
        "\(ShareName.short(share.name)) stays in the inbox: \(share.refusal.reason)")
    }
  }

  /// Imports the waiting shares; a worker or `errand inbox drain` handles them later.
  private static func takeIn(_ invocation: Invocation) throws -> ShareIntake.Result? {
    let inbox = try invocation.inbox()
    guard inbox.isThere, try !inbox.names().isEmpty else { return nil }
    let run = try invocation.openRun()
    let base = try invocation.inboxBase()
    return try Interruption.holding {
      try ShareIntake(run, inbox, besideStore: base).takeIn()
    }
  }

  private static func remove(
    _ vault: Vault, _ passphrases: inout Passphrases, _ invocation: Invocation
  ) throws {
    try expect(vault)
    try vault.unlock(passphrase: try passphrases.next("Passphrase:"), for: 3600)
    let inbox = try invocation.inbox()
    if inbox.isThere {
      guard let lock = try InboxLock(inbox) else {
        throw RunError(.busy, "another process is importing shares; try again in a moment")
      }
      try withExtendedLifetime(lock) { try inbox.openSealedShares() }
    }
    try invocation.places.map(SecretFile.init)?.unseal()
    try vault.remove()
    invocation.say("The vault is gone; secrets and shares are in clear again.")
  }
}

/// The passphrases a command needs, from the terminal or from lines of standard input.
private struct Passphrases {
  private let invocation: Invocation
  private var lines: [String]?

  init(_ invocation: Invocation, isPiped: Bool) {
    self.invocation = invocation
    if isPiped {
      lines = (try? StandardInput.text()).map {
        $0.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      }
    }
  }

  /// Returns the next passphrase.
  ///
  /// - Throws: `usage` without a terminal or a line.
  mutating func next(_ prompt: TerminalText) throws -> String {
    if lines != nil {
      guard let line = lines?.first else { throw UsageError("standard input has no passphrase") }
      lines?.removeFirst()
      return line
    }
    guard let text = try HiddenPrompt(invocation.console).ask(prompt) else {
      throw UsageError(
        "cannot ask for the passphrase: there is no terminal", help: "pipe it in with -")
    }
    return text
  }

  /// Returns a new passphrase, which must be typed twice on a terminal.
  mutating func new() throws -> String {
    let text = try next("New passphrase:")
    if lines == nil, try next("Again:") != text {
      throw UsageError("the two are not the same", help: "nothing was changed")
    }
    return text
  }
}
