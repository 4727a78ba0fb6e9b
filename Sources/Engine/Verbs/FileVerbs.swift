import CEL
import Catalog
import ForeignText
import Items
import Program

/// `find-files`: lists the files in a folder.
enum FindFilesVerb: PlainVerb {
  static let word = "find-files"
  static let folder = Argument<String>("in", at: 0, .value(.file), required: true)
  static let match = Argument<String>("match", at: 1, .value(.string))
  static let deep = Argument<Bool>("deep", at: 2, .value(.bool))

  /// What is known of a file without reading it.
  private static let file = RecordType(
    "what `find-files` tells of a file",
    [
      .init("path", .string), .init("name", .string), .init("size", .int),
      .init("modified", .timestamp), .init("mediaType", .string), .init("isFolder", .bool),
    ])

  static let signature = VerbSignature(
    word, [folder.declaration, match.declaration, deep.declaration], effect: .read,
    traits: .setsIt, touches: { $0.touches(.read, path: folder) },
    resultType: .fixed(.list(.record(file))))

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let run = arguments.runner.run
    let folder = try run.path(arguments.text(folder) ?? "")
    try arguments.runner.permit(.read, folder)
    let deep = try arguments.flag(deep)
    let pattern = try arguments.text(match).map(GlobPattern.init)
    let entries = try run.outside { try run.host.machine.files.list(folder, deep) }
    let base = folder.hasSuffix("/") ? folder : folder + "/"
    return .list(
      entries.compactMap { entry in
        let relative =
          entry.path.hasPrefix(base) ? String(entry.path.dropFirst(base.count)) : entry.name
        if let pattern, !pattern.matches(name: entry.name, path: relative) { return nil }
        return .map(
          MapValue([
            ("path", .string(entry.path)), ("name", .string(entry.name)),
            ("size", .int(entry.size)), ("modified", .timestamp(entry.modified)),
            ("mediaType", .string(MediaType.name(of: entry))), ("isFolder", .bool(entry.isFolder)),
          ]))
      })
  }
}

/// `read-file`: gives the content of a file.
enum ReadFileVerb: PlainVerb {
  static let word = "read-file"
  static let path = Argument<String>("path", at: 0, .value(.file), required: true)
  static let parse = Argument<ArgumentName>(
    "parse", at: 1, .choice(["text", "lines", "json", "csv", "yaml"]))
  static let csv = Argument<Value>(
    "csv", at: 2, .value(.map(.any)), trial: ArgumentTrials.value { _ = try CSVOptions($0) })

  static let signature = VerbSignature(
    word, [path.declaration, parse.declaration, csv.declaration], effect: .read,
    traits: .setsIt, touches: { $0.touches(.read, path: path) },
    resultType: ResultType { call in
      switch call.name(parse) {
      case nil, "text": .string
      case "lines": .list(.string)
      case "csv": .list(.any)
      default: nil
      }
    })

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let run = arguments.runner.run
    let path = try run.path(arguments.text(path) ?? "")
    try arguments.runner.permit(.read, path)
    let options = try CSVOptions(try arguments.value(csv))
    let text = try run.text(of: path, options.encoding)
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
      throw RunError(.invalidValue, "\(path): \(error.message)")
    }
  }

  /// How a table is written: `csv: {header, delimiter, encoding}`.
  private struct CSVOptions {
    var hasHeader = true
    var delimiter: Character = ","
    var encoding = Charset.utf8

    init(_ value: Value?) throws {
      guard case .map(let map)? = value else { return }
      for (key, value) in map.entries {
        switch (key.text, value) {
        case ("header", .bool(let has)): hasHeader = has
        case ("delimiter", .string(let text)) where text.count == 1:
          delimiter = text.first ?? ","
        case ("encoding", .string(let name)):
          guard let encoding = Charset(label: name) else {
            throw RunError(
              .invalidValue, "there is no encoding “\(name.shortened)”",
              help: "name it as web pages do: utf-8, latin1, windows-1251, shift_jis, utf-16")
          }
          self.encoding = encoding
        default:
          throw RunError(
            .invalidValue, "`csv` can't have `\(key.text.shortened): \(value.text.shortened)`",
            help: "it takes header: true, delimiter: ',' and encoding: utf-8")
        }
      }
    }
  }
}

/// `write-file`: writes a file, all at once, and gives its path.
enum WriteFileVerb: PlainVerb {
  static let word = "write-file"
  static let path = Argument<String>("path", at: 0, .value(.file), required: true)
  static let text = Argument<String>("text", at: 1, .value(.any))
  static let lines = Argument<[Value]>("lines", at: 2, .value(.list(.any)))
  static let json = Argument<Value>("json", at: 3, .value(.any))
  static let csv = Argument<[Value]>("csv", at: 4, .value(.list(.any)))
  static let mode = Argument<ArgumentName>(
    "mode", at: 5, .choice(FileAccess.WriteMode.allCases.map(\.rawValue)))

