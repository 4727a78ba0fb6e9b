import CEL

/// Functions between texts of other programs and values.
enum DataFunctions {
  /// Their names.
  static let names = [
    "parseJson", "toJson", "parseCsv", "parseYaml", "htmlToText", "htmlToMarkdown",
  ]

  /// All of them.
  static var all: [Function] {
    [
      Function("parseJson", .global, [.string], returns: .dyn) {
        (text: String) throws(EvaluationError) -> Value in
        try reading { () throws(DataFormat.Failure) in try DataFormat.json(text) }
      },
      Function("toJson", .global, [.dyn], returns: .string) {
        (value: Value) throws(EvaluationError) -> Value in
        try reading { () throws(DataFormat.Failure) in .string(try DataFormat.jsonText(value)) }
      },
      Function("parseCsv", .global, [.string], returns: .list(.map(.string, .dyn))) {
        (text: String) throws(EvaluationError) -> Value in
        try reading { () throws(DataFormat.Failure) in try DataFormat.csv(text) }
      },
      Function("parseYaml", .global, [.string], returns: .dyn) {
        (text: String) throws(EvaluationError) -> Value in
        try reading { () throws(DataFormat.Failure) in try DataFormat.yaml(text) }
      },
      Function("htmlToText") { (html: String) in HTMLText.text(of: html, as: .text) },
      Function("htmlToMarkdown") { (html: String) in HTMLText.text(of: html, as: .markdown) },
    ]
  }

  private static func reading(
    _ body: () throws(DataFormat.Failure) -> Value
  ) throws(EvaluationError) -> Value {
    do throws(DataFormat.Failure) {
      return try body()
    } catch {
      throw EvaluationError(error.message)
    }
  }
}
