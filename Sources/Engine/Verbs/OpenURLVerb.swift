import CEL
import Catalog
import Items
import Program

/// `open-url`: opens an address in the person's browser, and tells whether something opened it.
enum OpenURLVerb {
  static let url = Argument<String>("url", at: 0, .value(.url), required: true)

  static let spec = VerbSpec(
    "open-url", [url.declaration], effect: .outside, touches: touches, onResume: .skip,
    resultType: .fixed(.bool)
  ) { arguments, _ in
    guard case .string(let url)? = try arguments.value(url) else {
      throw RunError(.invalidValue, "`url`: there is nothing to open")
    }
    let run = arguments.runner.run
    try arguments.runner.permit(.open, nil)
    if run.host.open(url) { return .bool(true) }
    run.front.say("There is no browser to open it with, so here it is: \(url)")
    return .bool(false)
  }

  @Sendable
  private static func touches(_ call: VerbCall) -> [Touch] {
    [Touch(any: .open)]
  }
}
