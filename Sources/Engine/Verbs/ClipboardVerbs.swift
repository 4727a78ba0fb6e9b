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

/// `open-url`: opens URLs in the browser or the program for their scheme, or a file in its default
/// program; returns whether that worked.
///
/// Empty addresses are passed over.
enum OpenURLVerb: Verb {
  static let word = "open-url"
  static let url = Argument<Value>(
    "url", at: 0, .value(.any), trial: ArgumentTrials.value { _ = try addresses(in: $0) })
  static let file = Argument<String>("file", at: 1, .value(.file))

  static let signature = VerbSignature(
    word, [url, file], effect: .outside, traits: .foreseeable,
    capabilities: { _ in [Capability(any: .open)] },
    onResume: { _ in .skip }, alternatives: .init(["url", "file"], isExclusive: true),
    resultType: .fixed(.bool))

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let run = arguments.run
    let path = try arguments.value(file)?.asText.map(run.path)
    let targets: [String]
    if let path {
      targets = [path]
    } else if arguments.renderer.form == .apple {
      targets = ShortcutTexts.addresses(try arguments.value(url) ?? .null)
    } else {
      targets = try addresses(in: arguments.value(url) ?? .null)
    }
    if targets.isEmpty { return .bool(false) }
    try arguments.runner.permit(.open, nil)
    if let path { run.outside { run.bringHere(path) } }
    var isOpen = true
    for target in targets where !run.host.open(target) {
      isOpen = false
      run.front.say("No program here can open it: \(target)")
    }
    return .bool(isOpen)
  }

  /// The addresses in a value; one of another scheme than the web's is taken as it is.
  ///
  /// - Throws: `invalid-value` for a text that is not an address.
  private static func addresses(in value: Value) throws -> [String] {
    try value.elements.compactMap { element in
      let text = element.text.trimmingSpaces
      if element.isNull || text.isEmpty { return nil }
      let scheme = ShortcutTexts.scheme(of: text)
      if let scheme, !["http", "https", "file"].contains(scheme.lowercased()),
        !text.contains(where: \.isWhitespace)
      {
        return text
      }
      switch LiteralReader.read(text, as: .url) {
      case .success(let url): return url.text
      case .failure(let problem):
        throw RunError(.invalidValue, "`url`: \(problem.message)", help: problem.help)
      }
    }
  }
}
