import CEL
import Catalog
import Items
import Program

/// `say`: says something to the person.
enum SayVerb: PlainVerb {
  static let word = "say"
  static let text = Argument<String>(
    "text", at: 0, .value(.any), required: true, takesSecrets: true)

  static let signature = VerbSignature(word, [text.declaration], effect: .tell, traits: .onlyTells)

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let text = try arguments.text(text) ?? ""
    let run = arguments.runner.run
    run.tell { run.front.say(text) }
    return nil
  }
}
