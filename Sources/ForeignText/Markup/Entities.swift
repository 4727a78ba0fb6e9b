/// Character references of HTML and XML (`&amp;`, `&#228;`, `&#xE4;`).
package enum Entities {
  /// Decodes the character references of a text; unknown ones are kept as written.
  package static func decoded(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
    var result = ""
    result.reserveCapacity(text.utf8.count)
    var rest = text[...]
    while let start = rest.utf8.firstIndex(of: UInt8(ascii: "&")) {
      result += rest[..<start]
      rest = rest[rest.utf8.index(after: start)...]
      if let (scalar, end) = reference(rest) {
        result.unicodeScalars.append(scalar)
        rest = rest[end...]
      } else {
        result += "&"
      }
    }
    return result + rest
  }

  /// Returns the character of a reference after its `&`, and the end of the reference.
  private static func reference(_ text: Substring) -> (Unicode.Scalar, String.Index)? {
    let bytes = text.utf8
    if bytes.first == UInt8(ascii: "#") {
      var digits = bytes.dropFirst()
      let isHexadecimal = digits.first.map { $0 | 0x20 } == UInt8(ascii: "x")
      if isHexadecimal { digits = digits.dropFirst() }
      let number = digits.prefix(8).prefix {
        (0x30...0x39).contains($0) || isHexadecimal && (0x61...0x66).contains($0 | 0x20)
      }
      guard let text = String(number), let code = UInt32(text, radix: isHexadecimal ? 16 : 10),
        code > 0, let scalar = Unicode.Scalar(code)
      else { return nil }
      // Numbers in 0x80...0x9F mean windows-1252 (HTML Standard §13.2.5.80).
      let isOfWindows = (0x80...0x9F).contains(code)
      let meant = isOfWindows ? CharsetDecoder.text(of: [UInt8(code)], in: .windows1252) : ""
      return (meant.unicodeScalars.first ?? scalar, end(after: number.endIndex, in: bytes))
    }
    let name = bytes.prefix(8).prefix {
      (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20)
    }
    guard let text = String(name), let scalar = named(text) else { return nil }
    // Without a semicolon a name may be a query parameter: `?a=1&copy=2`.
    guard name.endIndex < bytes.endIndex, bytes[name.endIndex] == UInt8(ascii: ";") else {
      return nil
    }
    return (scalar, end(after: name.endIndex, in: bytes))
  }

  private static func end(
    after index: String.Index, in bytes: Substring.UTF8View
  ) -> String.Index {
    guard index < bytes.endIndex, bytes[index] == UInt8(ascii: ";") else { return index }
    return bytes.index(after: index)
  }

  /// The Latin-1 names in order from U+00A0 (HTML 4.01 §24.2.1).
  private static let latin: [Substring] = """
    nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn \
    sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave \
    Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml \
    ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN \
    szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave \
    iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute \
    ucirc uuml yacute thorn yuml
    """.split(separator: " ")

  /// Other names, each followed by its character; split by bytes, since joiners would merge with a blank.
  private static let others: [Substring] = """
    amp & AMP & lt < LT < gt > GT > quot " QUOT " apos ' ndash – mdash — lsquo ‘ rsquo ’ sbquo ‚ \
    ldquo “ rdquo ” bdquo „ hellip … bull • euro € trade ™ larr ← rarr → minus − lsaquo ‹ \
    rsaquo › oelig œ OElig Œ scaron š Scaron Š ensp \u{2002} emsp \u{2003} thinsp \u{2009} \
    zwnj \u{200C} zwj \u{200D} lrm \u{200E} rlm \u{200F} Yuml Ÿ fnof ƒ circ ˆ tilde ˜ permil ‰ \
    Alpha Α Beta Β Gamma Γ Delta Δ Epsilon Ε Zeta Ζ Eta Η Theta Θ Iota Ι Kappa Κ Lambda Λ Mu Μ Nu Ν \
    Xi Ξ Omicron Ο Pi Π Rho Ρ Sigma Σ Tau Τ Upsilon Υ Phi Φ Chi Χ Psi Ψ Omega Ω alpha α beta β \
    gamma γ delta δ epsilon ε zeta ζ eta η theta θ iota ι kappa κ lambda λ mu μ nu ν xi ξ omicron ο \
    pi π rho ρ sigmaf ς sigma σ tau τ upsilon υ phi φ chi χ psi ψ omega ω thetasym ϑ upsih ϒ piv ϖ \
    prime ′ Prime ″ oline ‾ frasl ⁄ weierp ℘ image ℑ real ℜ alefsym ℵ uarr ↑ darr ↓ harr ↔ crarr ↵ \
    lArr ⇐ uArr ⇑ rArr ⇒ dArr ⇓ hArr ⇔ forall ∀ part ∂ exist ∃ empty ∅ nabla ∇ isin ∈ notin ∉ ni ∋ \
    prod ∏ sum ∑ lowast ∗ radic √ prop ∝ infin ∞ ang ∠ and ∧ or ∨ cap ∩ cup ∪ int ∫ there4 ∴ sim ∼ \
    cong ≅ asymp ≈ ne ≠ equiv ≡ le ≤ ge ≥ sub ⊂ sup ⊃ nsub ⊄ sube ⊆ supe ⊇ oplus ⊕ otimes ⊗ perp ⊥ \
    sdot ⋅ lceil ⌈ rceil ⌉ lfloor ⌊ rfloor ⌋ lang ⟨ rang ⟩ loz ◊ spades ♠ clubs ♣ hearts ♥ diams ♦ \
    dagger † Dagger ‡
    """.utf8.split(separator: UInt8(ascii: " ")).map { Substring($0) }

  private static func named(_ name: String) -> Unicode.Scalar? {
    if let index = others.firstIndex(of: name[...]) {
      return others[index + 1].unicodeScalars.first
    }
    return latin.firstIndex(of: name[...]).flatMap { Unicode.Scalar(0xA0 + UInt32($0)) }
  }
}
