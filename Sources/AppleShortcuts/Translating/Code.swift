/// An expression of the result, as a tree.
///
/// Its text depends on facts known only after all actions are translated, such as the name of a
/// value or whether `it` holds it.
indirect enum Code {
  case text(String)
  case int(Int64)
  case number(Double)
  case flag(Bool)
  case nothing
  /// A value by its slot.
  case slot(Int)
  /// A value by its slot, which may be absent without a failure.
  case bare(Int)
  /// CEL with embedded expressions.
  case source(Source, Kind)
  /// A text of several parts.
  case joined([Code])
  case converted(Conversion, Code)
  /// A list of the items of all parts.
  case list([Code])
  case dictionary([(key: Code, value: Code)])

  /// The type of a value, as far as it is known.
  enum Kind {
    case any, text, integer, number, flag, date, list, dictionary, nothing
    /// A list of texts.
    case texts
    /// A text, or bytes that are none.
    case content

    /// Whether a value is certainly a single item.
    var isSingle: Bool {
      switch self {
      case .text, .integer, .number, .flag, .date, .dictionary: true
      case .any, .list, .texts, .nothing, .content: false
      }
    }

    /// Whether a value is certainly a list.
    var isList: Bool { self == .list || self == .texts }
  }

  /// A conversion of Apple's app.
  enum Conversion: String {
    case text = "toText"
    case number = "toNumber"
    case list = "toList"
    case dictionary = "toDictionary"
    case date = "toDate"
    /// A whole number, for counts and positions.
    case whole = "int"
    /// An item of a list; only for the kind of a value.
    case item
  }

  /// CEL with embedded expressions, written as an interpolated string.
  struct Source: ExpressibleByStringInterpolation {
    /// A part of a source.
    enum Piece {
      case raw(String)
      case code(Code)
    }

    var pieces: [Piece] = []

    init(stringLiteral value: String) { pieces = [.raw(value)] }

    init(stringInterpolation: StringInterpolation) { pieces = stringInterpolation.pieces }

    struct StringInterpolation: StringInterpolationProtocol {
      var pieces: [Piece] = []

      init(literalCapacity: Int, interpolationCount: Int) {}

      mutating func appendLiteral(_ literal: String) {
        // Adjacent raw parts are merged, so that operators are found.
        if case .raw(let before)? = pieces.last {
          pieces[pieces.count - 1] = .raw(before + literal)
        } else if !literal.isEmpty {
          pieces.append(.raw(literal))
        }
      }

      mutating func appendInterpolation(_ code: Code) { pieces.append(.code(code)) }
      /// Inserts CEL verbatim.
      mutating func appendInterpolation(raw text: String) { appendLiteral(text) }
    }
  }

  static func cel(_ source: Source, _ kind: Kind) -> Code { .source(source, kind) }

  var asText: Code { .converted(.text, self) }
  var asNumber: Code { .converted(.number, self) }
  var asList: Code { .converted(.list, self) }
  var asDictionary: Code { .converted(.dictionary, self) }
  var asDate: Code { .converted(.date, self) }
  var asWhole: Code { .converted(.whole, self) }

  /// The value without a conversion to a text.
  var withoutText: Code {
    if case .converted(.text, let inner) = self { inner.withoutText } else { self }
  }

  /// The value without a conversion to a dictionary.
  var withoutDictionary: Code {
    if case .converted(.dictionary, let inner) = self { inner.withoutDictionary } else { self }
  }

  /// The same value, without a failure if it is absent.
  var bare: Code { if case .slot(let slot) = self { .bare(slot) } else { self } }

  /// The text, if it is a literal.
  var literal: String? {
    switch self {
    case .text(let text): return text
    case .int(let number): return String(number)
    case .converted(.text, let code): return code.literal
    case .joined(let parts):
      var text = ""
      for part in parts {
        guard let piece = part.literal else { return nil }
        text += piece
      }
      return text
    default: return nil
    }
  }

  var isNothing: Bool { if case .nothing = self { true } else { false } }

  /// The approximate length in characters.
  var size: Int {
    switch self {
    case .text(let text): return min(text.utf8.count, 10_000) + 2
    case .int, .number, .flag, .nothing: return 3
    case .slot, .bare: return 8
    case .source(let source, _):
      return source.pieces.reduce(0) { sum, piece in
        switch piece {
        case .raw(let raw): sum + raw.utf8.count
        case .code(let code): sum + code.size
        }
      }
    case .joined(let parts), .list(let parts): return parts.reduce(4) { $0 + $1.size }
    case .converted(_, let code): return code.size + 8
    case .dictionary(let entries): return entries.reduce(4) { $0 + $1.key.size + $1.value.size }
    }
  }

  /// The approximate length of the longest expression in it: the text around expressions does not
  /// count.
  var expressionSize: Int {
    switch self {
    case .text: 0
    case .joined(let parts), .list(let parts): parts.reduce(0) { max($0, $1.expressionSize) }
    case .dictionary(let entries): entries.reduce(0) { max($0, $1.value.expressionSize) }
    case .converted(.text, let code): code.expressionSize
    default: size
    }
  }

  /// Whether it is a literal.
  var isConstant: Bool {
    switch self {
    case .text, .int, .number, .flag: true
    case .list(let parts): parts.allSatisfy(\.isConstant)
    case .dictionary(let entries):
      entries.allSatisfy { $0.key.literal != nil && $0.value.isConstant }
    case .converted(.text, let code): code.isConstant
    case .joined(let parts): parts.allSatisfy { $0.literal != nil }
    case .nothing, .slot, .bare, .source, .converted: false
    }
  }

  /// Whether its value differs from one evaluation to the next.
  var isVolatile: Bool {
    switch self {
    case .source(let source, _):
      source.pieces.contains { piece in
        switch piece {
        case .raw(let raw):
          ["now()", "random(", "uuid()", "shuffled()", "today()"].contains { raw.contains($0) }
        case .code(let code): code.isVolatile
        }
      }
    case .joined(let parts), .list(let parts): parts.contains(where: \.isVolatile)
    case .converted(_, let code): code.isVolatile
    case .dictionary(let entries):
      entries.contains { $0.key.isVolatile || $0.value.isVolatile }
    case .text, .int, .number, .flag, .nothing, .slot, .bare: false
    }
  }

  /// Calls a closure with each slot.
  func visitSlots(_ body: (Int) -> Void) {
    switch self {
    case .slot(let slot), .bare(let slot): body(slot)
    case .source(let source, _):
      for case .code(let code) in source.pieces { code.visitSlots(body) }
    case .joined(let parts), .list(let parts): for part in parts { part.visitSlots(body) }
    case .converted(_, let code): code.visitSlots(body)
    case .dictionary(let entries):
      for entry in entries {
        entry.key.visitSlots(body)
        entry.value.visitSlots(body)
      }
    case .text, .int, .number, .flag, .nothing: break
    }
  }

  /// The same code with slots replaced.
  func replacing(_ replacement: (Int) -> Code?) -> Code {
    switch self {
    case .slot(let slot): return replacement(slot) ?? self
    case .bare(let slot): return replacement(slot)?.bare ?? self
    case .source(var source, let kind):
      source.pieces = source.pieces.map { piece in
        if case .code(let code) = piece { .code(code.replacing(replacement)) } else { piece }
      }
      return .source(source, kind)
    case .joined(let parts): return .joined(parts.map { $0.replacing(replacement) })
    case .list(let parts): return .list(parts.map { $0.replacing(replacement) })
    case .converted(let conversion, let code):
      return .converted(conversion, code.replacing(replacement))
    case .dictionary(let entries):
      return .dictionary(
        entries.map { ($0.key.replacing(replacement), $0.value.replacing(replacement)) })
    case .text, .int, .number, .flag, .nothing: return self
    }
  }
}

extension [Code] {
  /// The parts as one text.
  var joinedText: Code { count == 1 ? self[0] : .joined(self) }
}
