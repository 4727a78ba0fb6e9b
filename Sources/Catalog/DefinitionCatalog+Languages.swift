import Resources
package import Source
import YAML

/// The translations and vocabularies of a catalog, by layer.
///
/// A project's, catalog's or file's count for definitions of that layer only; a person's own
/// count for all, as do the rules and words of built-in vocabularies; built-in translations are for
/// built-in definitions.
extension DefinitionCatalog {
  /// Languages with built-in translations.
  package static let shippedLanguages = ["de", "fr", "es", "ja"]

  /// Whether there are texts in a language, built in or added.
  package func speaks(_ code: String) -> Bool {
    let known = ["en"] + Self.shippedLanguages + addedLanguages
    return LanguageCode.chain(code).contains { known.contains($0) }
  }

  /// The prefix of a translation's name among the documents of a file.
  static func prefix(ofTranslation language: String) -> String { "translation:\(language):" }

  /// A catalog of the same definitions with their texts in other languages, best first.
  package func speaking(_ languages: [String]) -> DefinitionCatalog {
    let catalog = replacing(nil, with: nil)
    catalog.languages = languages
    return catalog
  }

  /// The translations of a definition into the wanted languages, best first.
  ///
  /// Empty if its own language is wanted more.
  ///
  /// - Throws: the errors in a translation's document.
  package func translations(
    of name: String, in layer: Layer, ownLanguage: String?
  ) throws(Diagnostics) -> [TranslationDefinition] {
    var found: [TranslationDefinition] = []
    for language in languages {
      if LanguageCode.chain(ownLanguage ?? "en").contains(language) {
        // A region's texts may still differ from those of its language.
        if found.isEmpty { return [] }
        break
      }
      for translation in try translations(of: name, in: layer, language: language) {
        found.append(translation)
      }
      let base = LanguageCode.chain(language).last
      if !found.isEmpty, base == language { break }
    }
    return found
  }

  /// The translations of a definition into one language: a person's own before those of its layer.
  ///
  /// - Throws: the errors in a translation's document.
  package func translations(
    of name: String, in layer: Layer, language: String
  ) throws(Diagnostics) -> [TranslationDefinition] {
    var found: [TranslationDefinition] = []
    for place in [Layer.user, layer] where place != .builtIn {
      if place == .user, layer == .user, !found.isEmpty { break }
      if let translation = try addedTranslation(of: name, language, in: place) {
        found.append(translation)
      }
    }
    if layer == .builtIn, let own = try builtInTranslation(of: name, language) {
      found.append(own)
    }
    return found
  }

  /// The tests of a definition's translations, by language.
  ///
  /// - Throws: the errors in a translation's document.
  package func translatedTests(
    of name: String
  ) throws(Diagnostics) -> [(language: String, tests: [TestDefinition])] {
    guard let place = place(ofAction: name) else { return [] }
    var found: [(language: String, tests: [TestDefinition])] = []
    for language in Self.shippedLanguages + addedLanguages {
      if found.contains(where: { $0.language == language }) { continue }
      let tests = try translations(of: name, in: place.layer, language: language).flatMap(\.tests)
      if !tests.isEmpty { found.append((language, tests)) }
    }
    return found
  }

  /// The vocabularies of a layer in a language.
  ///
  /// - Throws: the errors in a vocabulary's document.
  package func vocabularies(
    in layer: Layer, language: String
  ) throws(Diagnostics) -> [VocabularyDefinition] {
    var found: [VocabularyDefinition] = []
    if layer == .builtIn {
      found = try builtInWordings(language).vocabularies
    }
    for vocabulary in try addedVocabularies(in: layer) where vocabulary.language == language {
      found.append(vocabulary)
    }
    return found
  }

  /// The text of the built-in translations into a language; nil if there are none.
  static func builtInFile(of language: String) -> SourceFile? {
    let path = "translations/\(language).yaml"
    return Resource.named(path).map { SourceFile(name: path, bytes: $0.bytes, isBuiltIn: true) }
  }
}

/// The built-in translations into a language, each parsed on first use.
final class BuiltInWordings {
  private var slices: [String: DocumentSlice] = [:]
  private var parsed: [String: TranslationDefinition] = [:]
  private(set) var vocabularies: [VocabularyDefinition] = []

  /// Finds the documents of a language.
  ///
  /// - Throws: the errors in a vocabulary.
  init(_ language: String) throws(Diagnostics) {
    guard let file = DefinitionCatalog.builtInFile(of: language) else { return }
    for slice in DocumentSlice.split(file) {
      guard let (kind, name) = Self.head(of: slice) else { continue }
      if kind == .translation {
        slices[name] = slice
      } else if case .vocabulary(let vocabulary) = try Definition.parse(
        slice, verbs: .none)
      {
        vocabularies.append(vocabulary)
      }
    }
  }

  /// The names of the translated definitions.
  var names: [String] { slices.keys.sorted() }

  /// The translation of a definition; nil if there is none.
  ///
  /// - Throws: the errors in its document.
  func translation(
    of name: String, withTests: Bool
  ) throws(Diagnostics) -> TranslationDefinition? {
    if let known = parsed[name] { return known }
    guard let slice = slices[name] else { return nil }
    let part = withTests ? slice : slice.upTo(line: "tests:")
    guard case .translation(let translation) = try Definition.parse(part, verbs: .none)
    else { return nil }
    parsed[name] = translation
    return translation
  }

  /// The kind and the name of a document, by a line such as `translation: save`.
  private static func head(of slice: DocumentSlice) -> (Definition.Kind, String)? {
    let bytes = slice.file.bytes
    for kind in [Definition.Kind.translation, .vocabulary] {
      let key = Array((kind.rawValue + ":").utf8)
      var line = slice.range.lowerBound
      while line < slice.range.upperBound {
        let end =
          bytes[line..<slice.range.upperBound].firstIndex(of: 0x0A)
          ?? slice.range.upperBound
        if bytes[line..<end].starts(with: key) {
          let name = bytes[(line + key.count)..<end].drop { $0 == 0x20 }.prefix { $0 != 0x20 }
          return (kind, String(decoding: name, as: UTF8.self))
        }
        line = end + 1
      }
    }
    return nil
  }
}
