import CEL
import Catalog
import Items
import Program

/// `open-url`: opens an address in the person's browser, or a file in the program for its kind, and
/// tells whether something opened it.
enum OpenURLVerb: PlainVerb {
  static let word = "open-url"
  static let url = Argument<String>("url", at: 0, .value(.url))
  static let file = Argument<String>("file", at: 1, .value(.file))

  static let signature = VerbSignature(
    word, [url.declaration, file.declaration], effect: .outside, touches: touches,
    onResume: { _ in .skip }, alternatives: .init(["url", "file"], isExclusive: true),
    resultType: .fixed(.bool))

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let run = arguments.runner.run
    let target: String
    if case .string(let path)? = try arguments.value(file) {
      target = try run.path(path)
    } else if case .string(let url)? = try arguments.value(url) {
      target = url
    } else {
      throw RunError(.invalidValue, "`url`: nothing to open")
    }
    try arguments.runner.permit(.open, nil)
    if run.host.open(target) { return .bool(true) }
    run.front.say("No program here can open it, so here it is: \(target)")
    return .bool(false)
  }

  @Sendable
  private static func touches(_ call: VerbCall) -> [Touch] {
    [Touch(any: .open)]
  }
}
