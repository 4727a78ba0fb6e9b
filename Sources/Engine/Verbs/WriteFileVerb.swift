import CEL
import Items
import Program

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
    touches: touches,
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

  @Sendable
  private static func touches(_ call: VerbCall) -> [Touch] {
    call.touches(.write, path: path)
  }
}
