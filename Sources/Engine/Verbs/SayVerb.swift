import CEL
import Catalog
import Items
import Program

/// `say`: says something to the person.
enum SayVerb {
  static let text = Argument<String>(
    "text", at: 0, .value(.any), required: true, takesSecrets: true)

  static let spec = VerbSpec("say", [text.declaration], effect: .tell) { arguments, _ in
    let text = try arguments.text(text) ?? ""
    let run = arguments.runner.run
    run.tell { run.front.say(text) }
    return nil
  }
}
