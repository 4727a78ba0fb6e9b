import CEL
import Catalog
import Items
import Program

/// `copy`: writes a value to the clipboard; items in their `text/plain` form.
enum CopyVerb: Verb {
  static let word = "copy"
  static let value = Argument<Value>("value", at: 0, .value(.any), required: true)

  static let signature = VerbSignature(
    word, [value], effect: .outside, capabilities: { _ in [Capability(any: .clipboard)] },
    onResume: { _ in .skip })

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    try arguments.runner.permit(.clipboard, nil)
    let values = (try arguments.value(value) ?? .null).elements
    let text = values.map { arguments.renderer.plainText(of: $0) }.joined(separator: "\n")
    guard arguments.run.host.writeClipboard(text) else {
      throw RunError(
        .failed, "no clipboard is available",
        help: "install wl-clipboard, xclip or xsel")
    }
    return nil
  }
}

/// `paste`: returns the text on the clipboard.
enum PasteVerb: Verb {
  static let word = "paste"
  static let signature = VerbSignature(
    word, effect: .read, traits: .setsIt, capabilities: { _ in [Capability(any: .clipboard)] },
    resultType: .fixed(.string))

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    try arguments.runner.permit(.clipboard, nil)
    return .string(arguments.run.host.readClipboard() ?? "")
  }
}

/// `open-url`: opens a URL in the browser or a file in its default program; returns whether that
/// worked.
enum OpenURLVerb: Verb {
  static let word = "open-url"
  static let url = Argument<String>("url", at: 0, .value(.url))
  static let file = Argument<String>("file", at: 1, .value(.file))

  static let signature = VerbSignature(
    word, [url, file], effect: .outside, traits: .foreseeable,
    capabilities: { _ in [Capability(any: .open)] },
    onResume: { _ in .skip }, alternatives: .init(["url", "file"], isExclusive: true),
    resultType: .fixed(.bool))

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let run = arguments.run
    let path = try arguments.value(file)?.asText.map(run.path)
    guard let target = try path ?? arguments.value(url)?.asText else {
      throw RunError(.invalidValue, "`url`: nothing to open")
    }
    try arguments.runner.permit(.open, nil)
    if let path { run.outside { run.bringHere(path) } }
    if run.host.open(target) { return .bool(true) }
    run.front.say("No program here can open it: \(target)")
    return .bool(false)
  }
}
