/// The strings extension; positions count code points.
enum StringFunctions {
  static let all: [LibraryFunction] = [
    .init("charAt") {
      Function($0, .method) { (text: String, index: Int64) throws(EvaluationError) in
        let points = Array(text.unicodeScalars)
        let position = try position(index, in: points.count)
        return position == points.count ? "" : String(points[position])
      }
    },
    .init("indexOf") { search($0, isLast: false) },
    .init("lastIndexOf") { search($0, isLast: true) },
    .init("lowerAscii") {
      Function($0, .method) { (text: String) in mapped(text) { $0.isUpper ? $0 + 32 : $0 } }
    },
    .init("upperAscii") {
      Function($0, .method) { (text: String) in mapped(text) { $0.isLower ? $0 - 32 : $0 } }
    },
    .init("replace") {
      Function($0, .method) { (text: String, old: String, new: String) throws(EvaluationError) in
        try replacing(old, with: new, in: text, limit: -1)
      }
      Function($0, .method, list: [.string, .string, .string, .int], returns: .string) {
        values throws(EvaluationError) in
        guard case .string(let text) = values[0], case .string(let old) = values[1],
          case .string(let new) = values[2], case .int(let limit) = values[3]
        else { return values[0] }
        return .string(try replacing(old, with: new, in: text, limit: limit))
      }
    },
    .init("split") {
      Function($0, .method, returns: .list(.string)) { (text: String, separator: String) in
        split(text, separator, -1)
      }
      Function($0, .method, returns: .list(.string)) {
        (text: String, separator: String, limit: Int64) in
        split(text, separator, limit)
      }
    },
    .init("substring") {
      Function($0, .method) { (text: String, start: Int64) throws(EvaluationError) in
        let points = Array(text.unicodeScalars)
        return String(points[try position(start, in: points.count)...])
      }
      Function($0, .method) { (text: String, start: Int64, end: Int64) throws(EvaluationError) in
        let points = Array(text.unicodeScalars)
        let first = try position(start, in: points.count)
        let last = try position(end, in: points.count)
        guard first <= last else {
          throw EvaluationError("invalid substring range: from \(start) to \(end)")
        }
        return String(points[first..<last])
      }
    },
    .init("trim") {
      Function($0, .method) { (text: String) in
        let points = Array(text.unicodeScalars)
        guard let start = points.firstIndex(where: { !$0.properties.isWhitespace }),
          let end = points.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(points[start...end])
      }
    },
    .init("join") {
      Function($0, .method, [.list(.string)]) { (list: [Value]) throws(EvaluationError) in
        try joined(list, "")
      }
      Function($0, .method, [.list(.string), .string]) {
        (list: [Value], separator: String) throws(EvaluationError) in
        try joined(list, separator)
      }
    },
    .init("format") {
      Function($0, .method, [.string, .list(.dyn)]) {
        (text: String, values: [Value]) throws(EvaluationError) in
        try TextFormatter.format(text, values)
      }.trying(at: 0) { template throws(EvaluationError) in
        _ = try TextFormatter.clauses(of: template.text)
      }
    },
    .init("strings.quote") { Function($0) { (text: String) in quote(text) } },
  ]

  private static func mapped(_ text: String, _ change: (UInt8) -> UInt8) -> String {
    String(decoding: text.utf8.map(change), as: UTF8.self)
  }

  private static func search(_ name: String, isLast: Bool) -> [Function] {
    [
      Function(name, .method) { (text: String, part: String) in
        find(part, in: text, from: nil, isLast: isLast)
      },
      Function(name, .method) {
        (text: String, part: String, start: Int64) throws(EvaluationError) in
        let position = try position(start, in: text.unicodeScalars.count)
        return find(part, in: text, from: position, isLast: isLast)
      },
    ]
  }

