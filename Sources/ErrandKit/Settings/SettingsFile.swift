import Engine
import Glibc
package import Source
import YAML

/// The person's settings: one mapping in a file, whose comments are kept when it is written.
package struct SettingsFile {
  /// Where it is.
  package let path: String
  private let text: String
  /// What it sets.
  private(set) var values: [Setting: String] = [:]
  /// What is wrong with it; a value that does not fit is not set.
  package private(set) var problems: [Diagnostic] = []

  /// Reads a file; one that is not there sets nothing.
  ///
  /// - Throws: a `Diagnostic` when it can't be read.
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
        Diagnostic("wrong-type", "the settings are a mapping of names", at: node.span))
      return
    }
    for entry in mapping.entries { take(entry) }
  }

  private mutating func take(_ entry: Mapping.Entry) {
    let name = entry.key.text
    guard let setting = Setting(rawValue: name) else {
      problems.append(
        Diagnostic(
          "unknown-key", "unknown setting `\(name)`", at: entry.key.span,
          help: Suggestion.help(for: name, in: Setting.allCases.map(\.rawValue))))
      return
    }
    if setting.isCommand {
      // What is no list of texts is told where the program is wanted.
      values[setting] = (entry.value.sequence ?? []).compactMap(\.scalar?.text).joined(
        separator: " ")
      return
    }
    guard let scalar = entry.value.scalar else {
      problems.append(
        Diagnostic("wrong-type", "`\(name)` is text or a number", at: entry.value.span))
      return
    }
    if let problem = setting.problem(with: scalar.text) {
      problems.append(
        Diagnostic("invalid-value", "`\(name)`: “\(scalar.text)” \(problem)", at: scalar.span))
    } else {
      values[setting] = scalar.text
    }
  }

  /// The program that a setting names, with its arguments; nil where it names none.
  ///
  /// - Parameter path: The file of settings.
  /// - Throws: a `Diagnostic` for one that is no list of texts.
  static func command(_ setting: Setting, in path: String?) throws(Diagnostic) -> [String]? {
    guard let path, let bytes = try? FileReader.bytes(of: path) else { return nil }
    let source = SourceFile(name: path, bytes: bytes)
    guard let slice = DocumentSlice.split(source).first, let node = try? slice.parse(),
      let entry = node.mapping?.entries.first(where: { $0.key.text == setting.rawValue })
    else { return nil }
    let words = entry.value.sequence?.map { $0.scalar?.text } ?? []
    guard let first = words.first, first?.isEmpty == false, !words.contains(nil) else {
      throw Diagnostic(
        "wrong-type", "`\(setting.rawValue)` is a list: a program and its arguments",
        at: entry.value.span, help: "write \(setting.rawValue): \(setting.commandSample)")
    }
    return words.compactMap { $0 }
  }

  /// The text of the file with a setting changed, or taken out; all else stays as it is.
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

  /// Writes the file with a setting changed, or taken out.
  ///
  /// - Throws: `Diagnostics` for a file that is not YAML, which stays as it is; `io`.
  package func save(_ setting: Setting, as value: String?) throws {
    if let problem = problems.first(where: { $0.id.hasPrefix("yaml") }) {
      throw Diagnostics([problem])
    }
    let bytes = Array(text(setting: setting, to: value).utf8)
    guard PrivateFile(path: path).replace(bytes, isDurable: true) else {
      throw RunError(.io, "can't write \(path): \(String(cString: strerror(errno)))")
    }
  }

  /// The comment at the end of a line, with the blanks before it.
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

  /// A value as YAML, in quotes where it needs them.
  private static func scalar(_ value: String) -> String {
    let isPlain =
      value.first.map { $0.isLetter || $0.isNumber } ?? false
      && value.allSatisfy { $0.isLetter || $0.isNumber || "-_./+:".contains($0) }
      && !value.hasSuffix(":")
    return isPlain ? value : "'" + value.replacing("'", with: "''") + "'"
  }
}
