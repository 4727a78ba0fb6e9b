import CEL
import Catalog
import ForeignText
import Items
import Program
import Source

/// `find-files`: lists the files in a folder.
enum FindFilesVerb: Verb {
  static let word = "find-files"
  static let folder = Argument<String>(
    "in", at: 0, .value(.file), required: true, trial: ArgumentTrials.value(expectFolder))
  static let match = Argument<String>(
    "match", at: 1, .value(.string), trial: ArgumentTrials.value(expectPattern))
  static let deep = Argument<Bool>("deep", at: 2, .value(.bool))

  /// The metadata of a file.
  private static let file = RecordType(
    "a result of `find-files`",
    [
      .init("path", .string), .init("name", .string), .init("size", .int),
      .init("modified", .timestamp), .init("mediaType", .string), .init("isFolder", .bool),
    ])

  static let signature = VerbSignature(
    word, [folder, match, deep], effect: .read,
    traits: .setsIt, capabilities: { $0.capabilities(.read, path: folder) },
    resultType: .fixed(.list(.record(file))))

  private static func expectPattern(_ value: Value) throws {
    guard case .string(let text) = value, let meant = GlobPath.pattern(meantBy: text) else {
      return
    }
    throw RunError(
      .invalidValue, "only a file called `\(text.shortened)` fits this pattern",
      help: "write `match: '\(meant)'`")
  }

  private static func expectFolder(_ value: Value) throws {
    guard case .string(let text) = value, let path = GlobPath(text) else { return }
    let deep = path.pattern.contains("/") ? ", deep: true" : ""
    throw RunError(
      .invalidValue, "`in` is a folder, and `\(path.pattern)` is a pattern of names",
      help: "write `- find-files: {in: \(path.folder), match: '\(path.pattern)'\(deep)}`")
  }

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let run = arguments.run
    let folder = try arguments.path(folder, for: .read)
    let words = try arguments.text(match)
    // A pattern with folders in it looks into them.
    let deep = try arguments.flag(deep) || words?.contains("/") == true
    let pattern = words.map(GlobPattern.init)
    let entries = try run.outside { try run.host.machine.files.list(folder, deep) }
    let base = folder.hasSuffix("/") ? folder : folder + "/"
    return .list(
      entries.compactMap { entry in
        let relative =
          entry.path.hasPrefix(base) ? String(entry.path.dropFirst(base.count)) : entry.name
        if let pattern, !pattern.matches(name: entry.name, path: relative) { return nil }
        return details(of: entry)
      })
  }

  /// The metadata of a file as a value.
  static func details(of entry: FileEntry) -> Value {
    .record([
      ("path", .string(entry.path)), ("name", .string(entry.name)), ("size", .int(entry.size)),
      ("modified", .timestamp(entry.modified)),
      ("mediaType", .string(MediaType.name(of: entry))), ("isFolder", .bool(entry.isFolder)),
    ])
  }
}

/// `read-file`: returns the content of a file.
enum ReadFileVerb: Verb {
  static let word = "read-file"
  static let path = Argument<String>("path", at: 0, .value(.file), required: true)
  static let parse = Argument<ArgumentName>(
    "parse", at: 1, .choice(["text", "lines", "json", "csv", "yaml"]))
  static let csv = Argument<Value>(
    "csv", at: 2, .value(.map(.any)), trial: ArgumentTrials.value { _ = try CSVOptions($0) })
  static let form = Argument<ArgumentName>(
    "as", at: 3, .choice(["text", "bytes", "any", "details"]))

  static let signature = VerbSignature(
    word, [path, parse, csv, form], effect: .read,
    traits: .setsIt, capabilities: { $0.capabilities(.read, path: path) },
    resultType: ResultType { call in
      if call.name(form) ?? "text" != "text" { return nil }
      return switch call.name(parse) {
      case nil, "text": .string
      case "lines": .list(.string)
      case "csv":
        switch hasHeader(call) {
        case true?: .list(.map(.string))
        case false?: .list(.list(.string))
        case nil: .list(.any)
        }
      default: nil
      }
    })