  static let signature = VerbSignature(
    word,
    [
      path.declaration, text.declaration, lines.declaration, json.declaration, csv.declaration,
      mode.declaration,
    ], effect: .outside, traits: .setsIt,
    touches: { $0.touches(.write, path: path) },
    alternatives: .init(["text", "lines", "json", "csv"], isExclusive: true),
    resultType: .fixed(.string))

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let run = arguments.runner.run
    let path = try run.path(arguments.text(path) ?? "")
    try arguments.runner.permit(.write, path)
    let mode = arguments.name(mode).flatMap(FileAccess.WriteMode.init) ?? .replace
    var content = try content(arguments)
    // What is added ends its line, so that the next addition begins one.
    if mode == .append, !content.hasSuffix("\n") { content += "\n" }
    let bytes = Array(content.utf8)
    try run.outside { try run.host.machine.files.write(path, bytes, mode) }
    return .string(path)
  }

  private static func content(_ arguments: VerbArguments) throws -> String {
    let given = [arguments[text], arguments[lines], arguments[json], arguments[csv]]
    guard given.filter({ $0 != nil }).count == 1 else {
      throw RunError(
        .invalidValue, "`write-file` needs one of `text`, `lines`, `json` and `csv`",
        help: "add text: with what the file is to hold")
    }
    let renderer = arguments.runner.renderer
    if let values = try arguments.list(lines) {
      return values.map { renderer.text(of: $0) + "\n" }.joined()
    }
    if let rows = try arguments.list(csv) {
      return DataFormat.csvText(rows) { renderer.text(of: $0) }
    }
    if let value = try arguments.value(json) {
      do throws(DataFormat.Failure) {
        return try DataFormat.jsonText(value) + "\n"
      } catch {
        throw RunError(.invalidValue, "`json`: \(error.message)")
      }
    }
    return try arguments.text(text) ?? ""
  }
}

/// `trash-file`: moves a file to the trash of the desktop, and gives where it lies there.
enum TrashFileVerb: PlainVerb {
  static let word = "trash-file"
  static let from = Argument<String>("from", at: 0, .value(.file), required: true)

  static let signature = VerbSignature(
    word, [from.declaration], effect: .outside, traits: .setsIt, repeats: { _ in false },
    touches: { $0.touches(.write, path: from) },
    resultType: .fixed(.string))

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let run = arguments.runner.run
    let path = try run.path(arguments.text(from) ?? "")
    try arguments.runner.permit(.write, path)
    return .string(try run.trash(path))
  }
}

/// `move-file`: moves a file, and gives its new path.
enum MoveFileVerb: FileTransferVerb {
  static let word = "move-file"
  static let isCopy = false
  static let signature = transferSignature(word, isCopy: isCopy)
}

/// `copy-file`: copies a file, and gives the path of the copy.
enum CopyFileVerb: FileTransferVerb {
  static let word = "copy-file"
  static let isCopy = true
  static let signature = transferSignature(word, isCopy: isCopy)
}

/// A verb that moves or copies a file.
protocol FileTransferVerb: PlainVerb {
  static var isCopy: Bool { get }
}

private let from = Argument<String>("from", at: 0, .value(.file), required: true)
private let to = Argument<String>("to", at: 1, .value(.file), required: true)
private let onConflict = Argument<ArgumentName>(
  "onConflict", at: 2, .choice(FileTransfer.Conflict.allCases.map(\.rawValue)))

extension FileTransferVerb {
  fileprivate static func transferSignature(_ word: String, isCopy: Bool) -> VerbSignature {
    VerbSignature(
      word, [from.declaration, to.declaration, onConflict.declaration], effect: .outside,
      traits: .setsIt, repeats: { _ in false },
      touches: { call in
        call.touches(isCopy ? .read : .write, path: from) + call.touches(.write, path: to)
      },
      // The new path, or null when the transfer may be skipped.
      resultType: ResultType { call in
        call.name(onConflict) == FileTransfer.Conflict.skip.rawValue ? .optional(.string) : .string
      })
  }

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let run = arguments.runner.run
    let transfer = FileTransfer(
      from: try run.path(arguments.text(from) ?? ""), to: try run.path(arguments.text(to) ?? ""),
      isCopy: isCopy,
      onConflict: arguments.name(onConflict).flatMap(FileTransfer.Conflict.init) ?? .fail)
    try arguments.runner.permit(isCopy ? .read : .write, transfer.from)
    try arguments.runner.permit(.write, transfer.to)
    return try run.transfer(transfer).map(Value.string) ?? .null
  }
}
