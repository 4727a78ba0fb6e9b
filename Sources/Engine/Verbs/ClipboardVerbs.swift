import CEL
import Catalog
import Items
import Program

/// `copy`: puts a value on the clipboard, items in their `text/plain`.
enum CopyVerb: PlainVerb {
  static let word = "copy"
  static let value = Argument<Value>("value", at: 0, .value(.any), required: true)

  static let signature = VerbSignature(
    word, [value.declaration], effect: .outside, touches: { _ in [Touch(any: .clipboard)] },
    onResume: { _ in .skip })

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    try arguments.runner.permit(.clipboard, nil)
    let renderer = arguments.runner.renderer
    let value = try arguments.value(value) ?? .null
    let text =
      if case .list(let values) = value {
        values.map { renderer.plainText(of: $0) }.joined(separator: "\n")
      } else {
        renderer.plainText(of: value)
      }
    guard arguments.runner.run.host.writeClipboard(text) else {
      throw RunError(
        .failed, "there is no clipboard here to copy to",
        help: "install wl-clipboard, xclip or xsel")
    }
    return nil
  }
}

/// `paste`: gives the text on the clipboard.
enum PasteVerb: PlainVerb {
  static let word = "paste"
  static let signature = VerbSignature(
    word, effect: .read, traits: .setsIt, touches: { _ in [Touch(any: .clipboard)] },
    resultType: .fixed(.string))

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    try arguments.runner.permit(.clipboard, nil)
    return .string(arguments.runner.run.host.readClipboard() ?? "")
  }
}

/// `open-url`: opens an address in the person's browser, or a file in the program for its kind, and
/// tells whether something opened it.
enum OpenURLVerb: PlainVerb {
  static let word = "open-url"
  static let url = Argument<String>("url", at: 0, .value(.url))
  static let file = Argument<String>("file", at: 1, .value(.file))

  static let signature = VerbSignature(
    word, [url.declaration, file.declaration], effect: .outside,
    touches: { _ in [Touch(any: .open)] },
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
}