  /// Whether the first row of a table is a header; nil if that is known only in a run.
  private static func hasHeader(_ call: VerbCall) -> Bool? {
    guard case .value(let options, _, _)? = call.arguments[2] else { return true }
    guard let known = options.known else { return nil }
    return known.asMap?[.string("header")] != .bool(false)
  }

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let path = try arguments.path(path, for: .read)
    if let form = arguments.name(form), form != "text" {
      if arguments.name(parse) != nil {
        throw RunError(
          .invalidValue, "`read-file` cannot parse bytes", help: "remove parse: or as: \(form)")
      }
      if form == "details" {
        let entry = try arguments.run.outside {
          try arguments.runner.files(for: .read).status(path)
        }
        return entry.map(FindFilesVerb.details) ?? .null
      }
      let bytes = try arguments.run.bytes(of: path, by: arguments.runner.files(for: .read))
      if form == "any", let text = DecodedText.exact(bytes, .utf8) { return .string(text) }
      return .bytes(bytes)
    }
    let options = try CSVOptions(try arguments.value(csv))
    let text = try arguments.run.text(
      of: path, options.encoding, by: arguments.runner.files(for: .read))
    do throws(DataFormat.Failure) {
      return switch arguments.name(parse) {
      case "lines": .list(DataFormat.lines(text))
      case "json": try DataFormat.json(text)
      case "yaml": try DataFormat.yaml(text)
      case "csv":
        try DataFormat.csv(text, hasHeader: options.hasHeader, delimiter: options.delimiter)
      default: .string(text)
      }
    } catch {
      throw RunError(.invalidValue, "\(path): \(error.message)", help: error.help)
    }
  }

  /// The format of a table: `csv: {header, delimiter, encoding}`.
  private struct CSVOptions {
    var hasHeader = true
    /// nil for that of the first line.
    var delimiter: Character?
    var encoding = Charset.utf8

    init(_ value: Value?) throws {
      for (key, value) in value?.asMap?.entries ?? [] {
        switch (key.text, value) {
        case ("header", .bool(let has)): hasHeader = has
        case ("delimiter", .string(let text)) where text.count == 1: delimiter = text.first ?? ","
        case ("encoding", .string(let name)):
          guard let encoding = Charset(label: name) else {
            throw RunError(
              .invalidValue, "unknown encoding “\(name.shortened)”",
              help: "use a name as in web pages: utf-8, latin1, windows-1251, shift_jis, utf-16")
          }
          self.encoding = encoding
        default:
          throw RunError(
            .invalidValue, "`csv` cannot have `\(key.text.shortened): \(value.text.shortened)`",
            help: "it takes header: true, delimiter: ',' and encoding: utf-8")
        }
      }
    }
  }
}

/// `write-file`: writes a file atomically, and returns its path.
enum WriteFileVerb: Verb {
  static let word = "write-file"
  static let path = Argument<String>("path", at: 0, .value(.file), required: true)
  static let text = Argument<Value>(
    "text", at: 1, .value(.any), role: .sentText(structured: "json"))
  static let lines = Argument<[Value]>("lines", at: 2, .value(.list(.any)))
  static let json = Argument<Value>(
    "json", at: 3, .value(.any), role: .sentJSON(text: "text"))
  static let csv = Argument<[Value]>("csv", at: 4, .value(.list(.any)))
  static let mode = Argument<ArgumentName>(
    "mode", at: 5, .choice(FileAccess.WriteMode.allCases.map(\.rawValue) + [numberWord]))
  static let parents = Argument<Bool>("parents", at: 6, .value(.bool))
  /// The mode in which an existing file stays, and the new one gets a number.
  private static let numberWord = "number"

