import AppleShortcuts
import Catalog
import ErrandKit
import Glibc
import POSIX
import Source

/// `errand convert`: makes YAML of shortcuts of Apple's app.
enum ConvertCommand {
  static let command = Command(
    "convert", "make YAML of shortcuts of Apple's app", usage: "FILE…",
    discussion: """
      Reads files of Apple's Shortcuts, signed, binary or in XML, and prints shortcuts, or writes them \
      into the folder of `-o`. What has no meaning on this machine is `value: null`, with a comment. \
      A step that needs the value fails with that comment; `--missing fail` makes a step that fails \
      where it stands, and `--missing skip` goes on with null. \
      With `--to shortcut` it writes a shortcut of yours as a property list for Apple's app. \
      `--report` says instead what became of each action: translated, approximated, or not here.
      """,
    flags: [
      Flag("output", short: "o", .value("DIR"), "write a file for each shortcut into a folder"),
      Flag("to", .value("yaml|shortcut"), "write an intent or shortcut for Apple's app instead"),
      Flag("report", .toggle, "say what became of each action"),
      Flag(
        "missing", .value("needed|fail|skip"),
        "what an action does that is not here [default needed]"),
    ],
    serves: [.json]
  ) { invocation, arguments in
    try UsageError.expect(
      !arguments.words.isEmpty, "`convert` needs a file", help: "errand convert FILE.shortcut")
    let target = arguments.last("to") ?? "yaml"
    try UsageError.expect(
      ["yaml", "shortcut"].contains(target), "--to must be yaml or shortcut, not “\(target)”")
    if target == "shortcut" { return try writeShortcuts(invocation, arguments) }
    let word = arguments.last("missing") ?? "needed"
    guard let missing = ShortcutTranslator.Missing(rawValue: word) else {
      throw UsageError("--missing must be needed, fail or skip, not “\(word)”")
    }
    let catalog = try invocation.catalog()
    var reports: [JSONValue] = []
    var names: Set<String> = []
    var failures: [String] = []
    for path in arguments.words {
      do {
        let translation = try translation(of: path, missing: missing) {
          catalog.isReserved($0) || names.contains($0)
        }
        names.insert(translation.name)
        if arguments.isOn("report") {
          reports.append(report(path, translation))
        } else if let folder = arguments.last("output") {
          let target = folder + "/" + translation.name + ".yaml"
          try write(translation.text, to: target, in: folder)
          invocation.say("Wrote \(target).")
        } else {
          invocation.console.result(translation.text)
        }
      } catch {
        // One failing file among several does not stop the conversion.
        if arguments.words.count == 1 { throw error }
        let reason =
          (error as? UsageError)?.message ?? (error as? Diagnostic)?.message ?? "\(error)"
        failures.append(reason)
        if arguments.isOn("report"), !invocation.mode.isPlain {
          reports.append(["file": .string(path), "error": .string(reason)])
        } else {
          invocation.say("\(reason).")
        }
      }
    }
    for report in reports {
      invocation.console.result(
        invocation.mode.isPlain ? lines(of: report) : try report.text() + "\n")
    }
    try UsageError.expect(
      failures.isEmpty,
      "\(failures.count) of \(arguments.words.count.counted("file")) cannot be converted",
      help: failures.first)
  }

  /// Reads and translates a file.
  private static func translation(
    of path: String, missing: ShortcutTranslator.Missing, isReserved: (String) -> Bool
  ) throws -> ShortcutTranslator {
    guard stat.at(path) != nil else {
      throw UsageError(
        "\(path) cannot be read: no such file or directory",
        help: "name a file: errand convert FILE.shortcut")
    }
    let bytes = try FileReader.bytes(of: path, limit: ShortcutFile.maxSize)
    do throws(ShortcutFile.Problem) {
      return try ShortcutTranslator(bytes, at: path, missing: missing, isReserved: isReserved)
    } catch {
      throw UsageError("\(path) cannot be converted: \(error.reason)")
    }
  }

  /// Writes a new file into a folder, which is made if it is missing.
  private static func write(
    _ text: String, to target: String, in folder: String
  ) throws(UsageError) {
    guard access(target, F_OK) != 0 else {
      throw UsageError("\(target) exists already", help: "move it, or choose another folder")
    }
    do {
      try Folder.make(folder, mode: 0o755)
      let draft = try TemporaryFile(for: target)
      try draft.file.write(Array(text.utf8))
      try draft.publish(as: target, replacing: false)
      chmod(target, 0o644)
    } catch {
      throw UsageError("\(target) cannot be written: \(error)")
    }
  }

  /// Writes intents and shortcuts as property lists of Apple's app.
  private static func writeShortcuts(_ invocation: Invocation, _ arguments: Arguments) throws {
    let catalog = try invocation.catalog()
    for word in arguments.words {
      var name = word
      if word.hasSuffix(".yaml") || word.hasSuffix(".yml") {
        let file = SourceFile(name: word, bytes: try FileReader.bytes(of: word, limit: 4 << 20))
        let definitions = catalog.add(file, to: .file)
        name = definitions.first { $0.kind == .shortcut || $0.kind == .intent }?.name ?? word
      }
      guard let action = try catalog.action(name) else {
        throw UsageError(
          "there is no intent or shortcut `\(name)`",
          help: Suggestion.help(for: name, in: catalog.actionNames) ?? "errand help lists them")
      }
      let writer = ShortcutWriter(action)
      for problem in writer.problems {
        invocation.say(
          "\(name), line \(problem.line): \(problem.message) cannot be said in Apple's app.")
      }
      guard let folder = arguments.last("output") else {
        invocation.console.result(writer.propertyList)
        continue
      }
      let target = "\(folder)/\(name).shortcut"
      try write(writer.propertyList, to: target, in: folder)
      invocation.say(
        "Wrote \(target). Sign it on a Mac: shortcuts sign -i \(target) -o signed.shortcut")
    }
  }

  private static func report(_ path: String, _ translation: ShortcutTranslator) -> JSONValue {
    [
      "file": .string(path), "signed": .bool(translation.isSigned),
      "signature": translation.signature.map { .string($0.isValid ? "valid" : "invalid") } ?? .null,
      "signer": translation.signature?.signer.map { .string($0) } ?? .null,
      "actions": .array(
        translation.report.map {
          [
            "action": .string($0.identifier), "outcome": .string($0.outcome.rawValue),
            "note": .string($0.note),
          ]
        }),
    ]
  }

  private static func lines(of report: JSONValue) -> String {
    let actions = report["actions"]?.array ?? []
    func count(_ outcome: String) -> Int { actions.count { $0["outcome"]?.string == outcome } }
    var text =
      "\(report["file"]?.string ?? ""): \(actions.count.counted("action")), "
      + "\(count("translated")) translated, \(count("approximated")) approximated, "
      + "\(count("not here")) not here\n"
    if let signature = report["signature"]?.string {
      let signer = report["signer"]?.string.map { " by \($0)" } ?? ""
      text += "  signed\(signer); the signature is \(signature)\n"
    }
    for (index, action) in actions.enumerated() where action["outcome"]?.string != "translated" {
      let note = action["note"]?.string ?? ""
      text +=
        "  \(index + 1)  \(action["outcome"]?.string ?? "")  \(action["action"]?.string ?? "")"
      text += note.isEmpty ? "\n" : "  (\(note))\n"
    }
    return text
  }
}
