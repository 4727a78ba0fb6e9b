import CEL
import Catalog
import Items
import Program

/// `show`: puts a value on the screen.
enum ShowVerb: PlainVerb {
  static let word = "show"
  static let value = Argument<Value>(
    "value", at: 0, .value(.any), required: true, takesSecrets: true)
  static let layout = Argument<ArgumentName>("as", at: 1, .choice(["card", "table", "text"]))
  static let columns = Argument<[Value]>("columns", at: 2, .value(.list(.string)))

  static let signature = VerbSignature(
    word, [value.declaration, layout.declaration, columns.declaration], effect: .tell,
    traits: .onlyTells)

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let value = try arguments.value(value) ?? .null
    let renderer = arguments.runner.renderer
    let columns = try arguments.list(columns)?.map(renderer.text)
    if columns != nil, arguments.name(layout) != "table" {
      throw RunError(.invalidValue, "`columns` are those of a table", help: "add `as: table`")
    }
    let presentation =
      switch arguments.name(layout) {
      case "table":
        try columns.map { try renderer.table(of: value, columns: $0) }
          ?? renderer.table(of: value)
      case "text": Presentation(.text(renderer.text(of: value)), value: value)
      default: renderer.presentation(of: value)
      }
    let run = arguments.runner.run
    run.tell { run.front.show(presentation) }
    return nil
  }
}
