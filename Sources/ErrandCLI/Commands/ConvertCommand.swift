import AppleShortcuts
import Catalog
import Engine
import ErrandKit
import Items
import Program
import Source
import YAML

/// `errand convert`: makes YAML of shortcuts of Apple's app.
enum ConvertCommand {
  static let command = Command(
    "convert", "make YAML of shortcuts of Apple's app", usage: "FILE…",
    discussion: """
      Reads files of Apple's Shortcuts, signed, binary or in XML, the library of a Mac \
      (Shortcuts.sqlite), or an address such as https://www.icloud.com/shortcuts/ID, and prints \
      shortcuts, or writes them into the folder of `-o`. What has no meaning on this machine is \
      a comment, and a step that needs its value fails with it; `--missing fail` makes a step that fails \
      where it stands, and `--missing skip` goes on with null. \
      With `--to shortcut` it writes a shortcut of yours as a property list for Apple's app. \
      `--report` says instead what became of each action: translated, approximated, or not here, \
      what the shortcut reaches, and what is hidden in it.
      """,
    flags: [
      Flag("output", short: "o", .value("DIR"), "write a file for each shortcut into a folder"),
      Flag("into", .value("DIR"), "the same, and replace what was converted before"),
      Flag("sync", .toggle, "with --into, remove what is no longer among the shortcuts"),
      Flag("to", .value("yaml|shortcut"), "write an intent or shortcut for Apple's app instead"),
      Flag("binary", .toggle, "with --to shortcut, write a binary property list"),
      Flag("report", .toggle, "say what became of each action"),
      Flag(
        "missing", .value("needed|fail|skip"),
        "what an action does that is not here [default needed]"),
    ],
    serves: [.json, .answers]
  ) { invocation, arguments in
    try UsageError.expect(
      !arguments.words.isEmpty, "`convert` needs a file", help: "errand convert FILE.shortcut")
    let target = arguments.last("to") ?? "yaml"
    try UsageError.expect(
      ["yaml", "shortcut"].contains(target), "--to must be yaml or shortcut, not “\(target)”")
    try UsageError.expect(
      arguments.last("into") != nil || !arguments.isOn("sync"), "--sync needs a folder",
      help: "write --into DIR --sync")
    if target == "shortcut" { return try writeShortcuts(invocation, arguments) }
    let word = arguments.last("missing") ?? "needed"
    guard let missing = ShortcutTranslator.Missing(rawValue: word) else {
      throw UsageError("--missing must be needed, fail or skip, not “\(word)”")
    }
    try convert(invocation, arguments, missing)
  }

  private static func convert(
    _ invocation: Invocation, _ arguments: Arguments, _ missing: ShortcutTranslator.Missing
  ) throws {
    let catalog = try invocation.catalog()
    var failures: [String] = []
    var reports: [JSONValue] = []
    var sources: [ForeignShortcut] = []
    func fail(_ error: any Error, _ label: String) throws {
      // One failing file among several does not stop the conversion.
      if arguments.words.count == 1, sources.count < 2 { throw error }
      let reason = (error as? UsageError)?.message ?? (error as? Diagnostic)?.message ?? "\(error)"
      failures.append(reason)
      if arguments.isOn("report"), !invocation.mode.isPlain {
        reports.append(["file": .string(label), "error": .string(reason)])
      } else {
        invocation.say("\(reason).")
      }
    }
    for word in arguments.words {
      do {
        sources += try ForeignShortcut.all(in: word, invocation)
      } catch {
        try fail(error, word)
      }
    }
    let folder = try (arguments.last("into") ?? arguments.last("output")).map {
      try ConvertedFolder($0, replaces: arguments.last("into") != nil)
    }
    let known = Set(sources.map { ShortcutTranslator.commandName($0.title) })
      .union(catalog.actionNames)
    var names: Set<String> = []
    for source in sources {
      do {
        var options = ShortcutTranslator.Options(missing: missing, knownNames: known)
        options.folder = folder?.absolutePath
        var translation = try source.translation(options, name: folder?.name(of: source)) {
          catalog.isReserved($0) || names.contains($0) || CommandTable.holds($0)
        }
        names.insert(translation.name)
        ConvertedExample.complete(&translation)
        let capabilities = try check(translation, of: source, known, invocation)
        if arguments.isOn("report") {
          reports.append(report(source, translation, capabilities))
        } else if let folder {
          try folder.write(translation, of: source, invocation)
        } else {
          invocation.console.result(translation.text)
        }
      } catch {
        try fail(error, source.label)
      }
    }
    if arguments.isOn("sync"), failures.isEmpty {
      try folder?.removeOthers(than: names, invocation)
    }
    for report in reports {
      invocation.console.result(
        invocation.mode.isPlain ? lines(of: report) : try report.text() + "\n")
    }
    try UsageError.expect(
      failures.isEmpty,
      "\(failures.count) of \(max(sources.count, arguments.words.count).counted("file")) cannot be converted",
      help: failures.first)
  }

