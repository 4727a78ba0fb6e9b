/// A content line of a calendar (RFC 5545 §3.1): name, parameters and value.
package struct CalendarProperty: Sendable {
  /// A parameter with its decoded values.
  package struct Parameter: Hashable, Sendable {
    package let name: String
    package let values: [String]
  }

  /// The name in upper case; empty for a line that is not a content line.
  package let name: String
  package let parameters: [Parameter]
  /// The value as written, with escape sequences.
  package let value: String
  /// The lines as they were read, so that what is not changed goes back as it came.
  private let source: String?

  /// Creates a property with a value that needs no escape sequences.
  package init(_ name: String, _ value: String, _ parameters: KeyValuePairs<String, String?> = [:])
  {
    self.name = name
    self.value = value
    self.parameters = parameters.compactMap { name, value in
      value.map { Parameter(name: name, values: [$0]) }
    }
    source = nil
  }

  /// Creates a property with a text, or several (§3.3.11).
  package init(_ name: String, texts: [String]) {
    self.init(name, texts.map(Self.escaped).joined(separator: ","))
  }

  /// Creates a property with other contents, but with the parameters of one before.
  package init(_ old: CalendarProperty, value: String) {
    (name, parameters, self.value, source) = (old.name, old.parameters, value, nil)
  }

  /// Parses an unfolded line.
  ///
  /// - Parameter source: The lines as they were read; nil if they are not text.
  init(line: String, source: String?) {
    self.source = source
    let bytes = Array(line.utf8)
    var start = 0
    var parts: [ArraySlice<UInt8>] = []
    var isQuoted = false
    var end: Int?
    for (index, byte) in bytes.enumerated() {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      guard !isQuoted, byte == UInt8(ascii: ";") || byte == UInt8(ascii: ":") else { continue }
      parts.append(bytes[start..<index])
      start = index + 1
      if byte == UInt8(ascii: ":") {
        end = index
        break
      }
    }
    let name = parts.first.map { String(decoding: $0, as: UTF8.self).trimmingBlanks } ?? ""
    guard let end, !name.isEmpty, name.utf8.allSatisfy({ $0 > 0x20 }) else {
      (self.name, parameters, value) = ("", [], line)
      return
    }
    self.name = name.uppercased()
    value = String(decoding: bytes[(end + 1)...], as: UTF8.self)
    parameters = parts.dropFirst().compactMap { part in
      guard let mark = part.firstIndex(of: UInt8(ascii: "=")) else { return nil }
      return Parameter(
        name: String(decoding: part[..<mark], as: UTF8.self).trimmingBlanks.uppercased(),
        values: Self.values(part[(mark + 1)...]))
    }
  }

  /// The values of a parameter, which are separated by commas and perhaps quoted (RFC 6868 §3).
  private static func values(_ bytes: ArraySlice<UInt8>) -> [String] {
    var values: [[UInt8]] = [[]]
    var isQuoted = false
    var isEscape = false
    for byte in bytes {
      if isEscape {
        isEscape = false
        let plain: [UInt8: UInt8] = [0x6E: 0x0A, 0x5E: 0x5E, 0x27: 0x22]
        if let byte = plain[byte] {
          values[values.count - 1].append(byte)
          continue
        }
        values[values.count - 1].append(0x5E)
      }
      switch byte {
      case UInt8(ascii: "^"): isEscape = true
      case UInt8(ascii: "\""): isQuoted.toggle()
      case UInt8(ascii: ",") where !isQuoted: values.append([])
      default: values[values.count - 1].append(byte)
      }
    }
    if isEscape { values[values.count - 1].append(0x5E) }
    return values.map { String(decoding: $0, as: UTF8.self) }
  }

  /// The first value of a parameter.
  package subscript(_ parameter: String) -> String? {
    parameters.first { $0.name == parameter }?.values.first
  }

  // MARK: - Texts

  /// The value as a text.
  package var text: String { pieces(separatedBy: nil)[0] }

  /// The value as a list of texts.
  package var texts: [String] { pieces(separatedBy: ",") }

  private func pieces(separatedBy separator: Character?) -> [String] {
    var pieces = [""]
    var isEscape = false
    for character in value {
      if isEscape {
        pieces[pieces.count - 1].append(character == "n" || character == "N" ? "\n" : character)
        isEscape = false
      } else if character == "\\" {
        isEscape = true
      } else if character == separator {
        pieces.append("")
      } else {
        pieces[pieces.count - 1].append(character)
      }
    }
    return pieces
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", ";", ",": result += "\\\(scalar)"
      case "\n": result += "\\n"
      // Control characters are not allowed (§3.1).
      case _ where scalar.value < 0x20 && scalar != "\t" || scalar.value == 0x7F: break
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  // MARK: - Lines

  /// The longest line in bytes, without its break (§3.1).
  private static let maxLine = 75

  /// The lines of the property, each with its break.
  package var lines: String {
    if let source { return source + "\r\n" }
    var line = name
    for parameter in parameters {
      line += ";\(parameter.name)=" + parameter.values.map(Self.quoted).joined(separator: ",")
    }
    line += ":" + value
    var result = ""
    var length = 0
    for character in line.unicodeScalars {
      let size = UTF8.width(character)
      if length + size > Self.maxLine {
        result += "\r\n "
        length = 1
      }
      result.unicodeScalars.append(character)
      length += size
    }
    return result + "\r\n"
  }

  private static func quoted(_ value: String) -> String {
    var result = ""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "^": result += "^^"
      case "\n": result += "^n"
      case "\"": result += "^'"
      case _ where scalar.value < 0x20 && scalar != "\t": break
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result.contains { ":;,".contains($0) } ? "\"\(result)\"" : result
  }
}

extension CalendarProperty: Hashable {
  /// Compares without the folds of lines.
  package static func == (a: CalendarProperty, b: CalendarProperty) -> Bool {
    (a.name, a.value) == (b.name, b.value) && a.parameters == b.parameters
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(value)
  }
}
