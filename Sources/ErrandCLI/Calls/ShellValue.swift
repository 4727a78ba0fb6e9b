import CEL
import Engine
import ErrandKit
import Glibc
import Items
import JSON
import Links
import Program
import Source

/// Values of parameters as typed in a shell: JSON, the contents of a file, standard input, and
/// addresses without a scheme.
struct ShellValue {
  let name: String
  let type: DataType
  /// Whether the text is the value of a flag, which may name a file.
  let isFlag: Bool
  /// Tells of an address that was understood from a text without a scheme.
  let note: (String) -> Void

  /// Whether a flag of the type reads `@FILE` and `-`: one whose values are JSON.
  static func takesFiles(_ type: DataType) -> Bool {
    switch type.unwrapped {
    case .map, .record, .any: true
    case .list(let element):
      switch element.unwrapped {
      case .map, .record, .any, .int, .double, .bool, .list: true
      default: false
      }
    default: false
    }
  }

  /// The notation of a literal text, with a leading `@` escaped where it would name a file.
  static func literal(_ text: String, _ type: DataType) -> String {
    text.hasPrefix("@") && takesFiles(type) ? "@" + text : text
  }

  /// Parses texts that are JSON or addresses; other texts are converted when the call begins.
  ///
  /// - Throws: `UsageError` for invalid JSON, `Diagnostic` for a file that cannot be read.
  func given(_ texts: [String]) throws -> GivenValue {
    if type.unwrapped == .url { return .texts(texts.map(address)) }
    let read = try texts.map(content).map(tags)
    let values = try read.map(json)
    guard values.contains(where: { $0 != nil }) else { return .texts(read) }
    let parsed = zip(values, read).map { $0 ?? .string($1) }
    guard case .list = type.unwrapped else { return .value(parsed.last ?? .null) }
    return .value(
      .list(parsed.flatMap { if case .list(let values) = $0 { values } else { [$0] } }))
  }

  /// Tags without the `#` before each; other texts unchanged.
  ///
  /// - Throws: `UsageError` for tags with another sign between them than a comma.
  private func tags(_ text: String) throws -> String {
    guard WordForm.namesTags(name), !text.hasPrefix("["),
      text.contains(where: { "#;".contains($0) })
    else { return text }
    // `#photo #club`
    let words = text.split(separator: " ")
    let areMarked = words.count > 1 && words.allSatisfy { $0.hasPrefix("#") }
    let tags = text.split { ",;".contains($0) || areMarked && $0 == " " }.map(\.trimmed)
      .map { $0.hasPrefix("#") ? String($0.dropFirst()) : $0 }
    if text.contains(";") {
      let list = tags.joined(separator: ",").quotedForShell
      throw UsageError(
        "`\(name)`: commas separate tags, and “\(text.shortened)” has a semicolon",
        help: "write \(isFlag ? "--\(name.flagName) " : "\(name)=")\(list)")
    }
    return tags.joined(separator: ",")
  }

  /// The text, or that of the file or pipe it names.
  private func content(_ text: String) throws -> String {
    guard isFlag, Self.takesFiles(type) else { return text }
    if text == "-" { return try StandardInput.text() }
    guard text.hasPrefix("@") else { return text }
    if text.hasPrefix("@@") { return String(text.dropFirst()) }
    let path = String(text.dropFirst())
    let bytes: [UInt8]
    do { bytes = try FileReader.bytes(of: path, limit: StandardInput.limit) } catch {
      throw UsageError(
        "`\(name)`: \(error.message)",
        help: "check the path; a text that begins with @ is written @@…")
    }
    return try String(validating: bytes, as: UTF8.self).expected(
      "`\(name)`: \(path) is not valid UTF-8", help: "convert it to UTF-8 first")
  }

  /// The JSON value of a text; nil for another text where the type takes texts, too.
  private func json(_ text: String) throws -> Value? {
    let start = text.drop { $0.isWhitespace }.first
    switch type.unwrapped {
    case .map, .record: break
    case .list, .any: if start != "{", start != "[" { return nil }
    default: return nil
    }
    do throws(JSONError) {
      return try JSONParser().parse(text)
    } catch {
      if case .list = type.unwrapped, !Self.takesFiles(type), start == "[" {
        let plain = WordForm.commaSeparated([text.filter { $0 != "\"" }]).quotedForShell
        throw UsageError(
          "`\(name)`: a list has no brackets",
          help: "write \(isFlag ? "--\(name.flagName) " : "\(name)=")\(plain)")
      }
      if !Self.takesFiles(type) || type.unwrapped == .any { return nil }
      throw UsageError(
        "`\(name)`: “\(text.shortened)” is not JSON: \(error)",
        help: "write it as "
          + (start == "[" ? "'[1, 2]'" : "'{\"key\": \"value\"}'")
          + (isFlag ? ", or name a file: --\(name.flagName) @FILE" : ""))
    }
  }

  /// The address a text means: with `https://` if it is a host and not a file.
  private func address(_ text: String) -> String {
    guard let url = Self.address(text) else { return text }
    note("\(text) is taken for \(url)")
    return url
  }

  /// The URL of an address without a scheme; nil for any other text, and for the name of a file.
  static func address(_ text: String) -> String? {
    guard let url = WebURL.typed(text), access(text, F_OK) != 0 else { return nil }
    return url.text
  }
}

extension Invocation {
  /// The property values in words such as `title=Swift`, where lists and maps may be JSON.
  func properties(
    _ fields: [(name: String, text: String)], of entity: String, _ run: Run
  ) throws -> [(name: String, value: Value)] {
    try run.properties(fields, of: entity) { name, text, type in
      let value = ShellValue(name: name, type: type, isFlag: false) { self.tell($0) }
      return switch try value.given([text]) {
      case .value(let value): value
      case .texts(let texts): .string(texts.joined())
      }
    }
  }
}
