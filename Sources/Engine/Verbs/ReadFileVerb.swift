import CEL
import Items
import Program

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
    traits: .setsIt, touches: touches,
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
    var encoding = TextEncoding.utf8

    init(_ value: Value?) throws {
      guard case .map(let map)? = value else { return }
      for (key, value) in map.entries {
        switch (key.text, value) {
        case ("header", .bool(let has)): hasHeader = has
        case ("delimiter", .string(let text)) where text.count == 1:
          delimiter = text.first ?? ","
        case ("encoding", .string(let name)):
          guard let encoding = TextEncoding(rawValue: name.lowercased()) else {
            let names = TextEncoding.allCases.map(\.rawValue).joined(separator: ", ")
            throw RunError(
              .invalidValue, "there is no encoding “\(name.shortened)”", help: "one of \(names)")
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

  @Sendable
  private static func touches(_ call: VerbCall) -> [Touch] {
    call.touches(.read, path: path)
  }
}
