import CEL
import Catalog
import Items
import Program

/// `log`: keeps a line for the log.
enum LogVerb {
  static let text = Argument<String>("text", at: 0, .value(.any), required: true)

  static let spec = VerbSpec("log", [text.declaration], effect: .tell) { arguments, _ in
    arguments.runner.run.host.log(try arguments.text(text) ?? "")
    return nil
  }
}
