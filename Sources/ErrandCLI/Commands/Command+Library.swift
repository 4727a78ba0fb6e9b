import CEL
import Catalog
import Engine
import Exchange
import Glibc
import Source
import YAML

extension Command {
  static let list = Command(
    "list", "list intents, shortcuts and entities", usage: "[intents|shortcuts|entities]"
  ) { invocation, arguments in
    let kinds: [Definition.Kind]
    switch arguments.words.first {
    case nil: kinds = [.intent, .shortcut, .entity]
    case "intents", "intent": kinds = [.intent]
    case "shortcuts", "shortcut": kinds = [.shortcut]
    case "entities", "entity": kinds = [.entity]
    case let word?:
      throw UsageError(
        "there are no `\(word)` to list",
        help: Suggestion.help(for: word, in: ["intents", "shortcuts", "entities"]))
    }
    let listing = DefinitionListing(try invocation.library())
    let rows = kinds.flatMap { kind in listing.rows(of: kind) }
    if case .plain = invocation.mode, invocation.console.stdoutIsTerminal {
      invocation.console.out(HelpText(invocation.console).listing(rows))
    } else if case .plain = invocation.mode {
      for row in rows { invocation.console.out("\(row.kind.rawValue)\t\(row.name)\n") }
    } else {
      try invocation.resultWriter.write(.list(rows.map(\.value)))
    }
    return ExitStatus.done
  }

  static let show = Command(
    "show", "show the YAML of an intent, a shortcut or an entity, or an item",
    usage: "NAME|REF",
    discussion: "A copy of what it prints, under your own folder, is yours to change."
  ) { invocation, arguments in
    guard let word = arguments.words.first, arguments.words.count == 1 else {
      throw UsageError("`show` takes one name", help: "errand show save")
    }
    let library = try invocation.library()
    if let source = library.source(of: word) {
      invocation.console.out(source.hasSuffix("\n") ? source : source + "\n")
      return ExitStatus.done
    }
    if word.contains(":") {
      let item = try invocation.session().item(word, of: word.contains("://") ? "Link" : nil)
      try invocation.resultWriter.write(detail: item)
      return ExitStatus.done
    }
    throw UsageError(
      "there is no intent, shortcut or entity `\(word)`",
      help: Suggestion.help(for: word, in: library.actionNames + library.entityNames))
  }

  static let trust = Command(
    "trust", "allow the definitions of a project's .errand folder", usage: "[DIR]",
    discussion: """
      Remembers the folder by its path and its content: when a file in it changes, it is asked
      for again. Without DIR it is the nearest .errand folder upward from here.
      """
  ) { invocation, arguments in
    guard let places = invocation.places else {
      throw UsageError("there is no place to remember it: HOME is not set")
    }
    let path = try trustedFolder(arguments.words.first, places)
    let folder = DefinitionFolder(path: path)
    let files = try folder.files()
    guard !files.isEmpty else { throw UsageError("\(path) holds no YAML file") }
    try TrustFile(path: places.trusted).allow(
      path, hash: DefinitionFolder.contentHash(of: files))
    let count = files.count == 1 ? "1 file" : "\(files.count) files"
    invocation.say("Trusted \(path) (\(count)).")
    return ExitStatus.done
  }

  private static func trustedFolder(_ word: String?, _ places: Places) throws -> String {
    guard let word else {
      if let path = LibraryLoader.projectFolder(above: places.workingFolder) { return path }
      throw UsageError("there is no .errand folder here or above", help: "give its path")
    }
    guard let resolved = realpath(word, nil) else {
      throw UsageError("\(word): \(String(cString: strerror(errno)))")
    }
    defer { free(resolved) }
    let path = String(cString: resolved)
    if path.hasSuffix("/.errand") { return path }
    guard access(path + "/.errand", R_OK | X_OK) == 0 else {
      throw UsageError("\(path) has no .errand folder")
    }
    return path + "/.errand"
  }

  static let doctor = Command(
    "doctor", "check the store and the definitions",
    discussion: """
      With --repair, what can be made anew from the items is, after a copy of the store was made:
      indexes, lists, the text index; references to items that are gone become null.
      With --rescue, what can still be read of a damaged store is saved to a new one.
      """,
    flags: [
      Flag("repair", .toggle, "mend what can be made from the items"),
      Flag("rescue", .value("FILE"), "save what can be read of a damaged store to a new file"),
    ]
  ) { invocation, arguments in
    try DoctorCommand(invocation).run(arguments)
  }

