/// What one part of a search asks for.
indirect enum SearchTerm: Hashable {
  /// Words that stand side by side, in one property or anywhere; the last one may go on.
  case phrase(String, isPrefix: Bool, property: String?)
  /// Text that stands anywhere within a property, for what has no words to be found by.
  case text(String, property: String?)
  /// A property, or an element of it, that is this value.
  case value(String, property: String)
  /// Created before the day.
  case before(String)
  /// Created on the day or after.
  case after(String)
  case not(SearchTerm)
  case any([SearchTerm])
  /// A word as it was written, then what may stand for it and counts less.
  case forms([SearchTerm])
  case all([SearchTerm])

  /// The phrases in it whose last word may go on.
  var prefixes: [String] {
    switch self {
    case .phrase(let text, let isPrefix, _): isPrefix ? [text] : []
    case .not(let term): term.prefixes
    case .any(let terms), .all(let terms), .forms(let terms): terms.flatMap(\.prefixes)
    case .text, .value, .before, .after: []
    }
  }

  /// The word of a term that other forms may stand for, wherever it stands; nil for what was meant
  /// to be found just so.
  var plainWord: String? {
    if case .forms(let forms) = self, case .phrase(let text, false, nil)? = forms.first {
      text
    } else {
      nil
    }
  }
}
