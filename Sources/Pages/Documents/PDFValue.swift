/// An object of a PDF, restricted to the types that metadata uses (ISO 32000-1 §7.3).
indirect enum PDFValue {
  case number(Int)
  case text([UInt8])
  case name(String)
  case list([PDFValue])
  case map([String: PDFValue])
  case reference(Int)
  case other

  /// The value of a dictionary key.
  subscript(name: String) -> PDFValue? {
    if case .map(let map) = self { map[name] } else { nil }
  }

  /// The number; nil for another type.
  var number: Int? {
    if case .number(let number) = self { number } else { nil }
  }

  /// The name; nil for another type.
  var name: String? {
    if case .name(let name) = self { name } else { nil }
  }
}
