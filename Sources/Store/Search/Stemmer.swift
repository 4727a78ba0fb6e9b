import CStemmer

/// Reduces words of one language to their stems, by Snowball's rules.
final class Stemmer {
  private let handle: OpaquePointer

  /// Makes the stemmer of a language, named as in Snowball; nil for one that it does not know.
  init?(language: String) {
    guard let handle = sb_stemmer_new(language, "UTF_8") else { return nil }
    self.handle = handle
  }

  deinit { sb_stemmer_delete(handle) }

  /// Gives the stem of a word in small letters.
  ///
  /// - Complexity: O(length).
  func stem(_ word: String) -> String {
    var word = word
    return word.withUTF8 { bytes in
      // The result belongs to the stemmer, until its next word.
      guard let stem = sb_stemmer_stem(handle, bytes.baseAddress, Int32(clamping: bytes.count))
      else { return String(decoding: bytes, as: UTF8.self) }
      let count = Int(sb_stemmer_length(handle))
      return String(decoding: UnsafeBufferPointer(start: stem, count: count), as: UTF8.self)
    }
  }
}