  static let importItems = Command(
    "import", "read items or bookmarks from a file", usage: "FILE|-",
    discussion: """
      FILE may be JSON Lines, bookmarks of a browser or of a service in any of their formats, or the
      folder of a browser's profile; what it is is found out. Running it again adds nothing twice.
      What cannot be taken in is reported with its line and skipped.
      """,
    flags: [
      Flag("from", .value("FORMAT"), "what the file is, such as netscape, csv, pocket or chrome"),
      Flag(
        "folders", .value("each|path|last|none"),
        "what tags the folders of bookmarks become [default each]"),
      Flag("dry-run", .toggle, "only count what would be created and merged"),
    ]
  ) { invocation, arguments in
    guard let path = arguments.words.first, arguments.words.count == 1 else {
      throw UsageError("`import` takes one file, or - for standard input")
    }
    let folders = arguments.last("folders") ?? FolderTags.each.rawValue
    guard let folderTags = FolderTags(rawValue: folders) else {
      throw UsageError(
        "--folders can't be `\(folders)`", help: "it is each, path, last or none")
    }
    return try ImportCommand.run(
      ImportCommand.Request(
        path: path == "-" ? nil : path, format: arguments.last("from"), folderTags: folderTags,
        isTrial: arguments.isOn("dry-run")),
      session: try invocation.session(), console: invocation.console, mode: invocation.mode)
  }

  static let exportItems = Command(
    "export", "write items for another store or another program", usage: "[ENTITY…]",
    flags: [
      Flag(
        "to", .value("jsonl|netscape|csv|markdown|opml"),
        "the format; netscape is what browsers read [default jsonl]")
    ]
  ) { invocation, arguments in
    let library = try invocation.library()
    let names = try arguments.words.map { try entity($0, library) }
    let word = arguments.last("to") ?? ExportFormat.jsonl.rawValue
    guard let format = ExportFormat(rawValue: word) else {
      throw UsageError(
        "--to can't be `\(word)`",
        help: Suggestion.help(for: word, in: ExportFormat.allCases.map(\.rawValue)))
    }
    return try ExportCommand.run(
      format, entities: names.isEmpty ? nil : names,
      session: try invocation.session(), console: invocation.console)
  }

  static let help = Command("help", "show help", usage: "[COMMAND]") { invocation, arguments in
    let text = HelpText(invocation.console)
    guard let name = arguments.words.first else {
      invocation.console.out(text.overview(try invocation.library()))
      return ExitStatus.done
    }
    if let command = Command.named(name) {
      invocation.console.out(text.command(command))
      return ExitStatus.done
    }
    guard let definition = try invocation.library().action(name) else {
      throw Errand.unknown(name, try invocation.library())
    }
    invocation.console.out(text.action(definition))
    return ExitStatus.done
  }

  static let version = Command("version", "show the version") { invocation, _ in
    invocation.console.out("errand \(Errand.version)\n")
    return ExitStatus.done
  }
}

/// The definitions in reach, as a list shows them.
struct DefinitionListing {
  struct Row {
    let kind: Definition.Kind
    let name: String
    let description: String
    let layer: Library.Layer

    var value: Value {
      .map(
        MapValue([
          ("kind", .string(kind.rawValue)), ("name", .string(name)),
          ("description", .string(description)), ("layer", .string(layer.displayName)),
        ]))
    }
  }

  private let library: Library

  init(_ library: Library) {
    self.library = library
  }

  /// The definitions of a kind by name; one that can't be read says so.
  func rows(of kind: Definition.Kind) -> [Row] {
    if kind == .entity {
      return library.entityNames.map { name in
        let text = (try? library.entity(name))?.description
        return Row(
          kind: kind, name: name, description: text ?? "",
          layer: library.layer(ofEntity: name) ?? .builtIn)
      }
    }
    return library.actionNames.compactMap { name in
      guard let place = library.place(ofAction: name), place.kind == kind else { return nil }
      var text: String
      do throws(Diagnostics) {
        let definition = try library.action(name)
        text = definition?.description ?? definition?.title ?? ""
      } catch {
        text = "(can't be read: \(error.all.first?.message ?? ""))"
      }
      return Row(kind: kind, name: name, description: text, layer: place.layer)
    }
  }
}
