import Engine
import Glibc
package import Source
import YAML

/// The settings file: one YAML mapping, whose comments survive changes.
package struct SettingsFile {
  /// The path.
  package let path: String
  private let text: String
  /// The values in the file.
  private(set) var values: [Setting: String] = [:]
  /// The problems of the file; invalid values are not in `values`.
  package private(set) var problems: [Diagnostic] = []

  /// Reads a file; a missing one has no values.
  ///
  /// - Throws: A `Diagnostic` if it cannot be read.
  package init(path: String) throws(Diagnostic) {
    self.path = path
    guard access(path, F_OK) == 0 else {
      text = ""
      return
    }
    let file = SourceFile(name: path, bytes: try FileReader.bytes(of: path))
    text = String(decoding: file.bytes, as: UTF8.self)
    let node: Node
    do throws(Diagnostics) {
      guard let slice = DocumentSlice.split(file).first else { return }
      node = try slice.parse()
    } catch {
      problems = error.all
      return
    }
    if let scalar = node.scalar, scalar.isNull { return }
    guard let mapping = node.mapping else {
      problems.append(
        Diagnostic("wrong-type", "the settings must be a mapping", at: node.span))
      return
    }
    for entry in mapping.entries { read(entry) }
  }

  private mutating func read(_ entry: Mapping.Entry) {
    let name = entry.key.text
    guard let setting = Setting(rawValue: name) else {
      problems.append(
        Diagnostic(
          "unknown-key", "unknown setting `\(name)`", at: entry.key.span,
          help: Suggestion.help(for: name, in: Setting.allCases.map(\.rawValue))))
      return
    }
    if setting.isCommand {
      // An invalid list is reported when the program is needed.
      values[setting] = (entry.value.sequence ?? []).compactMap(\.scalar?.text).joined(
        separator: " ")
      return
    }
    guard let scalar = entry.value.scalar else {
      problems.append(
        Diagnostic("wrong-type", "`\(name)` must be text or a number", at: entry.value.span))
      return
    }
    if let problem = setting.problem(with: scalar.text) {
      problems.append(
        Diagnostic("invalid-value", "`\(name)`: “\(scalar.text)” \(problem)", at: scalar.span))
    } else {
      values[setting] = scalar.text
    }
  }

  /// Reads the program and arguments of a setting; nil if it is not set.
  ///
  /// - Parameter path: The settings file.
  /// - Throws: A `Diagnostic` if it is not a list of strings.
  static func command(_ setting: Setting, in path: String?) throws(Diagnostic) -> [String]? {
    guard let path, let bytes = try? FileReader.bytes(of: path) else { return nil }
    let source = SourceFile(name: path, bytes: bytes)
    guard let slice = DocumentSlice.split(source).first, let node = try? slice.parse(),
      let entry = node.mapping?.entries.first(where: { $0.key.text == setting.rawValue })
    else { return nil }
    let words = entry.value.sequence?.map { $0.scalar?.text } ?? []
    guard let first = words.first, first?.isEmpty == false, !words.contains(nil) else {
      throw Diagnostic(
        "wrong-type", "`\(setting.rawValue)` must be a list: a program and its arguments",
        at: entry.value.span, help: "write \(setting.rawValue): \(setting.commandSample)")
    }
    return words.compactMap { $0 }
  }

  /// The contents of the file with a setting changed, or removed for nil.
  func text(setting: Setting, to value: String?) -> String {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
    let name = setting.rawValue
    let position = lines.firstIndex { line in
      line.hasPrefix(name) && line.dropFirst(name.count).drop { $0 == " " }.first == ":"
    }
    if let position {
      let comment = Self.comment(of: lines[position])
      if let value {
        lines[position] = "\(name): \(Self.written(value, of: setting))\(comment)"
      } else {
        lines.remove(at: position)
      }
    } else if let value {
      lines.append("\(name): \(Self.written(value, of: setting))")
    }
    return lines.isEmpty ? "" : lines.joined(separator: "\n") + "\n"
  }

  /// Saves the file with a setting changed, or removed for nil.
  ///
  /// - Throws: `Diagnostics` if the file is not valid YAML, which is then not changed; `io`.
  package func save(_ setting: Setting, as value: String?) throws {
    if let problem = problems.first(where: { $0.id.hasPrefix("yaml") }) {
      throw Diagnostics([problem])
    }
    let bytes = Array(text(setting: setting, to: value).utf8)
    guard PrivateFile(path: path).replace(bytes, isDurable: true) else {
      throw RunError(.io, "cannot write \(path): \(String(cString: strerror(errno)))")
    }
  }

  /// The trailing comment of a line, with the whitespace before it.
  private static func comment(of line: String) -> Substring {
    var quote: Character?
    var index = line.startIndex
    var before: Character = " "
    while index < line.endIndex {
      let character = line[index]
      if let open = quote {
        if character == open { quote = nil }
      } else if character == "'" || character == "\"" {
        quote = character
      } else if character == "#", before == " " || before == "\t" {
        let blanks = line[..<index].reversed().prefix { $0 == " " || $0 == "\t" }.count
        return line[line.index(index, offsetBy: -blanks)...]
      }
      before = character
      index = line.index(after: index)
    }
    return ""
  }

  private static func written(_ value: String, of setting: Setting) -> String {
    guard setting.isCommand else { return scalar(value) }
    return "[" + Setting.words(value).map(scalar).joined(separator: ", ") + "]"
  }

  /// Encodes a value as a YAML scalar, quoted if necessary.
  private static func scalar(_ value: String) -> String {
    let isPlain =
      value.first.map { $0.isLetter || $0.isNumber } ?? false
      && value.allSatisfy { $0.isLetter || $0.isNumber || "-_./+:".contains($0) }
      && !value.hasSuffix(":")
    return isPlain ? value : "'" + value.replacing("'", with: "''") + "'"
  }
}
