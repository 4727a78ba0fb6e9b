/// The regex extension.
enum RegexFunctions {
  static let all: [LibraryFunction] = [
    .init("regex.replace") {
      Function($0) { (text: String, pattern: String, replacement: String) throws(EvaluationError) in
        try replacing(text, pattern, replacement, limit: -1)
      }.trying(at: 1, pattern)
      Function($0, list: [.string, .string, .string, .int], returns: .string) {
        values throws(EvaluationError) in
        guard case .string(let text) = values[0], case .string(let pattern) = values[1],
          case .string(let replacement) = values[2], case .int(let limit) = values[3]
        else { return values[0] }
        return .string(try replacing(text, pattern, replacement, limit: limit))
      }.trying(at: 1, pattern)
    },
    .init("regex.extract") {
      Function($0, .global, [.string, .string], returns: .optional(.string)) {
        (text: String, pattern: String) throws(EvaluationError) in
        let found = try extract(text, pattern, limit: 1).first.flatMap { $0 }
        return Value.optional(found.map { OptionalValue(.string($0)) } ?? .none)
      }.tryingSecond(beside: .string(""))
    },
    .init("regex.extractAll") {
      Function($0) { (text: String, pattern: String) throws(EvaluationError) in
        try extract(text, pattern, limit: .max).compactMap { $0 }
      }.tryingSecond(beside: .string(""))
    },
  ]

  /// Throws if a literal is not a valid pattern.
  @Sendable
  private static func pattern(_ value: Value) throws(EvaluationError) {
    _ = try Regex.shared(value.text)
  }

  /// Returns the group of each match, or the whole match if the pattern has no group.
  private static func extract(
    _ text: String, _ pattern: String, limit: Int
  ) throws(EvaluationError) -> [String?] {
    let regex = try Regex.shared(pattern)
    guard regex.groupCount <= 1 else {
      throw EvaluationError(
        "`\(pattern)` has \(regex.groupCount) groups; use (?:…) for the others")
    }
    let bytes = Array(text.utf8)
    return try regex.matches(in: bytes, limit: limit).map { groups in
      groups[groups.count - 1].map { String(decoding: bytes[$0], as: UTF8.self) }
    }
  }

  /// Replaces at most `limit` matches; all if it is negative.
  private static func replacing(
    _ text: String, _ pattern: String, _ replacement: String, limit: Int64
  ) throws(EvaluationError) -> String {
    let regex = try Regex.shared(pattern)
    let parts = try self.parts(of: replacement, groupCount: regex.groupCount)
    if limit == 0 { return text }
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var position = 0
    for groups in try regex.matches(in: bytes, limit: limit < 0 ? .max : Int(clamping: limit)) {
      guard let whole = groups[0] else { continue }
      result += bytes[position..<whole.lowerBound]
      for part in parts {
        switch part {
        case .text(let text): result += text
        case .group(let group): if let range = groups[group] { result += bytes[range] }
        }
      }
      try EvaluationLimits().expect(bytes: result.count)
      position = whole.upperBound
    }
    result += bytes[position...]
    return String(decoding: result, as: UTF8.self)
  }

  /// A part of a replacement.
  private enum Part {
    case text([UInt8])
    case group(Int)
  }

  /// Parses a replacement: `\1` to `\9` are groups, `\0` the match, `\\` a backslash.
  private static func parts(
    of replacement: String, groupCount: Int
  ) throws(EvaluationError) -> [Part] {
    var parts: [Part] = []
    var rest = Array(replacement.utf8)[...]
    var text: [UInt8] = []
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        text.append(byte)
        continue
      }
      switch rest.popFirst() {
      case UInt8(ascii: "\\"): text.append(byte)
      case let digit? where (0x30...0x39).contains(digit):
        let group = Int(digit - 0x30)
        guard group <= groupCount else {
          throw EvaluationError(
            "`\(replacement)` refers to group \(group), but the pattern has \(groupCount)")
        }
        parts.append(.text(text))
        parts.append(.group(group))
        text = []
      default:
        throw EvaluationError(
          "in a replacement, `\\` must be followed by a digit or another `\\`")
      }
    }
    return parts + [.text(text)]
  }
}