  /// Checks a result, and returns what it reaches outside.
  ///
  /// - Throws: `UsageError` with the first mistake that `errand check` would find.
  private static func check(
    _ translation: ShortcutTranslator, of source: ForeignShortcut, _ known: Set<String>,
    _ invocation: Invocation
  ) throws -> [String] {
    func refuse(_ reason: String, _ help: String) -> UsageError {
      UsageError("\(source.label) cannot be converted: \(reason)", help: help)
    }
    let limit = Limits.standard.bytes
    guard translation.text.utf8.count <= limit else {
      throw refuse(
        "the result is larger than \(ByteCount.text(limit))",
        "with -o DIR its pictures and long texts become files beside it")
    }
    let catalog = DefinitionCatalog()
    catalog.add(
      SourceFile(name: translation.name + ".yaml", bytes: Array(translation.text.utf8)), to: .file)
    let workspace = Workspace(catalog: catalog, host: invocation.makeHost()) { _ in
      throw RunError(.store, "a check needs no library")
    }
    do {
      if let problem = catalog.problems.first { throw problem }
      try workspace.check(action: translation.name)
      return try workspace.capabilities(of: translation.name)
        .map { "\($0.kind.rawValue) \($0.target ?? "*")" }
    } catch {
      let problem = error as? Diagnostic ?? (error as? Diagnostics)?.all.first
      // The other shortcut is converted, too.
      if problem?.id == "unknown-action" { return [] }
      throw refuse(
        "its translation has a mistake: \(problem?.message ?? "\(error)")",
        problem?.span.map {
          "line \($0.position.line) of the result is `\($0.firstLine.text.shortened)`"
            + (problem?.help.map { "; \($0)" } ?? "")
        } ?? "errand convert --report says what became of each action")
    }
  }

  // MARK: For Apple's app

  /// Writes intents and shortcuts as property lists of Apple's app.
  private static func writeShortcuts(_ invocation: Invocation, _ arguments: Arguments) throws {
    let catalog = try invocation.catalog()
    for word in arguments.words {
      var name = word
      var text: String?
      if word.hasSuffix(".yaml") || word.hasSuffix(".yml") {
        let file = SourceFile(name: word, bytes: try FileReader.bytes(of: word, limit: 4 << 20))
        text = file.text(in: 0..<file.bytes.count)
        let definitions = catalog.add(file, to: .file)
        name = definitions.first { $0.kind == .shortcut || $0.kind == .intent }?.name ?? word
      }
      guard let action = try catalog.action(name) else {
        throw UsageError(
          "there is no intent or shortcut `\(name)`",
          help: Suggestion.help(for: name, in: catalog.actionNames) ?? "errand help lists them")
      }
      let isBinary = arguments.isOn("binary")
      let bytes: [UInt8]
      if let text, let original = ConvertedFolder.original(of: word, text, isBinary: isBinary) {
        bytes = original
      } else {
        let writer = ShortcutWriter(action, text: text ?? "")
        for problem in writer.problems {
          invocation.say(
            "\(name), line \(problem.line): \(problem.message) cannot be said in Apple's app.")
        }
        bytes =
          isBinary
          ? PropertyListBytes.bytes(of: writer.propertyList)
          : Array(PropertyListText.xml(of: writer.propertyList).utf8)
      }
      guard let folder = arguments.last("output") else {
        invocation.console.out(bytes: bytes)
        continue
      }
      let target = "\(folder)/\(name).shortcut"
      try ConvertedFolder.write(bytes, to: target, replaces: false)
      invocation.say(
        "Wrote \(target). Sign it on a Mac: shortcuts sign -i \(target) -o signed.shortcut")
    }
  }

  // MARK: Reports

  private static func report(
    _ source: ForeignShortcut, _ translation: ShortcutTranslator, _ capabilities: [String]
  ) -> JSONValue {
    [
      "file": .string(source.label), "signed": .bool(translation.isSigned),
      "signature": translation.signature.map { .string($0.isValid ? "valid" : "invalid") } ?? .null,
      "signer": translation.signature?.signer.map { .string($0) } ?? .null,
      "reaches": .array(capabilities.map { .string($0) }),
      "servers": .array(translation.servers.map { .string($0) }),
      "hidden": .array(
        translation.hidden.map { ["action": .int(Int64($0.action)), "kind": .string($0.kind)] }),
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
    for (key, words) in [("reaches", "reaches"), ("servers", "names the servers")] {
      let values = (report[key]?.array ?? []).compactMap(\.string)
      if !values.isEmpty { text += "  \(words): \(values.joined(separator: ", "))\n" }
    }
    for finding in report["hidden"]?.array ?? [] {
      text += "  \(finding["action"]?.int ?? 0)  hides \(finding["kind"]?.string ?? "") in Base64\n"
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
