import CEL
import Catalog
import Items
import Program

/// `log`: keeps a line for the log.
enum LogVerb {
  static let text = Argument<String>(
    "text", at: 0, .value(.any), required: true, takesSecrets: true)

  static let spec = VerbSpec("log", [text.declaration], effect: .tell) { arguments, _ in
    let text = try arguments.text(text) ?? ""
    let run = arguments.runner.run
    run.tell { run.host.log(text) }
    return nil
  }
}