  static let signature = VerbSignature(
    word,
    [path, text, lines, json, csv, mode, parents], effect: .outside,
    traits: [.setsIt, .foreseeable],
    capabilities: { $0.capabilities(.write, path: path) },
    alternatives: .init(["text", "lines", "json", "csv"], isExclusive: true),
    resultType: .fixed(.string))

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let run = arguments.run
    let path = try arguments.path(path, for: .write)
    let word = arguments.name(mode)
    let mode = word.flatMap(FileAccess.WriteMode.init) ?? .replace
    let files = arguments.runner.files(for: .write)
    let before = mode == .append ? files.ending(path) : nil
    let bytes: [UInt8]
    if case .bytes(let content)? = try arguments.value(text) {
      bytes = content
    } else {
      var content = try content(arguments, addedTo: before)
      // Appended text begins a line, and ends one except in the form of Apple's app.
      if mode == .append, arguments.renderer.form == .plain, !content.hasSuffix("\n") {
        content += "\n"
      }
      if before?.endsLine == false { content = "\n" + content }
      bytes = Array(content.utf8)
    }
    if try arguments.flag(parents) { try run.makeParents(of: path) }
    if word == numberWord { return .string(try numbered(path, bytes, run, files)) }
    try run.outside { try files.write(path, bytes, mode) }
    return .string(path)
  }

  /// Writes a file under its name, or the first name with a number that is free.
  private static func numbered(
    _ path: String, _ bytes: [UInt8], _ run: Run, _ files: FileAccess
  ) throws -> String {
    for number in 1... {
      let place = number == 1 ? path : FilePathText.numbered(path, number)
      do {
        try run.outside { try files.write(place, bytes, .create) }
        return place
      } catch let error as RunError where error.code == .conflict && number < 10_000 {
        continue
      }
    }
    return path
  }

  private static func content(
    _ arguments: VerbArguments, addedTo file: FileEnding?
  ) throws -> String {
    let given = [arguments[text], arguments[lines], arguments[json], arguments[csv]]
    guard given.filter({ $0 != nil }).count == 1 else {
      throw RunError(
        .invalidValue, "`write-file` needs one of `text`, `lines`, `json` and `csv`",
        help: "add text: with the content of the file")
    }
    let renderer = arguments.renderer
    if let values = try arguments.list(lines) {
      return values.map { renderer.text(of: $0) + "\n" }.joined()
    }
    if let rows = try arguments.list(csv) {
      do throws(DataFormat.Failure) {
        return try DataFormat.csvText(
          rows, addedTo: file?.firstLine
        ) { renderer.text(of: $0) }
      } catch {
        throw RunError(.invalidValue, "`csv`: \(error.message)", help: error.help)
      }
    }
    if let value = try arguments.value(json) {
      do throws(DataFormat.Failure) {
        return try DataFormat.jsonText(value) + "\n"
      } catch {
        throw RunError(.invalidValue, "`json`: \(error.message)")
      }
    }
    return try arguments.value(text).map(renderer.text) ?? ""
  }
}

/// `make-folder`: makes a folder and its missing parents, and returns its path.
enum MakeFolderVerb: Verb {
  static let word = "make-folder"
  static let path = Argument<String>("path", at: 0, .value(.file), required: true)

  static let signature = VerbSignature(
    word, [path], effect: .outside, traits: [.setsIt, .foreseeable],
    capabilities: { $0.capabilities(.write, path: path) }, resultType: .fixed(.string))

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let path = try arguments.path(path, for: .write)
    try arguments.run.makeFolder(path)
    return .string(path)
  }
}

/// `trash-file`: moves a file to the desktop trash, and returns its path there.
enum TrashFileVerb: Verb {
  static let word = "trash-file"
  static let from = Argument<String>("from", at: 0, .value(.file), required: true)

  static let signature = VerbSignature(
    word, [from], effect: .outside, traits: [.setsIt, .foreseeable], repeats: { _ in false },
    capabilities: { $0.capabilities(.write, path: from) },
    resultType: .fixed(.string))

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    .string(try arguments.run.trash(arguments.path(from, for: .write)))
  }
}

/// `move-file`: moves a file, and returns its new path.
enum MoveFileVerb: FileTransferVerb {
  static let word = "move-file"
  static let isCopy = false
  static let signature = transferSignature(word, isCopy: isCopy)
}

/// `copy-file`: copies a file, and returns the path of the copy.
enum CopyFileVerb: FileTransferVerb {
  static let word = "copy-file"
  static let isCopy = true
  static let signature = transferSignature(word, isCopy: isCopy)
}

/// A verb that moves or copies a file.
protocol FileTransferVerb: Verb {
  static var isCopy: Bool { get }
}

private let from = Argument<String>("from", at: 0, .value(.file), required: true)
private let to = Argument<String>("to", at: 1, .value(.file), required: true)
private let onConflict = Argument<ArgumentName>(
  "onConflict", at: 2, .choice(FileTransfer.Conflict.allCases.map(\.rawValue)))

extension FileTransferVerb {
  fileprivate static func transferSignature(_ word: String, isCopy: Bool) -> VerbSignature {
    VerbSignature(
      word, [from, to, onConflict], effect: .outside,
      traits: [.setsIt, .foreseeable], repeats: { _ in false },
      capabilities: { call in
        call.capabilities(isCopy ? .read : .write, path: from) + call.capabilities(.write, path: to)
      },
      // The new path, or null if the transfer may be skipped.
      resultType: ResultType { call in
        call.name(onConflict) == FileTransfer.Conflict.skip.rawValue ? .optional(.string) : .string
      })
  }

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let transfer = FileTransfer(
      from: try arguments.path(from, for: isCopy ? .read : .write),
      to: try arguments.path(to, for: .write), isCopy: isCopy,
      onConflict: arguments.name(onConflict).flatMap(FileTransfer.Conflict.init) ?? .fail)
    return .text(try arguments.run.transfer(transfer))
  }
}
