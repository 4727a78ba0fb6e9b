import Source
package import YAML

/// Rules for the phrases of a language in the same layer, and words for reading what no phrase fits.
package struct VocabularyDefinition: Sendable {
  package let name: Scalar
  package internal(set) var language = "en"
  /// Templates by name, for `<name>` in phrases.
  package private(set) var rules: [(name: Scalar, template: Scalar)] = []
  /// Words that may be omitted from a sentence.
  package private(set) var skip: [Scalar] = []
  /// Words around a value that say little, such as articles and prepositions.
  package private(set) var small: [Scalar] = []
  /// Templates for a parameter beside a text, by its name, as in `oil the hinges tagged shed`.
  package private(set) var roles: [(name: Scalar, template: Scalar)] = []
  /// Words that turn a sentence round, such as `not`.
  package private(set) var negations: [Scalar] = []
  /// Words that mean the same as a word, by that word.
  package private(set) var synonyms: [(word: Scalar, others: [Scalar])] = []
  /// Templates of sentences that ask for a command of the program.
  package private(set) var commands: [(name: SpokenCommandName, templates: [Scalar])] = []

  init(_ name: Scalar, _ reader: inout DefinitionReader) {
    self.name = name
    reader.collector.check(name, form: .kebab, of: "a vocabulary")
    reader.read(Self.keys, into: &self)
  }

  private static func templates(
    _ entries: [Mapping.Entry], _ collector: DiagnosticCollector
  ) -> [(name: Scalar, template: Scalar)] {
    entries.compactMap { entry in
      guard let scalar = entry.value.scalar else {
        collector.report(
          "wrong-type", "`\(entry.key.text)` must be text, not \(entry.value.kindName)",
          at: entry.value.span)
        return nil
      }
      return (entry.key, scalar)
    }
  }

  /// Keys of its document.
  static let keys: [Key<Self>] = [
    Key(
      "language", "Its language, such as `de`; English by default.",
      .other(.text) {
        $0.language = LanguageCode.read(&$1) ?? "en"
      }),
    Key(
      "rules", "Templates by name, for `<name>` in phrases.",
      .entries(.text) { $0.rules = Self.templates($1, $2) }),
    Key(
      "roles", "Templates for a parameter beside a text, by its name.",
      .entries(.text) { $0.roles = Self.templates($1, $2) }),
    Key("skip", "Words that may be left out.", .texts { $0.skip = $1 }),
    Key(
      "small", "Words around a value that say little, such as articles.", .texts { $0.small = $1 }),
    Key(
      "negations", "Words that turn a sentence round, such as `not`.", .texts { $0.negations = $1 }),
    Key(
      "synonyms",
      "Words that mean the same as a word of phrases or the name of an entity, by that word.",
      .entries(.list(of: .text)) { vocabulary, entries, collector in
        vocabulary.synonyms = entries.map { entry in
          (entry.key, entry.value.sequence?.compactMap(\.scalar) ?? [])
        }
      }),
    Key(
      "commands", "Sentences that ask for a command of the program, by its name here.",
      .entries(.list(of: .text)) { vocabulary, entries, collector in
        vocabulary.commands = entries.compactMap { entry in
          guard let name = SpokenCommandName(rawValue: entry.key.text) else {
            let names = SpokenCommandName.allCases.map(\.rawValue)
            collector.report(
              "invalid-value", "there is no spoken command `\(entry.key.text)`",
              at: entry.key.span,
              help: Suggestion.help(for: entry.key.text, in: names)
                ?? "it is one of \(names.joined(separator: ", "))")
            return nil
          }
          return (name, entry.value.sequence?.compactMap(\.scalar) ?? [])
        }
      }),
  ]
}

/// The code of a language: `de`, or with a region `de-AT` (BCP 47).
package enum LanguageCode {
  /// Reads the key `language`; reports an invalid code.
  static func read(_ reader: inout DefinitionReader) -> String? {
    guard let scalar = reader.scalar("language") else { return nil }
    guard let code = normalized(scalar.text) else {
      reader.collector.report(
        "invalid-value", "`language` must be a code such as de or pt-BR, not `\(scalar.text)`",
        at: scalar.span)
      return nil
    }
    return code
  }

  /// The code of a locale such as `de_AT.UTF-8`; nil for `C`, `POSIX` and other texts.
  package static func normalized(_ locale: String) -> String? {
    let name = locale.prefix { $0 != "." && $0 != "@" }
    let parts = name.split(omittingEmptySubsequences: false) { $0 == "_" || $0 == "-" }
    guard let first = parts.first, (2...3).contains(first.utf8.count), parts.count <= 3,
      parts.allSatisfy({ part in
        (1...8).contains(part.utf8.count)
          && part.unicodeScalars.allSatisfy { $0.isASCII && $0.properties.isAlphabetic }
          || part.utf8.count == 3 && part.allSatisfy { $0.isASCII && $0.isNumber }
      })
    else { return nil }
    let rest = parts.dropFirst().map { part in
      part.utf8.count == 2 ? part.uppercased() : part.capitalizedWord
    }
    return ([first.lowercased()] + rest).joined(separator: "-")
  }

  /// A code and its parents: `de-AT`, `de`.
  package static func chain(_ code: String) -> [String] {
    var chain = [code]
    while let last = chain.last, let dash = last.lastIndex(of: "-") {
      chain.append(String(last[..<dash]))
    }
    return chain
  }

  /// The preferred languages, best first: that of a flag, otherwise those of the environment
  /// (`LANGUAGE` of GNU gettext, then POSIX.1-2017 §8.2); `C` and `POSIX` are ignored.
  package static func wanted(
    _ flag: String?, environment: (String) -> String?
  ) -> [String] {
    if let flag { return normalized(flag).map(chain) ?? [] }
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(environment)
      .first { !$0.isEmpty }
    guard let locale, let code = normalized(locale) else { return [] }
    let list = (environment("LANGUAGE") ?? "").split(separator: ":")
      .compactMap { normalized(String($0)) }
    return list.isEmpty ? chain(code) : list.flatMap(chain)
  }
}

extension Substring {
  /// The text with one capital at its start.
  fileprivate var capitalizedWord: String { prefix(1).uppercased() + dropFirst().lowercased() }
}
