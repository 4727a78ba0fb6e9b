/// The web addresses in a text.
package enum TextLinks {
  /// Characters that end an address: quotes, brackets and punctuation that only text has, also in
  /// Chinese and Japanese, but no letters.
  package static let breaks = Set<Unicode.Scalar>(
    ("<>\"`{}|\\^“”„‟«»‹›「」『』｢｣（）｟｠〈〉《》【】〔〕〖〗〘〙〚〛［］｛｝＜＞、。，．！？：；｡､"
      + "〝〞〟").unicodeScalars)
  /// Characters at the end of an address that belong to its sentence.
  private static let marks = Set<Unicode.Scalar>(".,;:!?'*…‘’‥".unicodeScalars)

  /// The greatest depth of brackets in an address. An open one is where it ends and the search goes on,
  /// so that this bounds how often a part of a text is read.
  private static let maxDepth = 10

  /// Returns the web addresses in a text as they are written, each once, without the punctuation of
  /// their sentence.
  ///
  /// Round and square brackets belong to an address if both are in it, as in those of Wikipedia.
  /// After a host in ASCII, letters of other scripts belong to the sentence.
  ///
  /// - Complexity: O(bytes of the text).
  package static func urls(in text: String, limit: Int = .max) -> [String] {
    let text = text.unicodeScalars
    var found: [String] = []
    var known: Set<String> = []
    var position = text.startIndex
    while found.count < limit, let mark = text[position...].firstRange(of: "://".unicodeScalars) {
      position = mark.upperBound
      guard let start = start(text, mark.lowerBound) else { continue }
      let end = end(text, from: start, mark.upperBound)
      position = end
      let url = String(text[start..<end])
      if known.contains(url) || (try? WebURL(url)) == nil { continue }
      known.insert(url)
      found.append(url)
    }
    return found
  }

  /// The beginning of `http` or `https` before a colon; nil for another scheme.
  private static func start(
    _ text: String.UnicodeScalarView, _ colon: String.Index
  ) -> String.Index? {
    for scheme in ["https", "http"] {
      if let start = text.index(colon, offsetBy: -scheme.count, limitedBy: text.startIndex),
        String(text[start..<colon]).lowercased() == scheme
      {
        return start
      }
    }
    return nil
  }

  private static func end(
    _ text: String.UnicodeScalarView, from start: String.Index, _ afterScheme: String.Index
  ) -> String.Index {
    var open: [(close: Unicode.Scalar, at: String.Index)] = []
    var isInHost = true
    // The last label of the host so far is ASCII.
    var isASCII = false
    var end = afterScheme
    scan: while end < text.endIndex {
      let scalar = text[end]
      switch scalar {
      case "(", "[":
        if open.count == maxDepth { break scan }
        open.append((scalar == "(" ? ")" : "]", end))
      case ")", "]":
        // One that was opened in the address closes all that were opened later.
        guard let last = open.lastIndex(where: { $0.close == scalar }) else { break scan }
        open.removeSubrange(last...)
      case "/", "?", "#", ":": isInHost = isInHost && scalar == ":"
      case ".", "-": isASCII = false
      default:
        if scalar.properties.isWhitespace || scalar.value < 0x20 || breaks.contains(scalar) {
          break scan
        }
        if isInHost, !scalar.isASCII, isASCII { break scan }
        if isInHost { isASCII = scalar.isASCII }
      }
      end = text.index(after: end)
    }
    if let first = open.first { end = first.at }
    // Marks around an address, as in chats, do not belong to it.
    let before = start > text.startIndex ? text[text.index(before: start)] : " "
    while end > afterScheme {
      let last = text[text.index(before: end)]
      guard marks.contains(last) || "_~*".unicodeScalars.contains(last) && last == before else {
        break
      }
      end = text.index(before: end)
    }
    return end
  }
}
