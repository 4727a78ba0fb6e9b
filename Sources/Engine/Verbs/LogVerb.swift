import CEL
import Catalog
import Items
import Program

/// `log`: keeps a line for the log.
enum LogVerb: PlainVerb {
  static let word = "log"
  static let text = Argument<String>(
    "text", at: 0, .value(.any), required: true, takesSecrets: true)

  static let signature = VerbSignature(word, [text.declaration], effect: .tell, traits: .onlyTells)

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let text = try arguments.text(text) ?? ""
    let run = arguments.runner.run
    run.tell { run.host.log(text) }
    return nil
  }
}
