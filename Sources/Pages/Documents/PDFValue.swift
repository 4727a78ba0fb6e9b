/// An object of a PDF, as far as its title may hang on it (ISO 32000-1 §7.3).
indirect enum PDFValue {
  case number(Int)
  case text([UInt8])
  case name(String)
  case list([PDFValue])
  case map([String: PDFValue])
  case reference(Int)
  case other

  /// The value of a name in a dictionary.
  subscript(name: String) -> PDFValue? {
    if case .map(let map) = self { map[name] } else { nil }
  }

  /// The number, where it is one.
  var number: Int? {
    if case .number(let number) = self { number } else { nil }
  }

  /// The name, where it is one.
  var name: String? {
    if case .name(let name) = self { name } else { nil }
  }
}
