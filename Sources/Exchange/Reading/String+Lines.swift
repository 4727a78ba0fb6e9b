extension String {
  /// The text on one line: runs of white space become a space; other control characters are removed.
  var oneLine: String {
    var result = String.UnicodeScalarView()
    var isSpaceDue = false
    for scalar in unicodeScalars {
      if scalar.value < 0x21 || (0x7F..<0xA0).contains(scalar.value) {
        if scalar == " " || (0x09...0x0D).contains(scalar.value) { isSpaceDue = true }
        continue
      }
      if isSpaceDue, !result.isEmpty { result.append(" ") }
      isSpaceDue = false
      result.append(scalar)
    }
    return String(result)
  }

  /// The trimmed text of several lines, without control characters except tabs and line breaks.
  var asParagraph: String {
    var scalars = String.UnicodeScalarView()
    var wasReturn = false
    for scalar in unicodeScalars {
      defer { wasReturn = scalar == "\r" }
      switch scalar.value {
      case 0x0A where wasReturn: continue
      case 0x0D, 0x0A: scalars.append("\n")
      case 0x09: scalars.append("\t")
      case 0..<0x20, 0x7F..<0xA0: continue
      default: scalars.append(scalar)
      }
    }
    let isBlank = { (scalar: Unicode.Scalar) in scalar == " " || scalar == "\n" || scalar == "\t" }
    guard let first = scalars.firstIndex(where: { !isBlank($0) }),
      let last = scalars.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(scalars[first...last])
  }
}