  /// Returns the first occurrence at or after a position, or the last at or before it; -1 if none.
  private static func find(_ part: String, in text: String, from: Int?, isLast: Bool) -> Int64 {
    let points = Array(text.unicodeScalars)
    let wanted = Array(part.unicodeScalars)
    guard wanted.count <= points.count else { return -1 }
    let last = points.count - wanted.count
    func stands(_ at: Int) -> Bool { points[at..<at + wanted.count].elementsEqual(wanted) }
    if isLast {
      if part.isEmpty { return Int64(from ?? points.count) }
      return Int64((0...min(from ?? last, last)).last(where: stands) ?? -1)
    }
    let start = from ?? 0
    if part.isEmpty { return Int64(start) }
    return start > last ? -1 : Int64((start...last).first(where: stands) ?? -1)
  }

  /// Replaces at most `limit` occurrences, all if it is negative; the empty string occurs between all code points.
  private static func replacing(
    _ old: String, with new: String, in text: String, limit: Int64
  ) throws(EvaluationError) -> String {
    let pieces = pieces(of: text, separator: old, limit: limit < 0 ? .max : Int(clamping: limit))
    let (growth, overflow) = pieces.count.multipliedReportingOverflow(by: new.utf8.count)
    try EvaluationLimits().expect(bytes: overflow ? .max : growth + text.utf8.count)
    return pieces.joined(separator: new)
  }

  /// Splits at most `limit` times; an empty separator occurs between all code points and, with `withEnds`, at both
  /// ends.
  private static func pieces(
    of text: String, separator: String, limit: Int, withEnds: Bool = true
  ) -> [String] {
    let bytes = Array(text.utf8)
    let wanted = Array(separator.utf8)
    var pieces: [String] = []
    var start = 0
    /// Appends a piece and continues after it.
    func cut(_ end: Int, _ next: Int) {
      pieces.append(String(decoding: bytes[start..<end], as: UTF8.self))
      start = next
    }
    if wanted.isEmpty {
      if withEnds, limit > 0 { cut(0, 0) }
      for scalar in text.unicodeScalars where pieces.count < limit {
        let end = start + UTF8.width(scalar)
        if !withEnds, end == bytes.count { break }
        cut(end, end)
      }
    } else {
      while pieces.count < limit, let found = bytes.firstRange(of: wanted, from: start) {
        cut(found.lowerBound, found.upperBound)
      }
    }
    cut(bytes.count, bytes.count)
    return pieces
  }

  /// Splits into at most `limit` parts, the last of which holds the rest; no limit if it is negative.
  private static func split(_ text: String, _ separator: String, _ limit: Int64) -> [Value] {
    if limit == 0 || separator.isEmpty && text.isEmpty { return [] }
    let cuts = limit < 0 ? Int.max : Int(clamping: limit) - 1
    return pieces(of: text, separator: separator, limit: cuts, withEnds: false).map(Value.string)
  }

  private static func joined(
    _ list: [Value], _ separator: String
  ) throws(EvaluationError) -> String {
    var text = ""
    for (index, element) in list.enumerated() {
      guard case .string(let part) = element else {
        throw EvaluationError(.arguments("join", ["list with \(element.kindName)"], signatures: []))
      }
      if index > 0 { text += separator }
      text += part
      try EvaluationLimits().expect(bytes: text.utf8.count)
    }
    return text
  }

  /// Returns the text in double quotes, with the escapes of C.
  private static func quote(_ text: String) -> String {
    let letters = Array(LiteralText.controls.unicodeScalars)
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x07...0x0D:
        quoted += "\\"
        quoted.unicodeScalars.append(letters[Int(scalar.value) - 7])
      case 0x22, 0x5C: quoted += "\\\(scalar)"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  /// Returns a position in a text of `count` code points; its end is valid.
  private static func position(_ index: Int64, in count: Int) throws(EvaluationError) -> Int {
    guard index >= 0, index <= Int64(count) else {
      let characters = count == 1 ? "1 character" : "\(count) characters"
      throw EvaluationError("index \(index) is out of range: the text has \(characters)")
    }
    return Int(index)
  }
}

extension String {
  fileprivate init(_ points: some Sequence<Unicode.Scalar>) {
    self.init(String.UnicodeScalarView(points))
  }
}

extension UInt8 {
  fileprivate var isUpper: Bool { (0x41...0x5A).contains(self) }
  fileprivate var isLower: Bool { (0x61...0x7A).contains(self) }
}
